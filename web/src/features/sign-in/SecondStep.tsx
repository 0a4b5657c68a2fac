import { Button, TextInput } from '@mantine/core';
import { session } from '@tenure/contract';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { useSend } from '../../api/query.ts';
import { AccountForm } from './AccountForm.tsx';
import { SignInNotice, Wait } from './SignInNotice.tsx';

type Props = {
  onSignedIn: () => void;
  /** Begins anew with the password, with what the service says where it ended the sign-in. */
  onBack: (notice?: string) => void;
};

const kinds = {
  code: { label: 'code', lead: 'lead', other: 'useRecovery', autoComplete: 'one-time-code', inputMode: 'numeric' },
  recovery_code: {
    label: 'recoveryCode',
    lead: 'recoveryLead',
    other: 'useApp',
    autoComplete: 'off',
    inputMode: 'text',
  },
} as const;

/** The second step of a sign-in: a code of the authenticator app, or a recovery code in its place. */
export function SecondStep({ onSignedIn, onBack }: Props) {
  const t = useTranslations('secondStep');
  const tSignIn = useTranslations('signIn');
  const [kind, setKind] = useState<keyof typeof kinds>('code');
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const send = useSend(session.secondStep);
  const { label, lead, other, ...input } = kinds[kind];
  const { error } = send;
  const wait = error?.status === 429;
  const refused = ({ status, fieldErrors }: ApiError) => {
    if (fieldErrors['sign_in']) return onBack(fieldErrors['sign_in']);
    if (status !== 422) return;
    setTyped('');
    field.current?.focus();
  };
  const change = () => {
    send.reset();
    setTyped('');
    setKind(kind === 'code' ? 'recovery_code' : 'code');
    field.current?.focus();
  };
  const onSubmit: Parameters<typeof AccountForm>[0]['onSubmit'] = (event) => {
    event?.preventDefault();
    if (!send.isPending) send.mutate({ body: { [kind]: typed } }, { onSuccess: onSignedIn, onError: refused });
  };
  return (
    <AccountForm title={t('title')} lead={t(lead)} onSubmit={onSubmit}>
      {wait && <Wait key={error.retryAt} until={error.retryAt} onEnd={send.reset} />}
      {error && error.status !== 422 && !wait && (
        <SignInNotice>{tSignIn(error.status === 0 ? 'unreachable' : 'failed')}</SignInNotice>
      )}
      <TextInput
        {...input}
        ref={field}
        label={t(label)}
        value={typed}
        error={error?.status === 422 && error.fieldErrors[kind]}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        size="md"
        maxLength={40}
        spellCheck={false}
        autoCapitalize="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page
        autoFocus
      />
      <Button type="submit" size="md" fullWidth loading={send.isPending} disabled={wait}>
        {t('submit')}
      </Button>
      <Button variant="subtle" onClick={change}>
        {t(other)}
      </Button>
      <Button variant="subtle" color="gray" onClick={() => onBack()}>
        {t('back')}
      </Button>
      <p className="muted">{t('lost')}</p>
    </AccountForm>
  );
}
