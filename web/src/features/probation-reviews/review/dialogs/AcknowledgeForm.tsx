import { Switch, Textarea } from '@mantine/core';
import { probationSteps } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../../api/session.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { SignatureField } from '../../signature/SignatureField.tsx';
import { useSignature } from '../../signature/use-signature.ts';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { signatureFields } from './signature-fields.ts';
import { useStep, type StepProps } from './use-step.ts';

/** The employee acknowledges the result, with an optional comment and signature. */
export function AcknowledgeForm({ review, texts, onDone, onClose }: StepProps) {
  const t = useTranslations('probationSteps');
  const { user } = useSession();
  const [signs, setSigns] = useState(true);
  const signature = useSignature(user?.name ?? '');
  const step = useStep(probationSteps.acknowledge, onDone);
  const { id, revision } = review;
  const comment = texts.of('comment');
  const handleSubmit = () => {
    const taken = signs ? signature.submit() : undefined;
    if (signs && !taken) return;
    step.submit({
      params: { id },
      body: { comment: comment.trim() || null, ...(taken && { signature: taken }), revision },
    });
  };
  return (
    <DialogForm onSubmit={handleSubmit}>
      <StepError step={step} fields={[...signatureFields, 'comment']} />
      <p>{t('text.acknowledge')}</p>
      <Textarea
        label={t('comment')}
        value={comment}
        rows={3}
        maxLength={5_000}
        error={step.error?.fieldErrors['comment']}
        onChange={(event) => texts.set('comment', event.currentTarget.value)}
      />
      <Switch size="sm" label={t('signToo')} checked={signs} onChange={() => setSigns(!signs)} />
      {signs && (
        <SignatureField signature={signature} errors={step.error?.fieldErrors ?? {}} attest={t('attest.result')} />
      )}
      <StepActions confirm={t('confirm.acknowledge')} step={step} onClose={onClose} />
    </DialogForm>
  );
}
