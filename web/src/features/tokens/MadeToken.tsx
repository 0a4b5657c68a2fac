import { Button, Code, CopyButton, Group } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { DialogActions } from '../../ui/Dialog.tsx';

/** A token, shown only this once. */
export function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useTranslations('accessTokens');
  return (
    <>
      <p>{t('madeText')}</p>
      <Group gap={8}>
        <Code aria-label={t('token')} fz="sm" p="8px 10px" style={{ overflowWrap: 'anywhere' }} role="note">
          {token}
        </Code>
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </>
  );
}
