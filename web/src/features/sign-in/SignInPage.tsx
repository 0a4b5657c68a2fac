import { Button, Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { session, sso, type Reply } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { rememberedEmail, rememberEmail } from './remembered-email.ts';
import { LanguageChoice } from './LanguageChoice.tsx';
import { offersResets } from './offers-resets.ts';
import { SignInNotice, Wait } from './SignInNotice.tsx';
import { useEnter } from './use-enter.ts';
import { useWays } from './use-ways.ts';
import classes from './SignInPage.module.css';
import { TreeArt } from './TreeArt.tsx';

const route = getRouteApi('/login');
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep', 'second-step', 'passkeys');
const SsoWays = lazyPart(() => import('./SsoWays.tsx'), 'SsoWays');

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
  const { next, expired } = route.useSearch();
  const { secondStep, ...first } = useSignIn(next);
  if (secondStep)
    return (
      <Suspense>
        <SecondStep {...secondStep} />
      </Suspense>
    );
  return <FirstStep {...first} next={next} expired={expired} />;
}

type FirstStepProps = Omit<ReturnType<typeof useSignIn>, 'secondStep'> & {
  next: string | undefined;
  expired: boolean | undefined;
};

function FirstStep({ next, expired, refusal, notice, form, pending, asksFirst, offer, ...props }: FirstStepProps) {
  const t = useTranslations('signIn');
  const { email } = form.getInitialValues();
  const wait = refusal?.status === 429;
  const fault = refusal && refusal.status !== 422 && !wait;
  const { passkey, providers, onStart, onPassword, onSubmit, clear } = props;
  return (
    <AccountForm title={t('title')} lead={t('lead')} onSubmit={onSubmit}>
      {expired && !refusal && <SignInNotice>{t('expired')}</SignInNotice>}
      {notice && <SignInNotice>{notice}</SignInNotice>}
      {wait && <Wait key={refusal.retryAt} until={refusal.retryAt} onEnd={clear} />}
      {fault && <SignInNotice>{t(refusal.status === 0 ? 'unreachable' : 'failed')}</SignInNotice>}
      <TextInput
        key={form.key('email')}
        {...form.getInputProps('email')}
        label={t('email')}
        type="email"
        autoComplete="username webauthn"
        size="md"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page
        autoFocus={email === '' || asksFirst}
      />
      {!asksFirst && !offer && (
        <PasswordField
          key={form.key('password')}
          {...form.getInputProps('password')}
          label={t('password')}
          autoComplete="current-password"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the email is filled in already
          autoFocus={form.getValues().email !== ''}
        />
      )}
      <Checkbox
        key={form.key('remember')}
        {...form.getInputProps('remember', { type: 'checkbox' })}
        label={t('remember')}
      />
      {!offer && (
        <Button type="submit" size="md" fullWidth loading={pending} disabled={wait}>
          {t(asksFirst ? 'next' : 'submit')}
        </Button>
      )}
      {(offer || passkey || providers.length > 0) && (
        <Suspense>
          <SsoWays {...{ offer, passkey, providers, next, pending, onStart, onPassword }} />
        </Suspense>
      )}
      {!asksFirst && !offer && <Forgotten />}
    </AccountForm>
  );
}

function Forgotten() {
  const t = useTranslations('signIn');
  return offersResets() ? <Link to={paths.forgot}>{t('forgotLink')}</Link> : <p className="muted">{t('forgot')}</p>;
}

function useSignIn(next: string | undefined) {
  const enter = useEnter();
  const login = useSend(session.login, { alone: true });
  const { refusal, setRefusal, refused, form } = useCredentials();
  /** The accepted input while the second step is open. */
  const [typed, setTyped] = useState<Credentials>();
  const [notice, setNotice] = useState<string>();
  const fail = (error: ApiError) => {
    setTyped(undefined);
    refused(error);
  };
  const signedIn = ({ email, password, remember }: Credentials) => {
    rememberEmail(remember ? email : null);
    enter({ next, password }).catch(fail);
  };
  const signIn = (values: Credentials) => {
    const { remember: _remember, ...body } = values;
    const goOn = ({ two_factor }: Reply<typeof session.login>) => (two_factor ? setTyped(values) : signedIn(values));
    login.mutate({ body }, { onSuccess: goOn, onError: fail });
  };
  const { ask, isAsking, ...ways } = useOffer(form, fail);
  const submit = (values: Credentials) => {
    setRefusal(undefined);
    setNotice(undefined);
    if (ways.asksFirst || ways.offer) ask(values);
    else signIn(values);
  };
  const secondStep = typed && {
    onSignedIn: () => signedIn(typed),
    onBack: (said?: string) => {
      setTyped(undefined);
      setNotice(said);
    },
  };
  const pending = login.isPending || isAsking;
  const onSubmit = form.onSubmit(submit);
  return { ...ways, pending, refusal, notice, form, onSubmit, clear: () => setRefusal(undefined), secondStep };
}

type Credentials = { email: string; password: string; remember: boolean };
type CredentialsForm = ReturnType<typeof useCredentials>['form'];

function useCredentials() {
  const [refusal, setRefusal] = useState<ApiError>();
  const [initialValues] = useState<Credentials>(() => ({
    email: rememberedEmail(),
    password: '',
    remember: rememberedEmail() !== '',
  }));
  const form = useForm({ mode: 'uncontrolled', initialValues });
  const refused = (error: ApiError) => {
    setRefusal(error);
    if (error.status !== 422) return;
    form.setErrors(error.fieldErrors);
    form.getInputNode('email' in error.fieldErrors ? 'email' : 'password')?.focus();
  };
  return { refusal, setRefusal, refused, form };
}

type Answer = Reply<typeof sso.options>['data'];

/** Asks for the address first if that leads some people to a provider; then shows what is offered for this address. */
function useOffer(form: CredentialsForm, refused: (error: ApiError) => void) {
  const { by_address, passkey, providers } = useWays();
  const [answer, setAnswer] = useState<Answer | 'password'>();
  const asking = useMutation<Reply<typeof sso.options>, ApiError, string>({
    mutationFn: (email) => call(sso.options, { body: { email } }),
    onSuccess: ({ data }) => setAnswer(data),
    onError: refused,
  });
  form.watch('email', () => {
    // another address may lead to another provider
    if (answer === undefined || answer === 'password') return;
    form.setFieldValue('password', '');
    setAnswer(undefined);
  });
  const offered = answer === undefined || answer === 'password' ? null : answer;
  return {
    passkey,
    providers,
    // a password typed before the service answered is kept
    asksFirst: by_address && answer === undefined && form.getValues().password === '',
    offer: offered?.provider ? { provider: offered.provider, password: offered.password } : undefined,
    ask: ({ email }: Credentials) => asking.mutate(email),
    isAsking: asking.isPending,
    onStart: () => rememberEmail(form.getValues().remember ? form.getValues().email : null),
    onPassword: () => setAnswer('password'),
  };
}
