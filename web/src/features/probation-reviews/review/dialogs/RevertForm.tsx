import { Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import type { StepProps } from './DialogsPart.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep } from './use-step.ts';

/** Takes a decision back: the person is on probation again, until a new day. */
export function RevertForm({ review, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const [end, setEnd] = useState('');
  const [reason, setReason] = useState('');
  const step = useStep(probationSteps.revert, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, employee } = review;
  const submit = () =>
    step.take({ params: { id }, body: { probation_end_date: end, reason: reason.trim(), revision } });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['probation_end_date', 'reason']} />
      <p>{t('text.revert', { name: employee.name })}</p>
      <DateField label={t('newEnd')} value={end} onChange={setEnd} error={errors['probation_end_date']} required />
      <Textarea
        label={t('reason')}
        description={t('reasonHint')}
        value={reason}
        rows={4}
        required
        maxLength={500}
        error={errors['reason']}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <StepActions confirm={t('confirm.revert')} isPending={step.isPending} isGrave onClose={onClose} />
    </DialogForm>
  );
}
