import { probationSteps, type ProbationReviewRow } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { PersonPicker } from '../../../../ui/PersonPicker.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep } from './use-step.ts';

type Props = {
  review: Pick<ProbationReviewRow, 'id' | 'employee' | 'reviewer'> & { revision?: number };
  onDone: () => void;
  onClose: () => void;
};

/** Assigns another reviewer. */
export function ReviewerForm({ review, onDone, onClose }: Props) {
  const t = useTranslations('probationSteps');
  const [reviewer, setReviewer] = useState<number>();
  const step = useStep(probationSteps.changeReviewer, onDone);
  const { id, revision, employee, reviewer: former } = review;
  const submit = () => {
    const body = { reviewer_id: reviewer ?? null, ...(revision !== undefined && { revision }) };
    // the service refuses an empty selection
    step.submit({ params: { id }, body });
  };
  return (
    <DialogForm onSubmit={submit}>
      <StepError step={step} fields={['reviewer_id']} />
      <p>{former ? t('text.reviewer', { name: former.name }) : t('text.noReviewer')}</p>
      <PersonPicker
        label={t('reviewer')}
        value={reviewer}
        onChange={setReviewer}
        except={employee.id}
        error={step.error?.fieldErrors['reviewer_id']}
        required
      />
      <StepActions confirm={t('confirm.reviewer')} step={step} onClose={onClose} />
    </DialogForm>
  );
}
