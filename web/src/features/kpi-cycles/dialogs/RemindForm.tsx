import { Button } from '@mantine/core';
import { kpiCycleFigures, kpiCycles, remindStages, type EvaluationStatus, type KpiCycle } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { DialogActions, DialogForm } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { everyChosen } from '../every-chosen.ts';
import classes from '../form.module.css';

type Stage = (typeof remindStages)[number];
const statusOf: Record<Stage, EvaluationStatus> = {
  self: 'self_assessment',
  manager: 'manager_review',
  acceptance: 'pending_acceptance',
};

type Props = { cycle: KpiCycle; department: number | undefined; onClose: () => void };

/** Reminds whoever has not acted, at most once a day. */
export function RemindForm({ cycle: { id }, department, onClose }: Props) {
  const t = useTranslations('kpiCycles');
  const words = useTranslations('evaluationStatus');
  const [chosen, setStage] = useState<Stage>();
  const send = useSend(kpiCycles.remind);
  const summary = useQuery(load(kpiCycleFigures.summary, { params: { id } })).data?.data;
  const rows = useQuery({ ...everyChosen(id), enabled: department !== undefined });
  const row = rows.data?.find(({ department_id }) => department_id === department);
  const counts = department === undefined ? summary?.by_status : row?.by_status;
  const countOf = (stage: Stage) => counts?.[statusOf[stage]] ?? 0;
  const stage = chosen ?? remindStages.find((one) => countOf(one) > 0) ?? 'self';
  if (send.data) return <Reminded {...send.data.data} onClose={onClose} />;
  const submit = () =>
    send.mutate({ params: { id }, body: { stage, ...(department !== undefined && { department_ids: [department] }) } });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={send.error} />
      <p>{row ? t('remindIn', { name: row.department.name }) : t('remindAll')}</p>
      <fieldset className={classes['section']}>
        <legend className="visually-hidden">{t('stages')}</legend>
        <div>
          {remindStages.map((one) => (
            <label key={one} className={classes['choice']}>
              <input type="radio" name="stage" checked={stage === one} onChange={() => setStage(one)} />
              <bdi>{words(statusOf[one])}</bdi>
              <span>{counts && t('openCount', { count: countOf(one) })}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <p className="muted">{t('remindCap')}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={send.isPending} disabled={counts !== undefined && countOf(stage) === 0}>
          {t('sendReminders')}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}

function Reminded({ reminded, open, onClose }: { reminded: number; open: number; onClose: () => void }) {
  const t = useTranslations('kpiCycles');
  return (
    <>
      <output className={classes['impact']}>{t('remindedCount', { reminded, open })}</output>
      {reminded < open && <p className="muted">{t('notReminded', { count: open - reminded })}</p>}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  );
}
