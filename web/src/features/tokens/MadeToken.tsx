import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../ui/CopyText.tsx';
import { DialogActions } from '../../ui/Dialog.tsx';

/** A token, shown only this once. */
export function MadeToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useTranslations('accessTokens');
  return (
    <>
      <p>{t('madeText')}</p>
      <CopyText text={token} label={t('token')} size="sm" />
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </>
  );
}
