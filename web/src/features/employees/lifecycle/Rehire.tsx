import { employees } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Input } from '../../../api/call.ts';
import { useSend } from '../../../api/query.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { FieldGrid } from '../form/FieldGrid.tsx';
import { fields, jobFieldNames } from '../form/fields.ts';
import { usePersonForm } from '../form/use-person-form.ts';
import { bodyOf, changedIn, valuesOf } from '../form/values.ts';
import { StepDialog } from './StepDialog.tsx';
import type { StepProps } from './WithReason.tsx';

const asked = fields
  .filter(({ name }) => name === 'joining_date' || jobFieldNames.has(name))
  .map((field) => (field.name === 'joining_date' ? { ...field, required: true as const } : field));

/** Rehires a former employee: number and account stay, and so does the job unless it is changed. */
export function Rehire({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const [before] = useState(() => valuesOf(employee));
  const form = usePersonForm({ ...before, joining_date: '' });
  const send = useSend(employees.rehire);
  const name = employee.display_name;
  const submit = () => {
    const names = ['joining_date' as const, ...changedIn(before, form.values).filter((one) => jobFieldNames.has(one))];
    const body = { ...bodyOf(form.values, names), revision: employee.revision } as Input<
      typeof employees.rehire
    >['body'];
    send.mutate(
      { params: { id: employee.id }, body },
      {
        onSuccess: () => {
          toast({ text: t('rehire.done', { name }) });
          onClose();
        },
        onError: (error) => form.refuse(error),
      },
    );
  };
  return (
    <StepDialog
      title={t('rehire.title', { name })}
      consequences={[t('rehire.then', { name }), t('rehire.later')]}
      action={t('rehire.action')}
      error={send.error}
      fields={Object.keys(form.errors)}
      isPending={send.isPending}
      onClose={onClose}
      onSubmit={submit}
      size="lg"
    >
      <FieldGrid fields={asked} form={form} employee={employee} />
    </StepDialog>
  );
}
