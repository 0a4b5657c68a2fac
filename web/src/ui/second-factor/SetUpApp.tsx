import { Box, Stack, TextInput } from '@mantine/core';
import { secondFactors, type Reply } from '@tenure/contract';
import { Suspense, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { lazyPart } from '../lazy-part.ts';

const QrCode = lazyPart(() => import('./QrCode.tsx'), 'QrCode');

type Begun = Reply<typeof secondFactors.startTotp>['data'];

/** The code of a new app, and its confirmation. */
export function useSetUpApp(onDone: (codes: string[]) => void) {
  const [code, setCode] = useState('');
  const send = useSend(secondFactors.confirmTotp);
  const confirm = () => {
    if (send.isPending) return;
    send.mutate(
      { body: { code } },
      { onSuccess: ({ data }) => onDone(data.recovery_codes), onError: () => setCode('') },
    );
  };
  return { code, setCode, confirm, error: send.error, isPending: send.isPending };
}

type Props = Omit<ReturnType<typeof useSetUpApp>, 'confirm' | 'isPending'> & { begun: Begun; children: ReactNode };

/** Shows the seed of a new authenticator app, to scan or type, and asks for a code from the app. */
export function SetUpApp({ begun, code, setCode, error, children }: Props) {
  const t = useTranslations('twoStep');
  return (
    <>
      <p>{t('scan')}</p>
      <Stack align="center" gap={0} mih={208}>
        <Suspense>
          <QrCode text={begun.otpauth_url} label={t('qr')} />
        </Suspense>
      </Stack>
      <div>
        <p className="muted">{t('typed')}</p>
        <Box component="code" ff="monospace" fz="md" style={{ overflowWrap: 'anywhere' }}>
          {begun.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}
        </Box>
      </div>
      <ErrorNotice error={error} fields={['code']} />
      <TextInput
        label={t('code')}
        description={t('enter')}
        value={code}
        error={error?.fieldErrors['code']}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        data-autofocus
      />
      {children}
    </>
  );
}
