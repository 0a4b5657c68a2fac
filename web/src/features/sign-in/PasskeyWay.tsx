import { Button, Stack, Text } from '@mantine/core';
import { passkeySignIn } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { canAutofill, PasskeyRefused, stopWaiting, askPasskey } from '../../ui/passkeys/ceremony.ts';
import { PasskeyError } from '../../ui/passkeys/PasskeyError.tsx';
import { useEnter } from './use-enter.ts';

/** A challenge is valid for ten minutes; the autofill suggestions get a new one earlier. */
const renewAfter = 9 * 60_000;

async function signIn(autofill: boolean): Promise<void> {
  const { data } = await call(passkeySignIn.options, {});
  const credential = await askPasskey(data.options, autofill);
  await call(passkeySignIn.signIn, { body: { credential } }, { alone: true });
}

type Props = { next: string | undefined; /** Another sign-in is in progress. */ pending: boolean };

/** Signs in with a passkey, by a button or by autofill suggestions in the address field if the browser has them. */
export function PasskeyWay({ next, pending }: Props) {
  const t = useTranslations('passkeys');
  const enter = useEnter();
  const send = useMutation({
    mutationFn: async (autofill: boolean) => {
      await signIn(autofill);
      await enter({ next });
    },
  });
  const offer = useEffectEvent(async (isHere: () => boolean) => {
    if ((await canAutofill()) && isHere()) send.mutate(true);
  });
  useEffect(() => {
    if (pending) return undefined;
    let isHere = true;
    const begin = () => void offer(() => isHere);
    begin();
    const renewal = setInterval(begin, renewAfter);
    return () => {
      isHere = false;
      clearInterval(renewal);
      stopWaiting();
    };
  }, [pending]);
  const isAsked = send.variables === false;
  // suggestions that were ignored, or replaced by the button, are not an error
  const isNews = isAsked || !(send.error instanceof PasskeyRefused);
  return (
    <Stack gap={12}>
      <Text className="muted" ta="center">
        {t('or')}
      </Text>
      {isNews && <PasskeyError error={send.error} />}
      <Button
        variant="default"
        size="md"
        fullWidth
        loading={isAsked && send.isPending}
        onClick={() => send.mutate(false)}
      >
        {t('signIn')}
      </Button>
    </Stack>
  );
}
