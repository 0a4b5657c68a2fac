import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** Gives the current step a later due day. */
export function ExtendForm({ evaluation, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [until, reason] = [texts.of('until'), texts.of('reason')];
  const step = useStep(evaluationSteps.extend, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, employee, status } = evaluation;
  const submit = () => step.submit({ params: { id }, body: { until, reason: reason.trim() || null, revision } });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['until', 'reason']} />
      <p>{t('text.extend', { name: employee.name, stage: status })}</p>
      <DateField
        label={t('newDue')}
        value={until}
        onChange={(day) => texts.set('until', day)}
        error={errors['until']}
        required
      />
      <Textarea
        label={t('reasonMaybe')}
        rows={3}
        maxLength={500}
        value={reason}
        error={errors['reason']}
        onChange={(event) => texts.set('reason', event.currentTarget.value)}
      />
      <StepActions confirm={t('confirm.extend')} isPending={step.isPending} onClose={onClose} />
    </DialogForm>
  );
}
