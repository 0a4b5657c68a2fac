import { Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DateField } from '../../../../ui/DateField.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { SignedSheet } from '../../../../workflow/SignedSheet.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { useStep, type StepProps } from './use-step.ts';

const named = ['talked_on', 'comment', 'file'];

/** Records that an employee without a sign-in has read the result: the day of the meeting and the signed sheet. */
export function RecordAcknowledgementForm({ review, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const step = useStep(probationSteps.recordAcknowledgement, onDone);
  const [file, setFile] = useState<File>();
  const errors = step.error?.fieldErrors ?? {};
  const { id, revision, employee } = review;
  const comment = texts.of('comment').trim();
  const body = { talked_on: texts.of('talked_on'), ...(comment !== '' && { comment }), revision };
  return (
    <DialogForm onSubmit={() => step.submit({ params: { id }, body, ...(file && { file }) })}>
      <StepError step={step} fields={named} />
      <p>{t('text.record-acknowledgement', { name: employee.name })}</p>
      <DateField
        label={t('talkedOn')}
        value={texts.of('talked_on')}
        required
        error={errors['talked_on']}
        onChange={(day) => texts.set('talked_on', day)}
      />
      <SignedSheet
        label={t('sheet')}
        hint={(limits) => t('sheetHint', limits)}
        file={file}
        error={step.error}
        onFile={setFile}
      />
      <Textarea
        label={t('sheetComment')}
        description={t('sheetCommentHint')}
        value={texts.of('comment')}
        rows={3}
        maxLength={5_000}
        error={errors['comment']}
        onChange={(event) => texts.set('comment', event.currentTarget.value)}
      />
      <StepActions confirm={t('confirm.record-acknowledgement')} step={step} onClose={onClose} />
    </DialogForm>
  );
}
