import { jobHistory, type Employee, type JobHistoryRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { FieldGrid } from '../form/FieldGrid.tsx';
import { fields, jobFieldNames } from '../form/fields.ts';
import { usePersonForm } from '../form/use-person-form.ts';
import { bodyOf, changedIn, valuesOf } from '../form/values.ts';
import { Reason, StepDialog } from './StepDialog.tsx';

const asked = fields.filter(({ name }) => jobFieldNames.has(name));

type Props = { employee: Employee; row: JobHistoryRow | null; onClose: () => void };

/** The person with the job of a row, for the names of references. */
const withJob = (employee: Employee, row: JobHistoryRow | null): Employee =>
  row === null
    ? employee
    : {
        ...employee,
        entity_id: row.entity_id,
        entity: row.entity,
        department_id: row.department_id,
        department: row.department,
        reporting_manager_id: row.reporting_manager_id,
        reporting_manager: row.reporting_manager,
        job_title: row.job_title,
        grade: row.grade,
        employment_type: row.employment_type,
      };

/** Adds or corrects a past job; for the current job, corrects its first day. */
export function PastJob({ employee, row, onClose }: Props) {
  const t = useTranslations('pastJob');
  const shown = withJob(employee, row);
  const [before] = useState(() => valuesOf(shown));
  const form = usePersonForm(before);
  const [from, setFrom] = useState(row?.effective_from ?? '');
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const save = useSave(employee.id, row);
  const errors = save.error?.fieldErrors ?? {};
  const changed = changedIn(before, form.values).filter((name) => jobFieldNames.has(name));
  const isMoved = from !== (row?.effective_from ?? '');
  const submit = () => {
    const days = { ...(isMoved && { effective_from: from }), ...(to !== '' && { effective_to: to }) };
    const body = { ...bodyOf(form.values, row ? changed : asked.map(({ name }) => name)), ...days, reason };
    save.send(body, { onDone: onClose, onRefused: (error) => void form.refuse(error) });
  };
  return (
    <StepDialog
      title={t(row ? 'correct' : 'add', { name: employee.display_name })}
      consequences={[t(row?.status === 'current' ? 'current' : row ? 'stays' : 'unknown')]}
      action={t('save')}
      disabled={row ? changed.length === 0 && !isMoved : from === ''}
      error={save.error}
      fields={[...Object.keys(form.errors), 'effective_from', 'effective_to', 'reason']}
      isPending={save.isPending}
      onClose={onClose}
      onSubmit={submit}
      size="lg"
    >
      <AutoGrid min="12rem" gap={14} fit>
        <DateField label={t('from')} required value={from} onChange={setFrom} error={errors['effective_from']} />
        {!row && <DateField label={t('to')} value={to} onChange={setTo} error={errors['effective_to']} />}
      </AutoGrid>
      {row?.status !== 'current' && <FieldGrid fields={asked} form={form} employee={shown} />}
      <Reason
        value={reason}
        onChange={setReason}
        {...(errors['reason'] !== undefined && { error: errors['reason'] })}
      />
    </StepDialog>
  );
}

type Then = { onDone: () => void; onRefused: (error: NonNullable<ReturnType<typeof useSend>['error']>) => void };

/** Sends an added or a corrected job. */
function useSave(id: number, row: JobHistoryRow | null) {
  const t = useTranslations('pastJob');
  const toast = useToast();
  const add = useSend(jobHistory.addPast);
  const correct = useSend(jobHistory.correct);
  const send = (body: Record<string, unknown>, { onDone, onRefused }: Then) => {
    const then = {
      onSuccess: () => {
        toast({ text: t('done') });
        onDone();
      },
      onError: onRefused,
    };
    if (row) correct.mutate({ params: { id, rowId: row.id }, body: { reason: '', ...body } }, then);
    else add.mutate({ params: { id }, body: { effective_from: '', reason: '', ...body } }, then);
  };
  const { error, isPending } = row ? correct : add;
  return { send, error, isPending };
}
