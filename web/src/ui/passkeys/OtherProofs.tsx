import { Button, Stack, TextInput } from '@mantine/core';
import { stepUp, type BodyIn, type Refusal } from '@tenure/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { codeIn } from '../code-in.ts';
import { DialogActions, DialogForm, FormActions } from '../Dialog.tsx';
import { goToProvider } from '../sso-start.ts';
import { canUsePasskeys } from './can-use.ts';
import { askPasskey } from './ceremony.ts';
import { PasskeyError } from './PasskeyError.tsx';

type Props = {
  proofs: NonNullable<Refusal['step_up']>;
  onConfirmed: () => void;
  onCancel: () => void;
};

/** A confirmation by passkey or through the provider. */
export const OtherProofs = ({ proofs, ...props }: Props) =>
  proofs.includes('provider') ? <AtProvider {...props} /> : <WithPasskey proofs={proofs} {...props} />;

/** The current page; if its address is too long to return to, the home page. */
const here = () => {
  const path = `${location.pathname}${location.search}`;
  return path.length <= 300 ? path : '/';
};

function AtProvider({ onCancel }: Pick<Props, 'onCancel'>) {
  const t = useTranslations('passkeys');
  const start = useMutation({
    mutationFn: () => call(stepUp.options, { body: { next: here() } }),
    onSuccess: ({ data }) => data.url !== null && goToProvider(data.url, { next: here(), confirms: true }),
  });
  return (
    <>
      <p>{t('providerText')}</p>
      <PasskeyError error={start.error} />
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button data-autofocus loading={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
          {t('provider')}
        </Button>
      </DialogActions>
    </>
  );
}

function WithPasskey({ proofs, onConfirmed, onCancel }: Props) {
  const t = useTranslations('passkeys');
  const [typed, setTyped] = useState('');
  const prove = (body: BodyIn<typeof stepUp.prove>) => call(stepUp.prove, { body });
  const byPasskey = useMutation({
    mutationFn: async () => {
      const { data } = await call(stepUp.options, { body: {} });
      return data.options && prove({ credential: await askPasskey(data.options) });
    },
    onSuccess: (answer) => answer && onConfirmed(),
  });
  const byCode = useMutation({ mutationFn: () => prove(codeIn(typed)), onSuccess: onConfirmed });
  const errors = (byCode.error as { fieldErrors?: Record<string, string> } | null)?.fieldErrors ?? {};
  const isHere = canUsePasskeys() && byPasskey.data !== null;
  return (
    <DialogForm onSubmit={() => byCode.mutate()}>
      {isHere && (
        <Stack gap={12}>
          <p>{t('useText')}</p>
          <PasskeyError error={byPasskey.error} />
          <div>
            <Button data-autofocus loading={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
              {t('use')}
            </Button>
          </div>
        </Stack>
      )}
      <p>{t(proofs.includes('totp') ? 'codeText' : 'recoveryText')}</p>
      <PasskeyError error={byCode.error} fields={['code', 'recovery_code']} />
      <TextInput
        label={t('code')}
        value={typed}
        error={errors['code'] ?? errors['recovery_code']}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoComplete="one-time-code"
        maxLength={40}
        spellCheck={false}
      />
      <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('confirm')} loading={byCode.isPending} />
    </DialogForm>
  );
}
