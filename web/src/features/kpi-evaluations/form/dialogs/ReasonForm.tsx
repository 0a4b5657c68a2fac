import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

const endpoints = {
  accept: evaluationSteps.accept,
  dispute: evaluationSteps.dispute,
  close: evaluationSteps.close,
  return: evaluationSteps.return,
  'extension-request': evaluationSteps.requestExtension,
  'deem-accepted': evaluationSteps.deemAccepted,
  'skip-self-assessment': evaluationSteps.skipSelfAssessment,
  reopen: evaluationSteps.reopen,
  restore: evaluationSteps.restore,
  'force-close': evaluationSteps.forceClose,
  cancel: evaluationSteps.cancel,
} as const;
export type ReasonAction = keyof typeof endpoints;
const withoutReason: readonly ReasonAction[] = ['accept', 'close'];
const destructive: readonly ReasonAction[] = ['force-close', 'cancel'];

/** The dialog of a step whose only input is a reason: consequences, reason and button. */
export function ReasonForm({ evaluation, action, texts, onDone, onClose }: StepProps & { action: ReasonAction }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [reason, until] = [texts.of('reason'), texts.of('until')];
  // each of these endpoints takes the revision and an optional reason
  const step = useStep(endpoints[action] as typeof evaluationSteps.return, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const asks = !withoutReason.includes(action);
  const { id, revision, employee } = evaluation;
  const body = {
    ...(asks && { reason: reason.trim() }),
    ...(action === 'return' && { until: until || null }),
    revision,
  } as { reason: string; revision: number };
  return (
    <DialogForm onSubmit={() => step.submit({ params: { id }, body })}>
      <ErrorNotice error={step.error} fields={['reason', 'until']} />
      <p>{t(`text.${action}`, { name: employee.name, stage: evaluation.status })}</p>
      {asks && (
        <Reason action={action} text={reason} onChange={(text) => texts.set('reason', text)} error={errors['reason']} />
      )}
      {action === 'return' && (
        <DateField
          label={t('until')}
          description={t('untilReturn')}
          value={until}
          onChange={(day) => texts.set('until', day)}
          error={errors['until']}
        />
      )}
      <StepActions
        confirm={t(`confirm.${action}`)}
        isPending={step.isPending}
        isDestructive={destructive.includes(action)}
        onClose={onClose}
      />
    </DialogForm>
  );
}

type ReasonProps = {
  action: ReasonAction;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
};

/** The reason of the step; a dispute needs a longer text. */
function Reason({ action, text, onChange, error }: ReasonProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const isDispute = action === 'dispute';
  return (
    <Textarea
      label={t(isDispute ? 'disputeReason' : 'reason')}
      description={t(isDispute ? 'disputeHint' : 'reasonHint')}
      value={text}
      rows={4}
      required
      data-autofocus
      maxLength={isDispute ? 5_000 : 500}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
