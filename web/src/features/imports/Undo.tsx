import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { employeeImports, type Import } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import classes from './imports.module.css';

/** Undoes a finished import as far as its rows allow it, or says why none of them does. */
export function Undo({ found }: { found: Import }) {
  const t = useTranslations('imports');
  const [open, dialog] = useDisclosure(false);
  const undo = useSend(employeeImports.undo);
  const reasons = undo.error?.refusal.errors?.['rows'] ?? [];
  const close = () => {
    dialog.close();
    // what stayed can be tried again
    undo.reset();
  };
  const confirm = () => undo.mutate({ params: { id: found.id } }, { onSuccess: close });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('undo')}
      </Button>
      <Dialog opened={open} onClose={close} title={t('undoTitle')}>
        {reasons.length === 0 ? (
          <>
            <p>{t('undoText', { count: found.counts.created })}</p>
            <ErrorNotice error={undo.error} />
          </>
        ) : (
          <div role="alert">
            <p>{t('undoRefused')}</p>
            <ul className={classes['reasons']}>
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          </div>
        )}
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t(reasons.length > 0 ? 'close' : 'keepImport')}
          </Button>
          {reasons.length === 0 && (
            <Button color="red.8" loading={undo.isPending} onClick={confirm}>
              {t('undo')}
            </Button>
          )}
        </DialogActions>
      </Dialog>
    </>
  );
}
