import { kpiCycles } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { ConfirmDelete } from '../../../ui/ConfirmDelete.tsx';
import type { DialogProps } from './dialog-props.ts';

/** Deletes a draft with its departments and templates. */
export function DeleteForm({ cycle: { id, name, departments_count: count }, onDone, onClose }: DialogProps) {
  const t = useTranslations('kpiCycles');
  const send = useSend(kpiCycles.delete);
  return (
    <ConfirmDelete
      send={send}
      keep={t('keepIt')}
      confirm={t('deleteDraft')}
      onConfirm={() => send.mutate({ params: { id } }, { onSuccess: () => onDone(t('deleted', { name })) })}
      onClose={onClose}
    >
      {t('deleteText', { count })}
    </ConfirmDelete>
  );
}
