import { Button, Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogActions, DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
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

/** A step that needs nothing but a yes, or a reason: what follows from it, and why it is taken. */
export function ReasonForm({ evaluation, action, onDone, onClose }: StepProps & { action: ReasonAction }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const [reason, setReason] = useState('');
  const [until, setUntil] = useState('');
  // every one of them takes the revision, and a reason where it is asked for
  const step = useStep(endpoints[action] as typeof evaluationSteps.return, onDone);
  const errors = step.error?.fieldErrors ?? {};
  const asks = !withoutReason.includes(action);
  const { id, revision, employee } = evaluation;
  const submit = () =>
    step.submit({
      params: { id },
      body: {
        ...(asks && { reason: reason.trim() }),
        ...(action === 'return' && { until: until || null }),
        revision,
      } as { reason: string; revision: number },
    });
  return (
    <DialogForm onSubmit={submit}>
      <ErrorNotice error={step.error} fields={['reason', 'until']} />
      <p>{t(`text.${action}`, { name: employee.name, stage: evaluation.status })}</p>
      {asks && (
        <Textarea
          label={t(action === 'dispute' ? 'disputeReason' : 'reason')}
          description={t(action === 'dispute' ? 'disputeHint' : 'reasonHint')}
          value={reason}
          rows={4}
          required
          data-autofocus
          maxLength={action === 'dispute' ? 5_000 : 500}
          error={errors['reason']}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
      {action === 'return' && (
        <DateField
          label={t('until')}
          description={t('untilReturn')}
          value={until}
          onChange={setUntil}
          error={errors['until']}
        />
      )}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={step.isPending} {...(destructive.includes(action) && { color: 'red' })}>
          {t(`confirm.${action}`)}
        </Button>
      </DialogActions>
    </DialogForm>
  );
}
