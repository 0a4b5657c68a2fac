import { Textarea } from '@mantine/core';
import { jobHistory, type Employee } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { useRegisterDraft, useStoredDraft } from '../../../ui/drafts.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { FieldGrid } from '../form/FieldGrid.tsx';
import { fields, jobFieldNames } from '../form/fields.ts';
import { usePersonForm } from '../form/use-person-form.ts';
import { bodyOf, changedIn, valuesOf, type Values } from '../form/values.ts';
import { StepDialog } from './StepDialog.tsx';
import type { StepProps } from './WithReason.tsx';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';

const asked = fields.filter(({ name }) => jobFieldNames.has(name));
type Draft = { values: Values; from: string; reason: string };

/** The draft of a job change, kept when the session ends. */
function useJobDraft(employee: Employee) {
  const { user } = useSession();
  const draft = `employees.${employee.id}.do.job`;
  const kept = useStoredDraft<Draft>(draft, user?.id);
  const [before] = useState(() => valuesOf(employee));
  const form = usePersonForm(before, kept?.values);
  const [from, setFrom] = useState(kept?.from ?? employee.today);
  const [reason, setReason] = useState(kept?.reason ?? '');
  useRegisterDraft(draft, () => ({ values: form.values, from, reason }) satisfies Draft);
  const changed = changedIn(before, form.values).filter((name) => jobFieldNames.has(name));
  return { form, changed, from, setFrom, reason, setReason };
}

/** Changes the job from a given day on, today or in the future. */
export function ChangeJob({ employee, onClose }: StepProps) {
  const t = useTranslations('steps.job');
  const { form, changed, from, setFrom, reason, setReason } = useJobDraft(employee);
  const job = useJobChange(employee.id, employee.display_name);
  const errors = job.error?.fieldErrors ?? {};
  const submit = () => {
    const body = { ...bodyOf(form.values, changed), effective_from: from, ...(reason !== '' && { reason }) };
    job.send(body, { onDone: onClose, onRefused: (error) => form.refuse(error) });
  };
  return (
    <StepDialog
      title={t('title', { name: employee.display_name })}
      consequences={[t(from > employee.today ? 'later' : 'now')]}
      action={t('action')}
      disabled={changed.length === 0}
      error={job.error}
      fields={[...Object.keys(form.errors), 'effective_from', 'reason']}
      isPending={job.isPending}
      onClose={onClose}
      onSubmit={submit}
      size="lg"
    >
      <AutoGrid min="12rem" gap={14} fit>
        <DateField label={t('from')} required value={from} onChange={setFrom} error={errors['effective_from']} />
      </AutoGrid>
      <FieldGrid fields={asked} form={form} employee={employee} />
      <Textarea
        label={t('reason')}
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        {...(errors['reason'] !== undefined && { error: errors['reason'] })}
      />
    </StepDialog>
  );
}

type Then = { onDone: () => void; onRefused: (error: NonNullable<ReturnType<typeof useSend>['error']>) => void };

/** Sends a job change and offers to undo one that is in the future. */
function useJobChange(id: number, name: string) {
  const t = useTranslations('steps.job');
  const toast = useToast();
  const create = useSend(jobHistory.create);
  const cancel = useSend(jobHistory.delete);
  const send = (body: Record<string, unknown>, { onDone, onRefused }: Then) =>
    create.mutate(
      { params: { id }, body: { effective_from: '', ...body } },
      {
        onSuccess: ({ data: row }) => {
          const undo = () =>
            void cancel.mutateAsync({ params: { id, rowId: row.id } }).catch(() => toast({ text: t('notUndone') }));
          toast(row.status === 'scheduled' ? { text: t('scheduled', { name }), undo } : { text: t('done', { name }) });
          onDone();
        },
        onError: onRefused,
      },
    );
  return { send, error: create.error, isPending: create.isPending };
}
