import { Button, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react';
import { accountLinks, type AccountLink, type Reply } from '@tenure/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call, type Input } from '../../api/call.ts';
import { load } from '../../api/query.ts';
import { sessionQuery } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { Message } from '../../ui/Message.tsx';
import { PasswordRules } from '../../ui/NewPassword.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { AccountForm } from './AccountForm.tsx';
import { LanguageChoice } from './LanguageChoice.tsx';
import type { Proof } from './SecondStep.tsx';
import classes from './SignInPage.module.css';

const fields = ['password', 'password_confirmation'] as const;

const AddressLink = lazyPart(() => import('./AddressLink.tsx'), 'AddressLink');
const SecondStep = lazyPart(() => import('./SecondStep.tsx'), 'SecondStep', 'second-step', 'passkeys');

/** The target of a mailed link: sets a password without the old one, or confirms or cancels a new sign-in address. */
export function ResetPage() {
  const token = useToken();
  const [done, setDone] = useState<Purpose>();
  return (
    <div className={`${classes['page']} ${classes['single']}`}>
      <main className={classes['main']}>
        {done ? (
          <Done purpose={done} />
        ) : token === '' ? (
          <Dead what="incomplete" />
        ) : (
          <Choose token={token} onDone={setDone} />
        )}
        <LanguageChoice />
      </main>
    </div>
  );
}

/** The token of the URL fragment, which is removed from the address and the history. */
function useToken(): string {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const [token, setToken] = useState(hash);
  const navigate = useNavigate();
  // another link in the same tab changes only the fragment
  if (hash !== '' && hash !== token) setToken(hash);
  useEffect(() => {
    if (hash !== '') void navigate({ to: '.', hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

function Choose({ token, onDone }: { token: string; onDone: (purpose: Purpose) => void }) {
  const t = useTranslations('resetPassword');
  const link = useQuery({ ...load(accountLinks.check, { body: { token } }), retry: false, staleTime: Infinity });
  const [isDead, setDead] = useState(false);
  if (isDead || link.error?.status === 422) return <Dead what="dead" />;
  if (link.error)
    return (
      <Stack gap={18} w="100%" maw={372}>
        <Title order={1} mt={16} mb={4} fz={26}>
          {t('unreachable')}
        </Title>
        <ErrorNotice error={link.error} />
        <Button onClick={() => void link.refetch()} loading={link.isFetching}>
          {t('retry')}
        </Button>
      </Stack>
    );
  const checking = <output className="muted">{t('checking')}</output>;
  if (!link.data) return checking;
  const { purpose, ...found } = link.data.data;
  if (purpose === 'address_change' || purpose === 'address_stop')
    return (
      <Suspense fallback={checking}>
        <AddressLink token={token} purpose={purpose} account={found.email_hint} onDead={() => setDead(true)} />
      </Suspense>
    );
  return (
    <PasswordForm
      token={token}
      link={{ ...found, purpose }}
      onDone={() => onDone(purpose)}
      onDead={() => setDead(true)}
    />
  );
}

/** The links that set a password. */
type Purpose = Exclude<AccountLink['purpose'], 'address_change' | 'address_stop'>;
type FormProps = { token: string; link: AccountLink & { purpose: Purpose }; onDone: () => void; onDead: () => void };

function PasswordForm(props: FormProps) {
  const t = useTranslations('resetPassword');
  const own = useTranslations(`resetPassword.${props.link.purpose}`);
  const tPassword = useTranslations('newPassword');
  const { form, typed, save, error, isPending, secondStep } = useRedeem(props);
  if (secondStep)
    return (
      <Suspense>
        <SecondStep {...secondStep} />
      </Suspense>
    );
  return (
    <AccountForm
      title={own('title')}
      lead={own('lead', { account: props.link.email_hint })}
      onSubmit={form.onSubmit(save)}
    >
      <ErrorNotice error={error} fields={fields} />
      <PasswordField
        key={form.key('password')}
        {...form.getInputProps('password')}
        label={tPassword('password')}
        autoComplete="new-password"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page
        autoFocus
      />
      <PasswordRules password={typed} />
      <PasswordField
        key={form.key('password_confirmation')}
        {...form.getInputProps('password_confirmation')}
        label={tPassword('confirmation')}
        autoComplete="new-password"
      />
      {props.link.second_factor && <p className="muted">{t('factorNext')}</p>}
      <Button type="submit" size="md" fullWidth loading={isPending}>
        {t(props.link.second_factor ? 'next' : 'submit')}
      </Button>
    </AccountForm>
  );
}

type Passwords = { password: string; password_confirmation: string };

/** Sets the typed password, with a second factor if the account has one; a used or expired link shows another page. */
function useRedeem({ token, onDone, onDead }: FormProps) {
  const tPassword = useTranslations('newPassword');
  const queries = useQueryClient();
  // unlike `useSend`, no refetch: the link is used up
  const send = useMutation<Reply<typeof accountLinks.redeem>, ApiError, Input<typeof accountLinks.redeem>>({
    mutationFn: (input) => call(accountLinks.redeem, input),
  });
  const [typed, setTyped] = useState('');
  /** The accepted password while the second factor is requested. */
  const [chosen, setChosen] = useState<Passwords>();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', password_confirmation: '' },
    validate: { password_confirmation: (value, { password }) => (value === password ? null : tPassword('different')) },
  });
  form.watch('password', ({ value }) => setTyped(value));
  const onSuccess = () => {
    // the account's session in this browser has ended
    queries.removeQueries({ queryKey: sessionQuery.queryKey });
    onDone();
  };
  const onError = (error: ApiError) => {
    if ('token' in error.fieldErrors && error.status === 422) return onDead();
    form.setErrors(error.fieldErrors);
    const first = fields.find((field) => field in error.fieldErrors);
    if (first) form.getInputNode(first)?.focus();
  };
  const save = (body: Passwords) =>
    send.mutate(
      { body: { token, ...body } },
      {
        onSuccess,
        onError: (error) => {
          if (!('code' in error.fieldErrors)) return onError(error);
          send.reset();
          setChosen(body);
        },
      },
    );
  const secondStep = useSecondStep({ token, chosen, setChosen, onSuccess, onError });
  return { form, typed, save, error: send.error, isPending: send.isPending, secondStep };
}

type SecondStepProps = {
  token: string;
  chosen: Passwords | undefined;
  setChosen: (chosen: undefined) => void;
  onSuccess: () => void;
  onError: (error: ApiError) => void;
};

/** Sends the accepted password with the second factor; undefined until there is one. */
function useSecondStep({ token, chosen, setChosen, onSuccess, onError }: SecondStepProps) {
  const t = useTranslations('resetPassword');
  if (!chosen) return undefined;
  const prove = async (proof: Proof) => {
    try {
      return await call(accountLinks.redeem, { body: { token, ...chosen, ...proof } });
    } catch (error) {
      const { fieldErrors = {} } = error as Partial<ApiError>;
      if ('token' in fieldErrors || 'password' in fieldErrors) {
        setChosen(undefined);
        onError(error as ApiError);
      }
      throw error;
    }
  };
  return {
    aim: {
      options: () => call(accountLinks.options, { body: { token } }),
      prove,
      words: { title: t('factorTitle'), submit: t('submit'), back: t('back') },
    },
    onSignedIn: onSuccess,
    onBack: () => setChosen(undefined),
  };
}

function Dead({ what }: { what: 'dead' | 'incomplete' }) {
  const t = useTranslations('resetPassword');
  return (
    <Message page icon={IconLinkOff} title={t(what)} actions={<ToSignIn variant="default" />}>
      {t(`${what}Text`)}
    </Message>
  );
}

function Done({ purpose }: { purpose: Purpose }) {
  const t = useTranslations(`resetPassword.${purpose}`);
  return (
    <Message page icon={IconCircleCheck} title={t('done')} actions={<ToSignIn variant="filled" />}>
      {t('doneText')}
    </Message>
  );
}

function ToSignIn({ variant }: { variant: 'default' | 'filled' }) {
  const t = useTranslations('resetPassword');
  return (
    <Button component={Link} to={paths.signIn} variant={variant}>
      {t('signIn')}
    </Button>
  );
}
