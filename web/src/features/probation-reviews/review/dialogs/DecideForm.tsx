import { Textarea } from '@mantine/core';
import { probationOutcomes, probationSteps, type ProbationOutcome, type ProbationReview } from '@tenure/contract';
import { extendedProbationEnd } from '@tenure/contract/probation-days';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../../api/session.tsx';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import { useDayText } from '../../../../ui/use-day-text.ts';
import { daysAfter } from '../../days-left.ts';
import { SignatureField } from '../../signature/SignatureField.tsx';
import { useSignature } from '../../signature/use-signature.ts';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { signatureFields } from './signature-fields.ts';
import { useStep, type StepProps } from './use-step.ts';

const fields = ['outcome', 'outcome_extension_months', 'effective_date', 'hr_comments'];

/** `day` is set if the user chose one; the service has the default. */
type Decision = { outcome: ProbationOutcome; months: string; day?: string | undefined };

/** The default effective day of a decision; an extension starts at the end of the probation. */
const usualDay = (outcome: ProbationOutcome, { probation_end_date: end, today }: ProbationReview): string =>
  outcome === 'terminate' ? today : daysAfter(end, 1);

/** The decision as a request body. */
const sentOf = ({ outcome, months, day }: Decision) => ({
  outcome,
  ...(outcome === 'extend'
    ? { outcome_extension_months: months === '' ? null : Number(months) }
    : day && { effective_date: day }),
});

/** The form of a decision: outcome, effective day, consequences and signature. */
export function DecideForm({ review, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const { user } = useSession();
  const [decision, setDecision] = useState<Decision>({
    outcome: review.recommendation ?? 'confirm',
    months: String(review.extension_months ?? ''),
  });
  const change = (patch: Partial<Decision>) => setDecision((old) => ({ ...old, ...patch }));
  const signature = useSignature(user?.name ?? '');
  const step = useStep(probationSteps.approve, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, recommendation } = review;
  const { outcome } = decision;
  const comments = texts.of('hr_comments');
  const handleSubmit = () => {
    const taken = signature.submit();
    if (!taken) return;
    step.submit({
      params: { id },
      body: { ...sentOf(decision), hr_comments: comments.trim() || null, signature: taken, revision },
    });
  };
  return (
    <DialogForm onSubmit={handleSubmit}>
      <StepError step={step} fields={[...signatureFields, ...fields]} />
      <Choice review={review} decision={decision} errors={errors} onChange={change} />
      <Consequences review={review} decision={decision} />
      <Comments texts={texts} differs={outcome !== recommendation} error={errors['hr_comments']} />
      <SignatureField signature={signature} errors={errors} attest={t('attest.decision')} />
      <StepActions
        confirm={t(`decide.${outcome}`)}
        step={step}
        isDestructive={outcome === 'terminate'}
        onClose={onClose}
      />
    </DialogForm>
  );
}

type CommentsProps = Pick<StepProps, 'texts'> & { differs: boolean; error: string | undefined };

/** The reason of the decision, required if it differs from the recommendation. */
function Comments({ texts, differs, error }: CommentsProps) {
  const t = useTranslations('probationSteps');
  return (
    <Textarea
      label={t('hrComments')}
      {...(differs && { description: t('differs') })}
      required={differs}
      value={texts.of('hr_comments')}
      rows={3}
      maxLength={5_000}
      error={error}
      onChange={(event) => texts.set('hr_comments', event.currentTarget.value)}
    />
  );
}

type ChoiceProps = {
  review: ProbationReview;
  decision: Decision;
  errors: Readonly<Record<string, string>>;
  onChange: (patch: Partial<Decision>) => void;
};

function Choice({ review, decision: { outcome, months, day }, errors, onChange }: ChoiceProps) {
  const t = useTranslations('probationSteps');
  const outcomes = useTranslations('probationOutcome');
  const { recommendation } = review;
  return (
    <>
      <div>
        <Segments
          label={t('outcome')}
          choices={probationOutcomes.map((value) => ({ value, label: outcomes(value) }))}
          value={outcome}
          error={errors['outcome']}
          onChange={(value) => onChange({ outcome: value as ProbationOutcome, day: undefined })}
        />
        {recommendation && <p className="muted">{t('recommended', { outcome: outcomes(recommendation) })}</p>}
      </div>
      {outcome === 'extend' ? (
        <Segments
          label={t('months')}
          choices={[1, 2, 3, 4, 5, 6].map((count) => ({ value: String(count), label: String(count) }))}
          value={months}
          error={errors['outcome_extension_months']}
          onChange={(value) => onChange({ months: value })}
        />
      ) : (
        <DateField
          label={t(`day.${outcome}`)}
          description={t(`dayHint.${outcome}`)}
          value={day ?? usualDay(outcome, review)}
          error={errors['effective_date']}
          onChange={(value) => onChange({ day: value })}
        />
      )}
    </>
  );
}

/** The consequences of the decision for the employee. */
function Consequences({ review, decision: { outcome, months, day } }: Pick<ChoiceProps, 'review' | 'decision'>) {
  const t = useTranslations('probationSteps');
  const dayText = useDayText('long');
  const { name } = review.employee;
  if (outcome === 'extend') {
    const { probation_start_date: start, probation_end_date: end } = review;
    const until = months === '' ? null : extendedProbationEnd(start, end, Number(months));
    return until === null ? null : <Notice>{t('then.extend', { name, day: dayText(until) })}</Notice>;
  }
  const from = day || usualDay(outcome, review);
  const key = outcome === 'confirm' && from > review.today ? 'confirmLater' : outcome;
  return <Notice>{t(`then.${key}`, { name, day: dayText(from) })}</Notice>;
}
