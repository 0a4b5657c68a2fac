import { Button, Group, Stack, TextInput } from '@mantine/core';
import { IconFingerprint, IconPassword } from '@tabler/icons-react';
import { passkeys, secondFactors, type AccountSecurity } from '@tenure/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { closing } from '../../ui/closing.ts';
import { Moment } from '../../ui/Dates.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { canUsePasskeys } from '../../ui/passkeys/can-use.ts';
import { makePasskey } from '../../ui/passkeys/ceremony.ts';
import { PasskeyError } from '../../ui/passkeys/PasskeyError.tsx';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Block } from './Block.tsx';
import { deviceOf } from './devices.ts';

const line = '1px solid var(--line)';
const iconOf = { className: 'muted', size: 22, stroke: 1.5, style: { flex: 'none' }, 'aria-hidden': true } as const;

/** The user's passkeys, and whether the password also signs in; renders nothing where passkeys cannot work. */
export function Passkeys() {
  const t = useTranslations('passkeys');
  const query = useQuery(load(secondFactors.security, {}));
  const [codes, setCodes] = useState<string[]>();
  if (query.isPending) return <LoadingLines lines={3} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { passkeys: own, passkeys_work, password_sign_in } = query.data.data;
  if (!passkeys_work && own.length === 0) return null;
  return (
    <Block title={t('title')} lead={t('lead')}>
      {own.length > 0 && (
        <ul aria-label={t('title')} style={{ borderBlockStart: line }}>
          {own.map((one) => (
            <OnePasskey key={one.id} passkey={one} />
          ))}
          {(own.filter(({ works }) => works).length > 1 || !password_sign_in) && (
            <PasswordSignIn isOn={password_sign_in} />
          )}
        </ul>
      )}
      {passkeys_work && <Add onCodes={setCodes} />}
      <Dialog title={t('codes')} opened={codes !== undefined} onClose={() => setCodes(undefined)} showsOnce>
        {codes && <RecoveryCodes codes={codes} />}
        <DialogActions>
          <Button onClick={() => setCodes(undefined)}>{t('saved')}</Button>
        </DialogActions>
      </Dialog>
    </Block>
  );
}

type RowProps = { icon: ReactNode; title: ReactNode; children: ReactNode; actions: ReactNode };

const Row = ({ icon, title, children, actions }: RowProps) => (
  <Group gap={14} px={4} py={12} style={{ borderBlockEnd: line }} renderRoot={(props) => <li {...props} />}>
    {icon}
    <Stack flex="1 1 14rem" gap={2} miw={0} fz="sm" style={{ overflowWrap: 'anywhere' }}>
      <Group gap="2px 10px" fz="md" fw={550}>
        {title}
      </Group>
      <span className="muted">{children}</span>
    </Stack>
    <Group gap={8}>{actions}</Group>
  </Group>
);

type Own = AccountSecurity['passkeys'][number];

function OnePasskey({ passkey }: { passkey: Own }) {
  const t = useTranslations('passkeys');
  const { name, added_at, last_used_at, backed_up, works } = passkey;
  return (
    <Row
      icon={<IconFingerprint {...iconOf} />}
      title={
        <>
          <bdi>{name}</bdi> {backed_up && <StatusBadge tone="quiet" label={t('synced')} />}
          {!works && <StatusBadge tone="warn" label={t('useless')} />}
        </>
      }
      actions={
        <>
          <Rename passkey={passkey} />
          <Remove passkey={passkey} />
        </>
      }
    >
      {t('added')} <Moment value={added_at} />
      {last_used_at && (
        <>
          {' · '}
          {t('used')} <Moment value={last_used_at} />
        </>
      )}
      {!works && <div>{t('uselessText')}</div>}
    </Row>
  );
}

/** A small button that opens a dialog about a passkey. */
const Open = ({ label, name, onClick }: { label: string; name: string; onClick: () => void }) => (
  <Button variant="default" size="compact-sm" onClick={onClick}>
    {label}
    <span className="visually-hidden"> {name}</span>
  </Button>
);

function Rename({ passkey: { id, name } }: { passkey: Own }) {
  const t = useTranslations('passkeys');
  const [typed, setTyped] = useState<string>();
  const send = useSend(passkeys.rename);
  const close = closing(() => setTyped(undefined), send);
  const submit = () => send.mutate({ params: { id }, body: { name: typed ?? '' } }, { onSuccess: close });
  return (
    <>
      <Open label={t('rename')} name={name} onClick={() => setTyped(name)} />
      <Dialog title={t('renameTitle')} opened={typed !== undefined} onClose={close}>
        <DialogForm onSubmit={submit}>
          <Name value={typed ?? ''} onChange={setTyped} error={send.error} />
          <FormActions cancel={t('cancel')} onCancel={close} submit={t('save')} loading={send.isPending} />
        </DialogForm>
      </Dialog>
    </>
  );
}

type NameProps = { value: string; onChange: (value: string) => void; error: ApiError | null };

function Name({ value, onChange, error }: NameProps) {
  const t = useTranslations('passkeys');
  return (
    <>
      <ErrorNotice error={error} fields={['name']} />
      <TextInput
        label={t('name')}
        description={t('nameHint')}
        value={value}
        error={error?.fieldErrors['name']}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        maxLength={100}
        data-autofocus
      />
    </>
  );
}

function Remove({ passkey: { id, name } }: { passkey: Own }) {
  const t = useTranslations('passkeys');
  const toast = useToast();
  const [opened, setOpened] = useState(false);
  const send = useSend(passkeys.remove);
  const close = closing(() => setOpened(false), send);
  const remove = () => send.mutate({ params: { id } }, { onSuccess: () => toast({ text: t('removed') }) });
  return (
    <>
      <Open label={t('remove')} name={name} onClick={() => setOpened(true)} />
      <Dialog title={t('removeTitle', { name })} opened={opened} onClose={close}>
        <p>{t('removeText')}</p>
        <ErrorNotice error={send.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button color="red" loading={send.isPending} onClick={remove}>
            {t('remove')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

/** Turns the password off or on as a way to sign in; turning it off asks first. */
function PasswordSignIn({ isOn }: { isOn: boolean }) {
  const t = useTranslations('passkeys');
  const toast = useToast();
  const [opened, setOpened] = useState(false);
  const send = useSend(passkeys.passwordSignIn);
  const close = closing(() => setOpened(false), send);
  const change = (enabled: boolean) =>
    send.mutate(
      { body: { enabled } },
      {
        onSuccess: ({ message }) => {
          close();
          toast({ text: message });
        },
      },
    );
  return (
    <Row
      icon={<IconPassword {...iconOf} />}
      title={t('password')}
      actions={
        <Open
          label={t(isOn ? 'turnOff' : 'turnOn')}
          name={t('password')}
          onClick={() => (isOn ? setOpened(true) : change(true))}
        />
      }
    >
      {t(isOn ? 'passwordOn' : 'passwordOff')}
      {!opened && <ErrorNotice error={send.error} />}
      <Dialog title={t('turnOffTitle')} opened={opened} onClose={close}>
        <p>{t('turnOffText')}</p>
        <ErrorNotice error={send.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button loading={send.isPending} onClick={() => change(false)}>
            {t('turnOff')}
          </Button>
        </DialogActions>
      </Dialog>
    </Row>
  );
}

/** A likely name for the user's device. */
function useSuggestion() {
  const t = useTranslations('passkeys');
  const { browser, system } = deviceOf(navigator.userAgent);
  const name = browser?.replace(/ \d+$/, '');
  return name && system ? t('suggestion', { browser: name, system }) : (name ?? system ?? '');
}

function Add({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const t = useTranslations('passkeys');
  const toast = useToast();
  const queries = useQueryClient();
  const suggestion = useSuggestion();
  const [name, setName] = useState<string>();
  const close = () => setName(undefined);
  const add = useMutation({
    mutationFn: async () => {
      const { data } = await call(passkeys.options, {});
      const credential = await makePasskey(data.options);
      return call(passkeys.add, { body: { name: name ?? '', credential } });
    },
    onSuccess: async ({ data, message }) => {
      close();
      if (data.recovery_codes) onCodes(data.recovery_codes);
      else toast({ text: message });
      await queries.invalidateQueries();
    },
  });
  if (!canUsePasskeys()) return <p className="muted">{t('unsupported')}</p>;
  const open = () => {
    add.reset();
    setName(suggestion);
  };
  const error = add.error as ApiError | null;
  const isNamed = error?.fieldErrors?.['name'] !== undefined;
  return (
    <>
      <div>
        <Button onClick={open}>{t('add')}</Button>
      </div>
      <Dialog title={t('add')} opened={name !== undefined} onClose={close}>
        <DialogForm onSubmit={() => add.mutate()}>
          <p>{t('addText')}</p>
          {!isNamed && <PasskeyError error={add.error} />}
          <Name value={name ?? ''} onChange={setName} error={isNamed ? error : null} />
          <FormActions cancel={t('cancel')} onCancel={close} submit={t('continue')} loading={add.isPending} />
        </DialogForm>
      </Dialog>
    </>
  );
}
