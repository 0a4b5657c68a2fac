import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { PersonPicker } from '../../../../ui/PersonPicker.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

/** Assigns another reviewer. */
export function ReviewerForm({ evaluation, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [reviewer, setReviewer] = useState<number>();
  const reason = texts.of('reason');
  const step = useStep(evaluationSteps.changeReviewer, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, employee_id: subject, reviewer: former } = evaluation;
  const submit = () =>
    step.submit({
      params: { id },
      body: { reviewer_id: reviewer, reason: reason.trim() || null, revision },
    });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['reviewer_id', 'reason']} />
      <p>{former ? t('text.reviewer', { name: former.name }) : t('text.noReviewer')}</p>
      <PersonPicker
        label={t('reviewer')}
        value={reviewer}
        onChange={setReviewer}
        except={subject}
        error={errors['reviewer_id']}
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
      <StepActions confirm={t('confirm.reviewer')} isPending={step.isPending} onClose={onClose} />
    </DialogForm>
  );
}
