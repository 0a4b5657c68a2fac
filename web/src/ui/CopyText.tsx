import { Button, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

type Props = {
  text: string;
  /** What the text is, for assistive technology. */
  label: string;
  size?: 'compact-sm' | 'compact-md' | 'sm';
};

/** A text to enter elsewhere, with a button that copies it. */
export function CopyText({ text, label, size = 'compact-md' }: Props) {
  const t = useTranslations('copy');
  return (
    <Group gap={8}>
      <Code aria-label={label} role="note" fz="sm" p="6px 10px" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            size={size}
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          >
            {t(copied ? 'copied' : 'copy')}
            <span className="visually-hidden"> {label}</span>
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
