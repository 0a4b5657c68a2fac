import { Button, Textarea } from '@mantine/core';
import { kpiCycleNewcomers, type KpiCycle, type Reply } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useToast } from '../../../ui/toasts.tsx';

type Answer = Reply<typeof kpiCycleNewcomers.leaveOut>['data'];
type Props = {
  cycle: KpiCycle;
  people: readonly { id: number; name: string }[];
  onDone: () => void;
  onClose: () => void;
};

/** Leaves people out of a cycle with a reason. If some are refused, the dialog stays open and names them. */
export function LeaveOut({ cycle, people, onDone, onClose }: Props) {
  const t = useTranslations('kpiCycleEligible');
  const toast = useToast();
  const [reason, setReason] = useState('');
  const send = useSend(kpiCycleNewcomers.leaveOut);
  const count = people.length;
  const onSuccess = ({ data }: { data: Answer }) => {
    if (data.counts.left_out > 0) toast({ text: t('leftOut', { count: data.counts.left_out, name: cycle.name }) });
    onDone();
    if (data.counts.refused === 0) onClose();
  };
  const submit = () =>
    send.mutate(
      { params: { id: cycle.id }, body: { employee_ids: people.map(({ id }) => id), reason } },
      { onSuccess },
    );
  return (
    <Dialog title={t('leaveOutTitle', { count, name: people[0]?.name ?? '' })} opened onClose={onClose}>
      {send.data ? (
        <Refused people={send.data.data.people} onClose={onClose} />
      ) : (
        <DialogForm onSubmit={submit}>
          <ErrorNotice error={send.error} fields={['reason']} />
          <p>{t('leaveOutText', { count })}</p>
          <Textarea
            label={t('reason')}
            description={t('reasonHint')}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            error={send.error?.fieldErrors['reason']}
            maxLength={500}
            rows={3}
            required
          />
          <FormActions cancel={t('cancel')} onCancel={onClose} submit={t('confirmLeaveOut')} loading={send.isPending} />
        </DialogForm>
      )}
    </Dialog>
  );
}

function Refused({ people, onClose }: Pick<Answer, 'people'> & { onClose: () => void }) {
  const t = useTranslations('kpiCycleEligible');
  return (
    <>
      {people
        .filter(({ reason }) => reason !== null)
        .map(({ employee_id: id, employee, reason }) => (
          <Notice key={id}>
            {t('refused', { name: employee?.name ?? t('unknown', { id }), reason: reason ?? '' })}
          </Notice>
        ))}
      <DialogActions>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogActions>
    </>
  );
}
