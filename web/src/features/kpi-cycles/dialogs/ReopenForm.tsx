import { kpiCycles } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Reason } from './Reason.tsx';
import type { DialogProps } from './dialog-props.ts';

/** Reopens a closed cycle. */
export function ReopenForm({ cycle: { id, name, revision }, onDone, onClose }: DialogProps) {
  const t = useTranslations('kpiCycles');
  const [reason, setReason] = useState('');
  const send = useSend(kpiCycles.reopen);
  const submit = () =>
    send.mutate({ params: { id }, body: { reason, revision } }, { onSuccess: () => onDone(t('reopened', { name })) });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} fields={['reason']} />
      <p>{t('reopenText')}</p>
      <Reason value={reason} onChange={setReason} error={send.error} required />
      <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('do.reopen')} loading={send.isPending} />
    </DialogForm>
  );
}
