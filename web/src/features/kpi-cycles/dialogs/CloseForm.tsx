import { Button } from '@mantine/core';
import { kpiCycleFigures, kpiCycles, type EvaluationStatus } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { isLost, load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import classes from '../form.module.css';
import { Lines } from '../Lines.tsx';
import { Reason } from './Reason.tsx';
import type { DialogProps } from './dialog-props.ts';

const early: readonly EvaluationStatus[] = ['self_assessment', 'manager_review', 'hr_review'];
const late: readonly EvaluationStatus[] = ['pending_acceptance', 'accepted', 'disputed'];

/** Ends a cycle; by force where evaluations are still open, and then says what becomes of them. */
export function CloseForm({ cycle, onDone, onClose }: DialogProps) {
  const t = useTranslations('kpiCycles');
  const { can } = useSession();
  const [reason, setReason] = useState('');
  const send = useSend(kpiCycles.close);
  const query = useQuery(load(kpiCycleFigures.summary, { params: { id: cycle.id } }));
  if (query.isPending) return <Lines />;
  if (isLost(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const sum = (statuses: readonly EvaluationStatus[]) =>
    statuses.reduce((count, status) => count + (query.data.data.by_status[status] ?? 0), 0);
  const [cancelled, completed] = [sum(early), sum(late)];
  const open = cancelled + completed;
  const mayForce = can('kpi-evaluation.force-close');
  const { id, name, revision } = cycle;
  const submit = () =>
    send.mutate(
      { params: { id }, body: { revision, reason: reason.trim() || null, ...(open > 0 && { force: true }) } },
      { onSuccess: () => onDone(t('closed', { name })) },
    );
  const back = (
    <Button variant="default" onClick={onClose} data-autofocus>
      {t('cancel')}
    </Button>
  );
  if (open > 0 && !mayForce)
    return (
      <>
        <p>{t('stillOpen', { count: open })}</p>
        <p className="muted">{t('mayNotForce')}</p>
        <DialogActions>{back}</DialogActions>
      </>
    );
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} fields={['reason']} />
      {open === 0 ? (
        <p>{t('closeText')}</p>
      ) : (
        <>
          <p>{t('stillOpen', { count: open })}</p>
          <ul className={classes['reasons']}>
            {completed > 0 && <li>{t('willComplete', { count: completed })}</li>}
            {cancelled > 0 && <li>{t('willCancel', { count: cancelled })}</li>}
            <li>{t('closeText')}</li>
          </ul>
        </>
      )}
      <Reason value={reason} onChange={setReason} error={send.error} required={open > 0} />
      <DialogActions>
        {back}
        <Button type="submit" loading={send.isPending} {...(open > 0 && { color: 'red' })}>
          {t(open > 0 ? 'closeByForce' : 'do.close')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
