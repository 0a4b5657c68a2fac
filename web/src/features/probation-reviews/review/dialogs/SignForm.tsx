import { probationSignatures, probationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../../api/session.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { Moment } from '../../../../ui/Dates.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { SignatureField } from '../../signature/SignatureField.tsx';
import { useSignature } from '../../signature/use-signature.ts';
import { CriteriaErrors } from './CriteriaErrors.tsx';
import { fieldOfCriterion } from './criterion-field.ts';
import type { StepProps } from './DialogsPart.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { signatureFields } from './signature-fields.ts';
import { useStep } from './use-step.ts';

/** Signs what stands there, and hands it in where that is the step. A signature that still counts is not asked twice. */
export function SignForm({ review, action, onDone, onClose }: StepProps & { action: 'submit' | 'signatures' }) {
  const t = useTranslations('probationSteps');
  const { user } = useSession();
  const signature = useSignature(user?.name ?? '');
  const submit = useStep(probationSteps.submit, onDone);
  const sign = useStep(probationSignatures.sign, onDone);
  const { id, revision, employee } = review;
  const step = action === 'submit' ? submit : sign;
  const errors = step.error?.fieldErrors ?? {};
  const given =
    action === 'submit'
      ? review.signatures?.find(({ role, valid, round }) => role === 'manager' && valid && round === review.round)
      : undefined;
  const take = () => {
    if (given) return submit.take({ params: { id }, body: { revision } });
    const taken = signature.take();
    if (!taken) return undefined;
    return action === 'submit'
      ? submit.take({ params: { id }, body: { signature: taken, revision } })
      : sign.take({ params: { id }, body: { ...taken, revision } });
  };
  return (
    <DialogForm onSubmit={take}>
      <StepError step={step} fields={[...signatureFields, ...Object.keys(errors).filter(fieldOfCriterion)]} />
      <CriteriaErrors review={review} errors={errors} />
      <p>{t(`text.${action}`, { name: employee.name })}</p>
      {given ? (
        <Notice>
          {t('signedAlready')} <Moment value={given.signed_at} />
        </Notice>
      ) : (
        <SignatureField signature={signature} errors={errors} attest={t('attest.assessment')} />
      )}
      <StepActions confirm={t(`confirm.${action}`)} step={step} onClose={onClose} />
    </DialogForm>
  );
}
