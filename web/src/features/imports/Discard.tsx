import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { useImportKind } from './kinds.ts';

/** Discards an unconfirmed import after a confirmation, since corrections are lost. */
export function Discard({ id }: { id: number }) {
  const t = useTranslations('imports');
  const navigate = useNavigate();
  const [open, dialog] = useDisclosure(false);
  const { api, paths } = useImportKind();
  const discard = useSend(api.delete);
  const close = closing(dialog.close, discard);
  const confirm = () => discard.mutate({ params: { id } }, { onSuccess: () => void navigate({ to: paths.list }) });
  return (
    <>
      <Button variant="subtle" color="gray" onClick={dialog.open}>
        {t('discard')}
      </Button>
      <Dialog opened={open} onClose={close} title={t('discardTitle')}>
        <p>{t('discardText')}</p>
        <ErrorNotice error={discard.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('keep')}
          </Button>
          <Button color="red.8" loading={discard.isPending || discard.isSuccess} onClick={confirm}>
            {t('discard')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
