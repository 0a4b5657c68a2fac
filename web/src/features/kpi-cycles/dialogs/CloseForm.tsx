import { Button } from '@mantine/core';
import { kpiCycleFigures, kpiCycles, type EvaluationStatus } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { SectionSkeleton } from '../SectionSkeleton.tsx';
import { Reason } from './Reason.tsx';
import type { DialogProps } from './dialog-props.ts';
import { BulletList } from '../../../ui/BulletList.tsx';

const early: readonly EvaluationStatus[] = ['self_assessment', 'manager_review', 'hr_review'];
const late: readonly EvaluationStatus[] = ['pending_acceptance', 'accepted', 'disputed'];

/** Closes a cycle; with open evaluations by force, after showing what happens to them. */
export function CloseForm(props: DialogProps) {
  const { can } = useSession();
  const query = useQuery(load(kpiCycleFigures.summary, { params: { id: props.cycle.id } }));
  if (query.isPending) return <SectionSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const sum = (statuses: readonly EvaluationStatus[]) =>
    statuses.reduce((count, status) => count + (query.data.data.by_status[status] ?? 0), 0);
  const [cancelled, completed] = [sum(early), sum(late)];
  if (cancelled + completed > 0 && !can('kpi-evaluation.force-close'))
    return <StillOpen count={cancelled + completed} onClose={props.onClose} />;
  return <ReasonForm {...props} cancelled={cancelled} completed={completed} />;
}

function StillOpen({ count, onClose }: { count: number; onClose: () => void }) {
  const t = useTranslations('kpiCycles');
  return (
    <>
      <p>{t('stillOpen', { count })}</p>
      <p className="muted">{t('mayNotForce')}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
      </DialogActions>
    </>
  );
}

type ReasonProps = DialogProps & { cancelled: number; completed: number };

function ReasonForm({ cycle: { id, name, revision }, cancelled, completed, onDone, onClose }: ReasonProps) {
  const t = useTranslations('kpiCycles');
  const [reason, setReason] = useState('');
  const send = useSend(kpiCycles.close);
  const open = cancelled + completed;
  const submit = () =>
    send.mutate(
      { params: { id }, body: { revision, reason: reason.trim() || null, ...(open > 0 && { force: true }) } },
      { onSuccess: () => onDone(t('closed', { name })) },
    );
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} fields={['reason']} />
      {open > 0 && <p>{t('stillOpen', { count: open })}</p>}
      {open === 0 ? (
        <p>{t('closeText')}</p>
      ) : (
        <BulletList>
          {completed > 0 && <li>{t('willComplete', { count: completed })}</li>}
          {cancelled > 0 && <li>{t('willCancel', { count: cancelled })}</li>}
          <li>{t('closeText')}</li>
        </BulletList>
      )}
      <Reason value={reason} onChange={setReason} error={send.error} required={open > 0} />
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={send.isPending} {...(open > 0 && { color: 'red' })}>
          {t(open > 0 ? 'closeByForce' : 'do.close')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
