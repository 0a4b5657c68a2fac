import { stepUp, type BodyIn } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { onStepUp } from '../api/step-up.ts';
import { Dialog, DialogForm, FormActions } from '../ui/Dialog.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';

/** Asks for the password when the service wants a confirmation; the request that was refused then goes on by itself. */
export function StepUp() {
  const t = useTranslations('stepUp');
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>();
  useEffect(() => {
    let refuse = () => {};
    const remove = onStepUp(
      () =>
        new Promise((resolve) => {
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
      <PasswordForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Dialog>
  );
}

function PasswordForm({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const t = useTranslations('stepUp');
  const [password, setPassword] = useState('');
  const { mutate, error, isPending } = useMutation<unknown, ApiError, BodyIn<typeof stepUp.prove>>({
    mutationFn: (body) => call(stepUp.prove, { body }),
    onSuccess: onConfirmed,
  });
  return (
    <DialogForm onSubmit={() => mutate({ password })}>
      <p>{t('text')}</p>
      <ErrorNotice error={error} fields={['password']} />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        data-autofocus
        value={password}
        error={error?.fieldErrors['password']}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('confirm')} loading={isPending} />
    </DialogForm>
  );
}
