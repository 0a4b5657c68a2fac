import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { session, type Reply } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { startPage } from '../../api/preferences.ts';
import { sessionQuery } from '../../api/session.tsx';
import { announceUser } from '../../api/tabs.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { removeDrafts } from '../../ui/drafts.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { keepOneTime } from './one-time.ts';
import { rememberedEmail, rememberEmail } from './remembered-email.ts';
import { LanguageChoice } from './LanguageChoice.tsx';
import { offersResets } from './offers-resets.ts';
import { safeNext } from './safe-next.ts';
import { SignInNotice, Wait } from './SignInNotice.tsx';
import classes from './SignInPage.module.css';
import { TreeArt } from './TreeArt.tsx';

const route = getRouteApi('/login');
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep', 'second-step');

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
  const { pending, refusal, notice, signIn, form, forget, secondStep } = useSignIn(next);
  const { email } = form.getInitialValues();
  const wait = refusal?.status === 429;
  const fault = refusal && refusal.status !== 422 && !wait;
  if (secondStep)
    return (
      <Suspense>
        <SecondStep {...secondStep} />
      </Suspense>
    );
  return (
    <AccountForm title={t('title')} lead={t('lead')} onSubmit={form.onSubmit(signIn)}>
      {expired && !refusal && <SignInNotice>{t('expired')}</SignInNotice>}
      {notice && <SignInNotice>{notice}</SignInNotice>}
      {wait && <Wait key={refusal.retryAt} until={refusal.retryAt} onEnd={forget} />}
      {fault && <SignInNotice>{t(refusal.status === 0 ? 'unreachable' : 'failed')}</SignInNotice>}
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
      {offersResets() ? <Link to={paths.forgot}>{t('forgotLink')}</Link> : <p className="muted">{t('forgot')}</p>}
    </AccountForm>
  );
}

type FirstStep = { email: string; password: string; remember: boolean };

function useSignIn(next: string | undefined) {
  const queries = useQueryClient();
  const router = useRouter();
  const login = useSend(session.login);
  const [refusal, setRefusal] = useState<ApiError>();
  /** What was typed, while the second step is asked for. */
  const [typed, setTyped] = useState<FirstStep>();
  const [notice, setNotice] = useState<string>();
  const [firstValues] = useState(() => ({
    email: rememberedEmail(),
    password: '',
    remember: rememberedEmail() !== '',
  }));
  const form = useForm({ mode: 'uncontrolled', initialValues: firstValues });

  const refused = (error: ApiError) => {
    setTyped(undefined);
    setRefusal(error);
    if (error.status !== 422) return;
    form.setErrors(error.fieldErrors);
    form.getInputNode('email' in error.fieldErrors ? 'email' : 'password')?.focus();
  };
  const signedIn = async ({ email, password, remember }: FirstStep) => {
    rememberEmail(remember ? email : null);
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    const me = await queries.fetchQuery(sessionQuery);
    if (me?.user.must_change_password) keepOneTime(password);
    announceUser(me?.user.id ?? null);
    removeDrafts(me?.user.id);
    const own = next === undefined && me && !me.user.must_change_password ? await startPage(queries) : next;
    router.history.push(safeNext(own));
  };
  const signIn = (values: FirstStep) => {
    const { remember: _remember, ...body } = values;
    setRefusal(undefined);
    setNotice(undefined);
    const goOn = ({ two_factor }: Reply<typeof session.login>) =>
      two_factor ? setTyped(values) : void signedIn(values).catch(refused);
    login.mutate({ body }, { onSuccess: goOn, onError: refused });
  };
  const secondStep = typed && {
    onSignedIn: () => void signedIn(typed).catch(refused),
    onBack: (said?: string) => {
      setTyped(undefined);
      setNotice(said);
    },
  };
  return { pending: login.isPending, refusal, notice, signIn, form, forget: () => setRefusal(undefined), secondStep };
}
