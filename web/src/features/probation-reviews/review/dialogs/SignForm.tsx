import { probationSignatures, probationSteps } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../../api/session.tsx';
import { DialogForm } from '../../../../ui/Dialog.tsx';
import { Moment } from '../../../../ui/Dates.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { SignatureField } from '../../signature/SignatureField.tsx';
import { useSignature } from '../../signature/use-signature.ts';
import { gapsOf } from '../gaps.ts';
import { isWriting } from '../values.ts';
import { CriteriaErrors } from './CriteriaErrors.tsx';
import { fieldOfCriterion } from './criterion-field.ts';
import { Gaps } from './Gaps.tsx';
import { StepActions } from './StepActions.tsx';
import { StepError } from './StepError.tsx';
import { signatureFields } from './signature-fields.ts';
import { useStep, type StepProps } from './use-step.ts';

type Props = StepProps & { action: 'submit' | 'signatures' };

/** Signs the current state, and submits the review if that is the step. Missing input is listed first. */
export function SignForm(props: Props) {
  const gaps = isWriting(props.review) ? gapsOf(props.review) : [];
  return gaps.length > 0 ? <Gaps gaps={gaps} onClose={props.onClose} /> : <Sign {...props} />;
}

/** A valid signature is not requested again. */
function Sign({ review, action, onDone, onClose }: Props) {
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
  const handleSubmit = () => {
    if (given) return submit.submit({ params: { id }, body: { revision } });
    const taken = signature.submit();
    if (!taken) return undefined;
    return action === 'submit'
      ? submit.submit({ params: { id }, body: { signature: taken, revision } })
      : sign.submit({ params: { id }, body: { ...taken, revision } });
  };
  return (
    <DialogForm onSubmit={handleSubmit}>
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
