import { probationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** Sets the day of the meeting and the deadline. */
export function DatesForm({ review, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const [meeting, setMeeting] = useState(review.review_date ?? '');
  const [due, setDue] = useState(review.due_date);
  const step = useStep(probationSteps.update, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision } = review;
  const submit = () => step.submit({ params: { id }, body: { review_date: meeting || null, due_date: due, revision } });
  return (
    <DialogForm onSubmit={submit}>
      <StepError step={step} fields={['review_date', 'due_date']} />
      <DateField label={t('meeting')} value={meeting} onChange={setMeeting} error={errors['review_date']} />
      <DateField label={t('due')} value={due} onChange={setDue} error={errors['due_date']} required />
      <StepActions confirm={t('confirm.dates')} step={step} onClose={onClose} />
    </DialogForm>
  );
}
