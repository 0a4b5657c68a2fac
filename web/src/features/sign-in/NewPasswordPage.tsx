import { Button, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCheck, IconCircle } from '@tabler/icons-react';
import { profile } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { sessionQuery, useSession } from '../../api/session.tsx';
import { useSignOut } from '../../api/sign-out.ts';
import { paths } from '../../paths.ts';
import { Brand } from '../../ui/Brand.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { metRules, passwordRules } from './password-rules.ts';
import { safeNext } from './safe-next.ts';
import classes from './SignInPage.module.css';

const route = getRouteApi('/new-password');
const fields = ['current_password', 'password', 'password_confirmation'] as const;

/** Changing the own password; the only screen there is as long as a one-time password is in use. */
export function NewPasswordPage() {
  const t = useTranslations('newPassword');
  usePageTitle(t('title'));
  const { user } = useSession();
  const signOut = useSignOut();
  const forced = user?.must_change_password === true;
  const { form, send, save } = useNewPassword(t('different'));
  const [typed, setTyped] = useState('');
  form.watch('password', ({ value }) => setTyped(value));
  return (
    <main className={`${classes['page']} ${classes['single']}`}>
      <div className={classes['main']}>
        <form className={classes['form']} noValidate onSubmit={form.onSubmit(save)}>
          <div>
            <Brand size={36} plain />
            <Title order={1} className={classes['title']}>
              {t('title')}
            </Title>
            {forced && <p className="muted">{t('lead')}</p>}
          </div>
          <ErrorNotice error={send.error} fields={fields} />
          {/* Password managers store the new password under this name. */}
          <input type="email" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordField
            key={form.key('current_password')}
            {...form.getInputProps('current_password')}
            label={t(forced ? 'current' : 'currentOwn')}
            autoComplete="current-password"
          />
          <PasswordField
            key={form.key('password')}
            {...form.getInputProps('password')}
            label={t('password')}
            autoComplete="new-password"
          />
          <Rules password={typed} />
          <PasswordField
            key={form.key('password_confirmation')}
            {...form.getInputProps('password_confirmation')}
            label={t('confirmation')}
            autoComplete="new-password"
          />
          <Button type="submit" size="md" fullWidth loading={send.isPending}>
            {t('submit')}
          </Button>
          {forced ? (
            <Button variant="subtle" color="gray" onClick={() => signOut.mutate()}>
              {t('signOut')}
            </Button>
          ) : (
            <Button component={Link} to={paths.home} variant="subtle" color="gray">
              {t('back')}
            </Button>
          )}
        </form>
      </div>
    </main>
  );
}

function Rules({ password }: { password: string }) {
  const t = useTranslations('newPassword');
  const met = metRules(password);
  return (
    <div>
      <p className="muted">{t('rules')}</p>
      <ul className={classes['rules']}>
        {passwordRules.map((rule) => (
          <li key={rule} data-met={met.has(rule) || undefined}>
            {met.has(rule) ? <IconCheck size={16} aria-hidden /> : <IconCircle size={16} aria-hidden />}
            <span>
              <span className="visually-hidden">{t(met.has(rule) ? 'met' : 'open')} </span>
              {t(`rule.${rule}`)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function useNewPassword(differentMessage: string) {
  const { next } = route.useSearch();
  const queries = useQueryClient();
  const router = useRouter();
  const send = useSend(profile.changePassword);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { current_password: '', password: '', password_confirmation: '' },
    validate: {
      password_confirmation: (value, { password }) => (value === password ? null : differentMessage),
    },
  });
  const saved = async () => {
    await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(safeNext(next));
  };
  const save = (body: typeof form.values) =>
    send.mutate(
      { body },
      {
        onSuccess: () => void saved(),
        onError: (error) => {
          form.setErrors(error.fieldErrors);
          const first = fields.find((field) => field in error.fieldErrors);
          if (first) form.getInputNode(first)?.focus();
        },
      },
    );
  return { form, send, save };
}
