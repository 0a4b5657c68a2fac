import { TextInput } from '@mantine/core';
import { stepUp, type BodyIn } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ChangeEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { onStepUp } from '../api/step-up.ts';
import { Dialog, DialogForm, FormActions } from '../ui/Dialog.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

/** Asks for the password, or for a code of the second factor, when the service wants a confirmation; the request that was refused then goes on by itself. */
export function StepUp() {
  const t = useTranslations('stepUp');
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  const [byCode, setByCode] = useState(false);
  useEffect(() => {
    let refuse = () => {};
    const remove = onStepUp(
      ({ refusal }) =>
        new Promise((resolve) => {
          setByCode(refusal.step_up?.includes('totp') === true);
          refuse = () => resolve(false);
          setAnswer(() => resolve);
        }),
    );
    return () => {
      remove();
      // the page is gone, and with it who would answer
      refuse();
    };
  }, []);
  const close = (isConfirmed: boolean) => {
    answer?.(isConfirmed);
    setAnswer(undefined);
  };
  return (
    <Dialog title={t('title')} opened={answer !== undefined} onClose={() => close(false)}>
      <Form byCode={byCode} onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}

type Props = { byCode: boolean; onConfirmed: () => void; onCancel: () => void };

/** What was typed is a code of the app where it has only its digits, else a recovery code. */
const codeIn = (typed: string) => (/^[\d\s]*$/.test(typed) ? { code: typed } : { recovery_code: typed });

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
