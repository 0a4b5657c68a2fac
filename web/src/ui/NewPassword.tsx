import { Flex } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { profile, type Reply } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';
import { PasswordField } from './PasswordField.tsx';
import { metRules, passwordRules } from './password-rules.ts';

const fields = ['current_password', 'password', 'password_confirmation'] as const;
const empty = { current_password: '', password: '', password_confirmation: '' };

/**
 * The state of a form to change a password: current one, new one twice, and the service's messages. `current` is the
 * current password, if it is known.
 */
export function useNewPassword(onSaved: (reply: Reply<typeof profile.changePassword>) => void, current = '') {
  const t = useTranslations('newPassword');
  const send = useSend(profile.changePassword, { alone: true });
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { ...empty, current_password: current },
    validate: { password_confirmation: (value, { password }) => (value === password ? null : t('different')) },
  });
  const save = (body: typeof empty) =>
    send.mutate(
      { body },
      {
        onSuccess: (reply) => {
          form.reset();
          onSaved(reply);
        },
        onError: (error) => {
          form.setErrors(error.fieldErrors);
          const first = fields.find((field) => field in error.fieldErrors);
          if (first) form.getInputNode(first)?.focus();
        },
      },
    );
  return { form, error: send.error, isPending: send.isPending, onSubmit: form.onSubmit(save) };
}

type Props = Pick<ReturnType<typeof useNewPassword>, 'form' | 'error'> & {
  /** The label of the current password; without it, the field is omitted. */
  current?: string;
  size?: 'sm' | 'md';
};

/** The fields of a new password with its rules, each ticked while typing. */
export function NewPasswordFields({ form, error, current, size = 'md' }: Props) {
  const t = useTranslations('newPassword');
  const { user } = useSession();
  const [typed, setTyped] = useState('');
  form.watch('password', ({ value }) => setTyped(value));
  const field = (name: (typeof fields)[number], label: string) => (
    <PasswordField
      key={form.key(name)}
      {...form.getInputProps(name)}
      label={label}
      size={size}
      autoComplete={name === 'current_password' ? 'current-password' : 'new-password'}
    />
  );
  return (
    <>
      <ErrorNotice error={error} fields={fields} />
      {/* Password managers store the new password under this name. */}
      <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      {current !== undefined && field('current_password', current)}
      {field('password', t('password'))}
      <PasswordRules password={typed} />
      {field('password_confirmation', t('confirmation'))}
    </>
  );
}

/** The rules of a password, each ticked once it is met. */
export function PasswordRules({ password }: { password: string }) {
  const t = useTranslations('newPassword');
  const met = metRules(password);
  return (
    <div>
      <p className="muted">{t('rules')}</p>
      <Flex component="ul" direction="column" gap={6} fz="sm">
        {passwordRules.map((rule) => (
          <Flex component="li" key={rule} align="center" gap={8} c={met.has(rule) ? 'var(--good-fg)' : 'var(--ink-2)'}>
            {met.has(rule) ? <IconCheck size={16} aria-hidden /> : <IconCircle size={16} aria-hidden />}
            <span>
              <span className="visually-hidden">{t(met.has(rule) ? 'met' : 'open')} </span>
              {t(`rule.${rule}`)}
            </span>
          </Flex>
        ))}
      </Flex>
    </div>
  );
}
