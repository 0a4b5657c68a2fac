import type { ApiToken } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/api-error.ts';
import { Dialog, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { useToast } from '../../ui/toasts.tsx';

type Props = {
  token: Pick<ApiToken, 'id' | 'name'> | undefined;
  onRevoke: (id: number) => Promise<unknown>;
  onClose: () => void;
};

/** Asks before revoking a token, since its program stops working. */
export function Revoke({ token, onRevoke, onClose }: Props) {
  const t = useTranslations('accessTokens');
  const toast = useToast();
  const [error, setError] = useState<ApiError>();
  const [isPending, setIsPending] = useState(false);
  const shown = useLastShown(token);
  const close = () => {
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    if (!token) return;
    setIsPending(true);
    try {
      await onRevoke(token.id);
      close();
      toast({ text: t('revokedToast') });
    } catch (failed) {
      if (!(failed instanceof ApiError)) throw failed;
      setError(failed);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Dialog title={t('revokeTitle', { name: shown?.name ?? '' })} opened={token !== undefined} onClose={close}>
      <DialogForm onSubmit={() => void confirm()}>
        <p>{t('revokeText')}</p>
        <ErrorNotice error={error ?? null} />
        <FormActions cancel={t('cancel')} onCancel={close} submit={t('revoke')} color="red" loading={isPending} />
      </DialogForm>
    </Dialog>
  );
}
