import { Button, Group, Stack } from '@mantine/core';
import { IconDeviceMobileCode, IconKey } from '@tabler/icons-react';
import { secondFactors, type AccountSecurity, type Endpoint, type Reply } from '@tenure/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { sessionQuery } from '../../api/session.tsx';
import { closing } from '../../ui/closing.ts';
import { Moment } from '../../ui/Dates.tsx';
import { Dialog, DialogActions, DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { SetUpApp, useSetUpApp } from '../../ui/second-factor/SetUpApp.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Block } from './Block.tsx';

const line = '1px solid var(--line)';

/** The user's second factor: an authenticator app, and recovery codes as a fallback. */
export function TwoStep() {
  const t = useTranslations('twoStep');
  const query = useQuery(load(secondFactors.security, {}));
  const queries = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  const show = (made: string[]) => {
    setCodes(made);
    // the user may now meet the requirement
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
  };
  if (query.isPending) return <LoadingLines lines={3} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { totp, passkeys, recovery_codes_left } = query.data.data;
  return (
    <Block title={t('title')} lead={t('lead')}>
      {(totp || passkeys.length > 0) && (
        <ul style={{ borderBlockStart: line }}>
          {totp && <App totp={totp} isLast={passkeys.length === 0} onCodes={show} />}
          <Codes left={recovery_codes_left} onCodes={setCodes} />
        </ul>
      )}
      {!totp && (
        <div>
          <SetUp label={t('setUp')} onCodes={show} />
        </div>
      )}
      <Dialog title={t('codes')} opened={codes !== undefined} onClose={() => setCodes(undefined)} showsOnce>
        {codes && <RecoveryCodes codes={codes} />}
        <DialogActions>
          <Button onClick={() => setCodes(undefined)}>{t('saved')}</Button>
        </DialogActions>
      </Dialog>
    </Block>
  );
}

/** The actions on new recovery codes, which are shown only once. */
type OnCodes = { onCodes: (codes: string[]) => void };

type RowProps = { icon: ReactNode; title: ReactNode; children: ReactNode; actions: ReactNode };

const Row = ({ icon, title, children, actions }: RowProps) => (
  <Group gap={14} px={4} py={12} style={{ borderBlockEnd: line }} renderRoot={(props) => <li {...props} />}>
    {icon}
    <Stack flex="1 1 14rem" gap={2} miw={0} fz="sm">
      <Group gap="2px 10px" fz="md" fw={550}>
        {title}
      </Group>
      <span className="muted">{children}</span>
    </Stack>
    <Group gap={8}>{actions}</Group>
  </Group>
);

const iconOf = { className: 'muted', size: 22, stroke: 1.5, style: { flex: 'none' }, 'aria-hidden': true } as const;

type AppProps = OnCodes & {
  totp: NonNullable<AccountSecurity['totp']>;
  /** Without the app, the password alone signs in. */
  isLast: boolean;
};

function App({ totp, isLast, onCodes }: AppProps) {
  const t = useTranslations('twoStep');
  const toast = useToast();
  return (
    <Row
      icon={<IconDeviceMobileCode {...iconOf} />}
      title={
        <>
          {t('app')} <StatusBadge tone="good" label={t('on')} />
        </>
      }
      actions={
        <>
          <SetUp label={t('replace')} onCodes={onCodes} secondary />
          <Ask
            what={isLast ? 'remove' : 'removeOne'}
            endpoint={secondFactors.removeTotp}
            onDone={() => toast({ text: t('removed') })}
            color="red"
          />
        </>
      }
    >
      {t('added')} <Moment value={totp.added_at} />
      {totp.last_used_at && (
        <>
          {' · '}
          {t('used')} <Moment value={totp.last_used_at} />
        </>
      )}
    </Row>
  );
}

function Codes({ left, onCodes }: OnCodes & { left: number }) {
  const t = useTranslations('twoStep');
  return (
    <Row
      icon={<IconKey {...iconOf} />}
      title={
        <>
          {t('codes')} {left < 3 && <StatusBadge tone="warn" label={t('left', { count: left })} />}
        </>
      }
      actions={
        <Ask
          what="newCodes"
          endpoint={secondFactors.newRecoveryCodes}
          onDone={({ data }) => onCodes(data.recovery_codes)}
        />
      }
    >
      {t('left', { count: left })}
    </Row>
  );
}

/** Starts with a new seed; the dialog leads to the recovery codes. */
function SetUp({ label, onCodes, secondary = false }: OnCodes & { label: string; secondary?: boolean }) {
  const t = useTranslations('twoStep');
  const start = useSend(secondFactors.startTotp);
  const [begun, setBegun] = useState<Reply<typeof secondFactors.startTotp>['data']>();
  const close = () => setBegun(undefined);
  const onDone = (codes: string[]) => {
    close();
    onCodes(codes);
  };
  return (
    <>
      <Button
        {...(secondary && { variant: 'default', size: 'compact-sm' })}
        loading={start.isPending}
        onClick={() => start.mutate({}, { onSuccess: ({ data }) => setBegun(data) })}
      >
        {label}
      </Button>
      <ErrorNotice error={start.error} />
      <Dialog title={t('setUp')} opened={begun !== undefined} onClose={close}>
        {begun && <SetUpForm begun={begun} onDone={onDone} onCancel={close} />}
      </Dialog>
    </>
  );
}

type SetUpProps = {
  begun: Reply<typeof secondFactors.startTotp>['data'];
  onDone: (codes: string[]) => void;
  onCancel: () => void;
};

function SetUpForm({ begun, onDone, onCancel }: SetUpProps) {
  const t = useTranslations('twoStep');
  const { confirm, isPending, ...state } = useSetUpApp(onDone);
  return (
    <DialogForm onSubmit={confirm}>
      <SetUpApp begun={begun} {...state}>
        <FormActions cancel={t('cancel')} onCancel={onCancel} submit={t('confirm')} loading={isPending} />
      </SetUpApp>
    </DialogForm>
  );
}

type AskProps<E extends Endpoint> = {
  what: 'remove' | 'removeOne' | 'newCodes';
  endpoint: E;
  onDone: (reply: Reply<E>) => void;
  color?: 'red';
};

/** A button that asks for confirmation before it ends something. */
function Ask<E extends typeof secondFactors.removeTotp | typeof secondFactors.newRecoveryCodes>({
  what,
  endpoint,
  onDone,
  color,
}: AskProps<E>) {
  const t = useTranslations('twoStep');
  const [opened, setOpened] = useState(false);
  const send = useSend<E>(endpoint);
  const label = what === 'newCodes' ? t('newCodes') : t('remove');
  const close = closing(() => setOpened(false), send);
  const onSuccess = (reply: Reply<E>) => {
    close();
    onDone(reply);
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => setOpened(true)}>
        {label}
      </Button>
      <Dialog title={what === 'newCodes' ? t('newCodesTitle') : t('removeTitle')} opened={opened} onClose={close}>
        <p>{t(`${what}Text`)}</p>
        <ErrorNotice error={send.error} />
        <DialogActions>
          <Button variant="default" onClick={close}>
            {t('cancel')}
          </Button>
          <Button
            {...(color && { color })}
            loading={send.isPending}
            onClick={() => send.mutate({} as never, { onSuccess })}
          >
            {label}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
