import { Alert, Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { session } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { startPage } from '../../api/preferences.ts';
import { sessionQuery } from '../../api/session.tsx';
import { announceUser } from '../../api/tabs.ts';
import { useSend } from '../../api/query.ts';
import { removeDrafts } from '../../ui/drafts.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { useSecondsUntil } from '../../ui/use-seconds-until.ts';
import { AccountForm } from './AccountForm.tsx';
import { keepOneTime } from './one-time.ts';
import { rememberedEmail, rememberEmail } from './remembered-email.ts';
import { LanguageChoice } from './LanguageChoice.tsx';
import { safeNext } from './safe-next.ts';
import classes from './SignInPage.module.css';
import { TreeArt } from './TreeArt.tsx';
import { tints } from '../../ui/alert-tints.ts';

const route = getRouteApi('/login');

export function SignInPage() {
  const t = useTranslations('signIn');
  return (
    <div className={classes['page']}>
      <div className={classes['art']} aria-hidden>
        <TreeArt className={classes['tree']} />
        <p className={classes['pitch']}>{t('pitch')}</p>
        <p className={classes['pitchLead']}>{t('pitchLead')}</p>
      </div>
      <main className={classes['main']}>
        <SignInForm />
        <LanguageChoice />
      </main>
    </div>
  );
}

function SignInForm() {
  const t = useTranslations('signIn');
  const { next, expired } = route.useSearch();
  const { pending, refusal, signIn, form, forget } = useSignIn(next);
  const { email } = form.getInitialValues();
  const wait = refusal?.status === 429;
  const fault = refusal && refusal.status !== 422 && !wait;
  return (
    <AccountForm title={t('title')} lead={t('lead')} onSubmit={form.onSubmit(signIn)}>
      {expired && !refusal && <Notice>{t('expired')}</Notice>}
      {wait && <Wait key={refusal.retryAt} until={refusal.retryAt} onEnd={forget} />}
      {fault && <Notice>{t(refusal.status === 0 ? 'unreachable' : 'failed')}</Notice>}
      <TextInput
        key={form.key('email')}
        {...form.getInputProps('email')}
        label={t('email')}
        type="email"
        autoComplete="username"
        size="md"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page
        autoFocus={email === ''}
      />
      <PasswordField
        key={form.key('password')}
        {...form.getInputProps('password')}
        label={t('password')}
        autoComplete="current-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the email is filled in already
        autoFocus={email !== ''}
      />
      <Checkbox
        key={form.key('remember')}
        {...form.getInputProps('remember', { type: 'checkbox' })}
        label={t('remember')}
      />
      <Button type="submit" size="md" fullWidth loading={pending} disabled={wait}>
        {t('submit')}
      </Button>
      <p className="muted">{t('forgot')}</p>
    </AccountForm>
  );
}

const Notice = ({ children }: { children: string }) => (
  <output>
    <Alert styles={tints.warning} color="gray" icon={<IconInfoCircle size={18} />} role="presentation">
      {children}
    </Alert>
  </output>
);

function Wait({ until, onEnd }: { until: number; onEnd: () => void }) {
  const t = useTranslations('signIn');
  const seconds = useSecondsUntil(until);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    if (seconds === 0) ended();
  }, [seconds]);
  return <Notice>{t('wait', { seconds })}</Notice>;
}

function useSignIn(next: string | undefined) {
  const queries = useQueryClient();
  const router = useRouter();
  const login = useSend(session.login);
  const [refusal, setRefusal] = useState<ApiError>();
  const [firstValues] = useState(() => ({
    email: rememberedEmail(),
    password: '',
    remember: rememberedEmail() !== '',
  }));
  const form = useForm({ mode: 'uncontrolled', initialValues: firstValues });

  const refused = (error: ApiError) => {
    setRefusal(error);
    if (error.status !== 422) return;
    form.setErrors(error.fieldErrors);
    form.getInputNode('email' in error.fieldErrors ? 'email' : 'password')?.focus();
  };
  const signedIn = async ({ email, password, remember }: typeof firstValues) => {
    rememberEmail(remember ? email : null);
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    const me = await queries.fetchQuery(sessionQuery);
    if (me?.user.must_change_password) keepOneTime(password);
    announceUser(me?.user.id ?? null);
    removeDrafts(me?.user.id);
    const own = next === undefined && me && !me.user.must_change_password ? await startPage(queries) : next;
    router.history.push(safeNext(own));
  };
  const signIn = (values: typeof firstValues) => {
    const { remember: _remember, ...body } = values;
    setRefusal(undefined);
    login.mutate({ body }, { onSuccess: () => void signedIn(values).catch(refused), onError: refused });
  };
  return { pending: login.isPending, refusal, signIn, form, forget: () => setRefusal(undefined) };
}
