import { ActionIcon, Box, Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useCopy } from './use-copy.ts';

type Props = {
  text: string;
  /** The name of the text, for assistive technology. */
  label?: string;
  /** A label instead of “Copy”. */
  children?: string;
  variant?: 'default' | 'subtle';
  size?: 'compact-sm' | 'compact-md' | 'sm' | 'md';
};

/** Copies a text, and shows whether that succeeded. */
export function CopyButton({ text, label, children, variant = 'default', size = 'sm' }: Props) {
  const t = useTranslations('copy');
  const [state, copy] = useCopy(text);
  const isCopied = state === 'copied';
  return (
    <>
      <Button
        variant={variant}
        size={size}
        onClick={copy}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      >
        {isCopied ? t('copied') : (children ?? t('copy'))}
        {label !== undefined && <span className="visually-hidden"> {label}</span>}
      </Button>
      {state === 'failed' && <NotCopied />}
    </>
  );
}

/** The same as an icon, labelled with the name of the text. */
export function CopyIcon({ text, name }: { text: string; name: string }) {
  const t = useTranslations('copy');
  const [state, copy] = useCopy(text);
  const isCopied = state === 'copied';
  return (
    <>
      <ActionIcon variant="default" size={36} aria-label={isCopied ? t('copied') : name} onClick={copy}>
        {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
      {state === 'failed' && <NotCopied />}
    </>
  );
}

function NotCopied() {
  const t = useTranslations('copy');
  return (
    <Box component="output" fz="sm" c="var(--danger)">
      {t('failed')}
    </Box>
  );
}
