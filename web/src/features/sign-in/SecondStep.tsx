import { Button, TextInput } from '@mantine/core';
import { session, type BodyIn, type PasskeyRequest, type Reply } from '@tenure/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { canUsePasskeys } from '../../ui/passkeys/can-use.ts';
import { askPasskey } from '../../ui/passkeys/ceremony.ts';
import { PasskeyError } from '../../ui/passkeys/PasskeyError.tsx';
import { AccountForm } from './AccountForm.tsx';
import { SignInNotice, Wait } from './SignInNotice.tsx';

/** What the proof is for: the endpoint with the available ways, and the one that accepts a proof. */
export type Aim = {
  options: () => Promise<Reply<typeof session.secondStepOptions>>;
  prove: (proof: Proof) => Promise<unknown>;
  /** Title, submit and back labels that differ from those of a sign-in. */
  words?: { title: string; submit: string; back: string };
};
export type Proof = BodyIn<typeof session.secondStep>;

const toSignIn: Aim = {
  options: () => call(session.secondStepOptions, {}),
  prove: (body) => call(session.secondStep, { body }, { alone: true }),
};

type Props = {
  aim?: Aim;
  onSignedIn: () => void;
  /** Returns to the password, with the service's message if it ended the sign-in. */
  onBack: (notice?: string) => void;
};

const kinds = {
  code: { label: 'code', lead: 'lead', autoComplete: 'one-time-code', inputMode: 'numeric' },
  recovery_code: { label: 'recoveryCode', lead: 'recoveryLead', autoComplete: 'off', inputMode: 'text' },
} as const;

type Kind = keyof typeof kinds;
const others = { code: 'useApp', recovery_code: 'useRecovery', passkey: 'usePasskey' } as const;

/** The second step of a sign-in: a passkey, a code of the authenticator app, or a recovery code instead. */
export function SecondStep({ aim = toSignIn, onSignedIn, onBack }: Props) {
  const { isPending, ways } = useWaysOn(aim, onBack);
  const [chosen, setChosen] = useState<Kind | 'passkey'>();
  // rendered only once the ways are known, so that the form does not change while the user looks at it
  if (isPending) return null;
  const kind = chosen ?? ways[0];
  const all = {
    aim,
    onSignedIn,
    onBack,
    ways: ways.filter((way) => way !== kind),
    onChoose: setChosen,
  };
  return kind === 'passkey' ? <ByPasskey {...all} /> : <ByCode key={kind} kind={kind} {...all} />;
}

/** The available ways, the best one first; codes if the service does not answer. */
function useWaysOn(
  { options: ask }: Aim,
  onBack: Props['onBack'],
): { isPending: boolean; ways: [Kind | 'passkey', ...(Kind | 'passkey')[]] } {
  const { data, error, isPending } = useQuery<Reply<typeof session.secondStepOptions>, ApiError>({
    // every sign-in asks again
    queryKey: ['second-step', useId()],
    queryFn: ask,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  const over = error?.fieldErrors['sign_in'];
  const goBack = useEffectEvent(onBack);
  useEffect(() => {
    if (over !== undefined) goBack(over);
  }, [over]);
  if (!data) return { isPending, ways: ['code', 'recovery_code'] };
  const { totp, options } = data.data;
  const codes = totp ? (['code', 'recovery_code'] as const) : (['recovery_code'] as const);
  return { isPending, ways: options && canUsePasskeys() ? ['passkey', ...codes] : [...codes] };
}

type WayProps = Props & {
  aim: Aim;
  ways: readonly (Kind | 'passkey')[];
  onChoose: (way: Kind | 'passkey') => void;
};

function Others({ aim, ways, onChoose, onBack }: Pick<WayProps, 'aim' | 'ways' | 'onChoose' | 'onBack'>) {
  const t = useTranslations('secondStep');
  return (
    <>
      {ways.map((way) => (
        <Button key={way} variant="subtle" onClick={() => onChoose(way)}>
          {t(others[way])}
        </Button>
      ))}
      <Button variant="subtle" color="gray" onClick={() => onBack()}>
        {aim.words?.back ?? t('back')}
      </Button>
      <p className="muted">{t('lost')}</p>
    </>
  );
}

/** Submits a proof; if the service has ended the sign-in, it starts over. */
function useSecondStep({ aim, onSignedIn, onBack }: WayProps, onRefused?: (error: ApiError) => void) {
  return useMutation<unknown, Error, () => Promise<Proof>>({
    mutationFn: async (proof) => aim.prove(await proof()),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      if (error.fieldErrors['sign_in']) onBack(error.fieldErrors['sign_in']);
      else onRefused?.(error);
    },
  });
}

/** Every attempt has a challenge of its own. */
async function answerOfPasskey({ options }: Aim): Promise<Proof> {
  const { data } = await options();
  return { credential: await askPasskey(data.options as PasskeyRequest) };
}

function ByPasskey(props: WayProps) {
  const t = useTranslations('secondStep');
  const send = useSecondStep(props);
  return (
    <AccountForm
      title={props.aim.words?.title ?? t('title')}
      lead={t('passkeyLead')}
      onSubmit={(event) => {
        event?.preventDefault();
        if (!send.isPending) send.mutate(() => answerOfPasskey(props.aim));
      }}
    >
      <PasskeyError error={send.error} />
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form is the whole page */}
      <Button type="submit" size="md" fullWidth loading={send.isPending} autoFocus>
        {t('usePasskey')}
      </Button>
      <Others {...props} />
    </AccountForm>
  );
}

function ByCode({ kind, ...props }: WayProps & { kind: Kind }) {
  const t = useTranslations('secondStep');
  const tSignIn = useTranslations('signIn');
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const refused = ({ status }: ApiError) => {
    if (status !== 422) return;
    setTyped('');
    field.current?.focus();
  };
  const send = useSecondStep(props, refused);
  const { label, lead, ...input } = kinds[kind];
  const { words } = props.aim;
  const error = send.error as ApiError | null;
  const wait = error?.status === 429;
  const onSubmit: Parameters<typeof AccountForm>[0]['onSubmit'] = (event) => {
    event?.preventDefault();
    if (!send.isPending) send.mutate(() => Promise.resolve({ [kind]: typed }));
  };
  return (
    <AccountForm title={words?.title ?? t('title')} lead={t(lead)} onSubmit={onSubmit}>
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
        {words?.submit ?? t('submit')}
      </Button>
      <Others {...props} />
    </AccountForm>
  );
}
