import { Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** Reverts a decision: the probation continues until a new day. */
export function RevertForm({ review, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const step = useStep(probationSteps.revert, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, employee } = review;
  const end = texts.of('probation_end_date');
  const reason = texts.of('reason');
  const submit = () =>
    step.submit({ params: { id }, body: { probation_end_date: end, reason: reason.trim(), revision } });
  return (
    <DialogForm onSubmit={submit}>
      <StepError step={step} fields={['probation_end_date', 'reason']} />
      <p>{t('text.revert', { name: employee.name })}</p>
      <DateField
        label={t('newEnd')}
        value={end}
        onChange={(day) => texts.set('probation_end_date', day)}
        error={errors['probation_end_date']}
        required
      />
      <Textarea
        label={t('reason')}
        description={t('reasonHint')}
        value={reason}
        rows={4}
        required
        maxLength={500}
        error={errors['reason']}
        onChange={(event) => texts.set('reason', event.currentTarget.value)}
      />
      <StepActions confirm={t('confirm.revert')} step={step} isDestructive onClose={onClose} />
    </DialogForm>
  );
}
