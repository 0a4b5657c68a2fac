import { Button } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { CopyIcon } from '../../../ui/CopyButton.tsx';
import { mailTo } from '../../../ui/mail-to.ts';

/** Starts a mail to a person, or copies the address. */
export function EmailActions({ email }: { email: string }) {
  const t = useTranslations('profile');
  return (
    <>
      <Button
        component="a"
        href={mailTo(email)}
        variant="default"
        data-screen
        leftSection={<IconMail size={16} aria-hidden />}
      >
        {t('write')}
      </Button>
      <CopyIcon text={email} name={t('copyEmail')} />
    </>
  );
}
