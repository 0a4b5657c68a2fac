import { Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** HR shares an interim review with the employee, with an optional comment. */
export function ShareForm({ review, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const step = useStep(probationSteps.share, onDone);
  const comments = texts.of('hr_comments');
  const handleSubmit = () =>
    step.submit({
      params: { id: review.id },
      body: { hr_comments: comments.trim() || null, revision: review.revision },
    });
  return (
    <DialogForm onSubmit={handleSubmit}>
      <StepError step={step} fields={['hr_comments']} />
      <p>{t('text.share', { name: review.employee.name, signsIn: String(review.person_signs_in) })}</p>
      <Textarea
        label={t('comment')}
        value={comments}
        rows={3}
        maxLength={5_000}
        error={step.error?.fieldErrors['hr_comments']}
        onChange={(event) => texts.set('hr_comments', event.currentTarget.value)}
      />
      <StepActions confirm={t('confirm.share')} step={step} onClose={onClose} />
    </DialogForm>
  );
}
