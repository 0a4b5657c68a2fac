import { NativeSelect } from '@mantine/core';
import { employees, type Employee } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../ui/DateField.tsx';
import { Pills } from '../../../ui/Pills.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { SuccessorField, useResponsibilities } from './SuccessorField.tsx';
import { Reason, StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';
import type { StepProps } from './WithReason.tsx';
import { AutoGrid } from '../../../ui/AutoGrid.tsx';

const kinds = ['resigned', 'terminated'] as const;
type Kind = (typeof kinds)[number];

const bodyOf = (values: Record<string, string>, employee: Employee) => {
  const { type = 'resigned', last_working_date = '', notice_date = '', reason = '', reassign_to, evaluations } = values;
  return {
    type,
    last_working_date,
    reason,
    ...(notice_date !== '' && { notice_date }),
    ...(reassign_to && { reassign_to: Number(reassign_to) }),
    ...(evaluations && employee.responsibilities?.open_evaluations !== undefined && { evaluations }),
  };
};

/** The form state; a successful submit closes the dialog with a message. */
function useSeparation({ employee, onClose }: StepProps) {
  const t = useTranslations('steps.separate');
  const toast = useToast();
  const state = useStep('separate', employees.separate, employee, { type: 'resigned' });
  const submit = () =>
    state.send(bodyOf(state.values, employee), () => {
      toast({ text: t('done', { name: employee.display_name }) });
      onClose();
    });
  return { state, submit };
}

/** Ends an employment, by the person's or the company's decision. */
export function Separate({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const { state, submit } = useSeparation({ employee, onClose });
  const responsibilities = useResponsibilities(employee);
  const name = employee.display_name;
  const last = state.text('last_working_date');
  const when = last !== '' && last < employee.today ? 'separate.atOnce' : 'separate.then';
  return (
    <StepDialog
      title={t('separate.title', { name })}
      consequences={[t(when, { name }), t('separate.later'), ...responsibilities]}
      action={t('separate.action')}
      danger
      error={state.error}
      fields={['type', 'last_working_date', 'notice_date', 'reason', 'reassign_to', 'evaluations']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Pills
        label={t('separate.type')}
        options={kinds.map((value) => ({ value, label: t(`separate.${value}`) }))}
        value={state.text('type') as Kind}
        onChange={(type) => state.set('type', type)}
      />
      <AutoGrid min="12rem" gap={14} fit>
        <DateField label={t('separate.notice')} {...state.field('notice_date')} />
        <DateField label={t('separate.last')} required {...state.field('last_working_date')} />
      </AutoGrid>
      <SuccessorField employee={employee} {...state.field('reassign_to')} />
      {(employee.responsibilities?.open_evaluations ?? 0) > 0 && (
        <Evaluations value={state.text('evaluations')} onChange={(value) => state.set('evaluations', value)} />
      )}
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

/** Selects what happens to open evaluations. */
function Evaluations({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useTranslations('steps.separate');
  return (
    <NativeSelect
      label={t('evaluations')}
      value={value}
      data={[
        { value: '', label: t('asUsual') },
        { value: 'keep', label: t('keep') },
        { value: 'cancel', label: t('cancel') },
      ]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
