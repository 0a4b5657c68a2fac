import { Button } from '@mantine/core';
import { kpiCycles } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
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
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={send.isPending}>
          {t('do.reopen')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
