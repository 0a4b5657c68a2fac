import { Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep, type StepProps } from './use-step.ts';

const endpoints = {
  recall: probationSteps.recall,
  'send-back': probationSteps.sendBack,
  cancel: probationSteps.cancel,
  delete: probationSteps.delete,
} as const;
type ReasonAction = keyof typeof endpoints;

/** The dialog of a step whose only input is a reason: consequences, reason and button. */
export function ReasonForm({ review, action, texts, onDone, onClose }: StepProps & { action: ReasonAction }) {
  const t = useTranslations('probationSteps');
  // each of these endpoints takes the revision and a reason, except the last, which has no body
  const step = useStep(endpoints[action] as typeof probationSteps.cancel, onDone);
  const asks = action !== 'delete';
  const isNeeded = action !== 'recall';
  const { id, revision, employee, reviewer } = review;
  const reason = texts.of('reason');
  const text = reason.trim();
  const body = asks ? { reason: isNeeded ? text : text || null, revision } : undefined;
  const submit = () => step.submit({ params: { id }, body: body as { reason: string; revision: number } });
  return (
    <DialogForm onSubmit={submit}>
      <StepError step={step} fields={['reason']} />
      <p>{t(`text.${action}`, { name: employee.name, reviewer: reviewer?.name ?? t('nobody') })}</p>
      {asks && (
        <Textarea
          label={t(isNeeded ? 'reason' : 'reasonMaybe')}
          {...(isNeeded && { description: t('reasonHint') })}
          value={reason}
          rows={4}
          required={isNeeded}
          data-autofocus
          maxLength={500}
          error={step.error?.fieldErrors['reason']}
          onChange={(event) => texts.set('reason', event.currentTarget.value)}
        />
      )}
      <StepActions
        confirm={t(`confirm.${action}`)}
        step={step}
        isDestructive={action === 'cancel' || action === 'delete'}
        onClose={onClose}
      />
    </DialogForm>
  );
}
