import { Button } from '@mantine/core';
import { kpiCycles } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import type { DialogProps } from './dialog-props.ts';

/** Deletes a draft with its departments and templates. */
export function DeleteForm({ cycle: { id, name, departments_count: count }, onDone, onClose }: DialogProps) {
  const t = useTranslations('kpiCycles');
  const send = useSend(kpiCycles.delete);
  return (
    <>
      <ErrorNotice error={send.error} />
      <p>{t('deleteText', { count })}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('keepIt')}
        </Button>
        <Button
          color="red"
          loading={send.isPending}
          onClick={() => send.mutate({ params: { id } }, { onSuccess: () => onDone(t('deleted', { name })) })}
        >
          {t('deleteDraft')}
        </Button>
      </DialogActions>
    </>
  );
}
