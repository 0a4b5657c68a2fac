import { Textarea } from '@mantine/core';
import { evaluationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Segments } from '../../../../ui/Segments.tsx';
import { SignedSheet } from '../../../../workflow/SignedSheet.tsx';
import { StepActions } from './StepActions.tsx';
import { useStep, type StepProps } from './use-step.ts';

const outcomes = ['accepted', 'disputed'] as const;
const named = ['talked_on', 'outcome', 'reason', 'file'];

/** Records the answer of an employee without a sign-in: the day of the meeting, the answer and the signed sheet. */
export function RecordAnswerForm({ evaluation: { id, revision, employee }, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('kpiEvaluationDialogs');
  const step = useStep(evaluationSteps.recordAnswer, onDone);
  const [file, setFile] = useState<File>();
  const errors = step.error?.fieldErrors ?? {};
  const outcome = outcomes.find((one) => one === texts.of('outcome'));
  const body = {
    talked_on: texts.of('talked_on'),
    outcome: outcome as (typeof outcomes)[number],
    ...(outcome === 'disputed' && { reason: texts.of('reason').trim() }),
    revision,
  };
  return (
    <DialogForm onSubmit={() => step.submit({ params: { id }, body, ...(file && { file }) })}>
      <ErrorNotice error={step.error} fields={named} />
      <p>{t('text.record-answer', { name: employee.name, stage: 'pending_acceptance' })}</p>
      <DateField
        label={t('talkedOn')}
        value={texts.of('talked_on')}
        required
        error={errors['talked_on']}
        onChange={(day) => texts.set('talked_on', day)}
      />
      <Segments
        label={t('outcome')}
        required
        choices={outcomes.map((value) => ({ value, label: t(`outcomeIs.${value}`) }))}
        value={outcome ?? ''}
        error={errors['outcome']}
        onChange={(value) => texts.set('outcome', value)}
      />
      {outcome === 'disputed' && (
        <Textarea
          label={t('disputeReason')}
          description={t('disputeHint')}
          value={texts.of('reason')}
          rows={4}
          required
          maxLength={5_000}
          error={errors['reason']}
          onChange={(event) => texts.set('reason', event.currentTarget.value)}
        />
      )}
      <SignedSheet
        label={t('sheet')}
        hint={(limits) => t('sheetHint', limits)}
        file={file}
        error={step.error}
        onFile={setFile}
      />
      <StepActions confirm={t('confirm.record-answer')} isPending={step.isPending} onClose={onClose} />
    </DialogForm>
  );
}
