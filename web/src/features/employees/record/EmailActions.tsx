import { ActionIcon, Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconMail } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

/** Writes to a person, or copies the address. */
export function EmailActions({ email }: { email: string }) {
  const t = useTranslations('profile');
  return (
    <>
      <Button
        component="a"
        href={`mailto:${email}`}
        variant="default"
        data-screen
        leftSection={<IconMail size={16} aria-hidden />}
      >
        {t('write')}
      </Button>
      <CopyButton value={email}>
        {({ copied, copy }) => (
          <ActionIcon variant="default" size={36} aria-label={t(copied ? 'emailCopied' : 'copyEmail')} onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
    </>
  );
}
