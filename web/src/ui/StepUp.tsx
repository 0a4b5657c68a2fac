import { TextInput } from '@mantine/core';
import { stepUp, type BodyIn, type Refusal } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useEffect, useState, type ChangeEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { onStepUp } from '../api/step-up.ts';
import { Dialog, DialogForm, FormActions } from './Dialog.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { lazyPart } from './lazy-part.ts';
import { codeIn } from './code-in.ts';
import { PasswordField } from './PasswordField.tsx';

const OtherProofs = lazyPart(() => import('./passkeys/OtherProofs.tsx'), 'OtherProofs', 'passkeys');

type Proofs = NonNullable<Refusal['step_up']>;

/**
 * Asks for the password, a second factor or the provider when the service requires a confirmation. The refused request
 * then continues by itself, except after a provider, since the browser has left the page.
 */
export function StepUp() {
  const t = useTranslations('stepUp');
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  const [proofs, setProofs] = useState<Proofs>([]);
  useEffect(() => {
    let refuse = () => {};
    const remove = onStepUp(
      ({ refusal }) =>
        new Promise((resolve) => {
          setProofs(refusal.step_up ?? []);
          refuse = () => resolve(false);
          setAnswer(() => resolve);
        }),
    );
    return () => {
      remove();
      // the dialog is unmounted, so no one can answer
      refuse();
    };
  }, []);
  const close = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(undefined);
  };
  return (
    // above other dialogs, since one of them may have sent the refused request
    <Dialog title={t('title')} opened={answer !== undefined} onClose={() => close(false)} zIndex={300}>
      {proofs.includes('passkey') || proofs.includes('provider') ? (
        <Suspense>
          <OtherProofs proofs={proofs} onConfirmed={() => close(true)} onCancel={() => close(false)} />
        </Suspense>
      ) : (
        <Form byCode={proofs.includes('totp')} onConfirmed={() => close(true)} onCancel={() => close(false)} />
      )}
    </Dialog>
  );
}

type Props = { byCode: boolean; onConfirmed: () => void; onCancel: () => void };

function Form({ byCode, onConfirmed, onCancel }: Props) {
  const t = useTranslations('stepUp');
  const [typed, setTyped] = useState('');
  const { mutate, error, isPending } = useMutation<unknown, ApiError, BodyIn<typeof stepUp.prove>>({
    mutationFn: (body) => call(stepUp.prove, { body }),
    onSuccess: onConfirmed,
  });
  const errors = error?.fieldErrors ?? {};
  const field = {
    value: typed,
    'data-autofocus': true,
    error: errors['password'] ?? errors['code'] ?? errors['recovery_code'],
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => setTyped(currentTarget.value),
  };
  return (
    <DialogForm onSubmit={() => mutate(byCode ? codeIn(typed) : { password: typed })}>
      <p>{t(byCode ? 'codeText' : 'text')}</p>
      <ErrorNotice error={error} fields={['password', 'code', 'recovery_code']} />
      {byCode ? (
        <TextInput {...field} label={t('code')} autoComplete="one-time-code" maxLength={40} spellCheck={false} />
      ) : (
        <PasswordField {...field} label={t('password')} autoComplete="current-password" />
      )}
      <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('confirm')} loading={isPending} />
    </DialogForm>
  );
}
