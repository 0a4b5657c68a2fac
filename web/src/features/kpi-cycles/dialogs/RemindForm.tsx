import { Box, Button } from '@mantine/core';
import { kpiCycleFigures, kpiCycles, remindStages, type EvaluationStatus, type KpiCycle } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { DialogActions, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { allCycleDepartments } from '../all-cycle-departments.ts';
import { ChoiceLine } from '../ChoiceLine.tsx';

type Stage = (typeof remindStages)[number];
const statusOf: Record<Stage, EvaluationStatus> = {
  self: 'self_assessment',
  manager: 'manager_review',
  acceptance: 'pending_acceptance',
};

type Props = { cycle: KpiCycle; department: number | undefined; onClose: () => void };

/** Reminds people with an open step, at most once a day. */
export function RemindForm({ cycle: { id }, department, onClose }: Props) {
  const t = useTranslations('kpiCycles');
  const [chosen, setStage] = useState<Stage>();
  const send = useSend(kpiCycles.remind);
  const summary = useQuery(load(kpiCycleFigures.summary, { params: { id } })).data?.data;
  const rows = useQuery({ ...allCycleDepartments(id), enabled: department !== undefined });
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
      <Stages counts={counts} value={stage} onChange={setStage} />
      <p className="muted">{t('remindCap')}</p>
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t('sendReminders')}
        loading={send.isPending}
        disabled={counts !== undefined && countOf(stage) === 0}
      />
    </DialogForm>
  );
}

type StagesProps = {
  counts: { [K in EvaluationStatus]?: number | undefined } | undefined;
  value: Stage;
  onChange: (stage: Stage) => void;
};

function Stages({ counts, value, onChange }: StagesProps) {
  const t = useTranslations('kpiCycles');
  const tStatus = useTranslations('evaluationStatus');
  return (
    <Box component="fieldset" m={0} p={0} bd={0} miw={0}>
      <legend className="visually-hidden">{t('stages')}</legend>
      {remindStages.map((one) => (
        <ChoiceLine
          key={one}
          type="radio"
          name="stage"
          label={tStatus(statusOf[one])}
          note={counts && t('openCount', { count: counts[statusOf[one]] ?? 0 })}
          checked={value === one}
          onChange={() => onChange(one)}
        />
      ))}
    </Box>
  );
}

function Reminded({ reminded, open, onClose }: { reminded: number; open: number; onClose: () => void }) {
  const t = useTranslations('kpiCycles');
  return (
    <>
      <Box component="output" fz="lg" fw={550} lh={1.45}>
        {t('remindedCount', { reminded, open })}
      </Box>
      {reminded < open && <p className="muted">{t('notReminded', { count: open - reminded })}</p>}
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('done')}
        </Button>
      </DialogActions>
    </>
  );
}
