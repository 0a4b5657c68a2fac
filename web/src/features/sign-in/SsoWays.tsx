import { Button, Stack, Text } from '@mantine/core';
import { sso, type Reply } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { canUsePasskeys } from '../../ui/passkeys/can-use.ts';
import { goToProvider } from '../../ui/sso-start.ts';
import { wrapping } from '../../ui/wrapping.ts';
import { safeNext } from './safe-next.ts';

type Provider = Reply<typeof sso.ways>['data']['providers'][number];

type Props = Omit<OfferProps, 'provider' | 'password'> & {
  /** The offer for the entered address, in place of the buttons for everyone. */
  offer: Pick<OfferProps, 'provider' | 'password'> | undefined;
  /** Whether passkeys work at this address. */
  passkey: boolean;
  providers: readonly Provider[];
  /** A password or an address is being sent. */
  pending: boolean;
};

const PasskeyWay = lazyPart(() => import('./PasskeyWay.tsx'), 'PasskeyWay', 'passkeys');

/** The ways to sign in other than the password: with a passkey, or through a provider. */
export const SsoWays = ({ offer, passkey, providers, pending, ...props }: Props) =>
  offer ? (
    <Offer {...offer} {...props} />
  ) : (
    <>
      {passkey && canUsePasskeys() && (
        <Suspense>
          <PasskeyWay next={props.next} pending={pending} />
        </Suspense>
      )}
      {providers.length > 0 && <Providers providers={providers} next={props.next} />}
    </>
  );

type ProvidersProps = { providers: readonly Provider[]; next: string | undefined };

/** A button for each provider that does not depend on the address. */
function Providers({ providers, next }: ProvidersProps) {
  const t = useTranslations('ssoWays');
  const start = useStart(next);
  return (
    <Stack gap={12}>
      <Text className="muted" ta="center">
        {t('or')}
      </Text>
      <StartError error={start.error} />
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          size="md"
          fullWidth
          styles={wrapping}
          loading={start.isPending && start.variables === id}
          onClick={() => start.mutate(id)}
        >
          {t('with', { provider: name })}
        </Button>
      ))}
    </Stack>
  );
}

type OfferProps = {
  provider: Provider;
  /** Whether users of this address may use a password; otherwise only emergency accounts may. */
  password: boolean;
  next: string | undefined;
  onStart: () => void;
  onPassword: () => void;
};

/** The provider of the address, with the password as the alternative. */
function Offer({ provider, password, next, onStart, onPassword }: OfferProps) {
  const t = useTranslations('ssoWays');
  const start = useStart(next);
  const go = () => {
    onStart();
    start.mutate(provider.id);
  };
  return (
    <Stack gap={12}>
      <StartError error={start.error} />
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it is the answer to what was just sent */}
      <Button size="md" fullWidth styles={wrapping} loading={start.isPending} onClick={go} autoFocus>
        {t('with', { provider: provider.name })}
      </Button>
      <Button variant="subtle" color="gray" size={password ? 'sm' : 'compact-sm'} onClick={onPassword}>
        {t(password ? 'password' : 'emergency')}
      </Button>
    </Stack>
  );
}

/** Starts a sign-in through a provider; the target page is sent along unless its path is too long. */
function useStart(next: string | undefined) {
  return useMutation<Reply<typeof sso.start>, ApiError, number>({
    mutationFn: (id) => {
      const path = next === undefined ? undefined : safeNext(next);
      const isShort = path !== undefined && path.length <= 300;
      return call(sso.start, { params: { id }, body: isShort ? { next: path } : {} });
    },
    onSuccess: ({ data }) => goToProvider(data.url, { next }),
  });
}

/** Why a sign-in through a provider could not start. */
function StartError({ error }: { error: ApiError | null }) {
  const t = useTranslations('ssoWays');
  if (error?.status !== 404) return <ErrorNotice error={error} />;
  return <p role="alert">{t('off')}</p>;
}
