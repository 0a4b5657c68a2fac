import { Button, Group, Stack } from '@mantine/core';
import { IconKey, IconLock, IconLogout, IconMailForward, IconMailOff, IconShieldOff } from '@tabler/icons-react';
import { access, employeePasswords, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { hasStatus } from '../../../api/api-error.ts';
import { failedWithoutData, load, useSend } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { breakable } from '../../../ui/breakable.tsx';
import { Moment } from '../../../ui/Dates.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { DescriptionList } from '../../../ui/DescriptionList.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { passwordState } from '../record/password-state.ts';
import { Blocks, useBlocks } from './Blocks.tsx';
import { Permissions } from './Permissions.tsx';
import { Roles } from './Roles.tsx';
import { AccessExplanation } from './AccessExplanation.tsx';
import { Ways } from './Ways.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';

const PasswordsDialog = lazyPart(() => import('../passwords/PasswordsDialog.tsx'), 'PasswordsDialog', 'passwords');

type Props = { employee: Employee; onReset: (what: Door) => void };
const doors = ['reset-password', 'second-factor', 'sign-in-block'] as const;

/** A person's sign-in, roles and permissions, and the users who may see the record. */
export function AccessTab({ employee, onReset }: Props) {
  const { can } = useSession();
  const isSeen = can('employees.reset_password') && employee.user !== null;
  return (
    <Stack gap={28} maw="62rem" p="gutter">
      {isSeen && <Blocks employee={employee} />}
      <SignIn employee={employee} onReset={onReset} />
      {isSeen && <Ways employeeId={employee.id} />}
      {can('employees.assign_roles') && employee.user !== null && <Rights employee={employee} />}
    </Stack>
  );
}

type Door = (typeof doors)[number];

function SignIn({ employee, onReset }: Props) {
  const t = useTranslations('access');
  const end = useSend(employeePasswords.endSessions);
  const { user } = employee;
  return (
    <DescriptionList title={t('signIn')} items={useSignInItems(employee)}>
      {doors.some((door) => employee.allowed_actions.includes(door)) && (
        <Doors employee={employee} end={end} onReset={onReset} />
      )}
      {user?.address_change && employee.allowed_actions.includes('update') && (
        <Group gap={8} mt={14} mb={4}>
          <CancelAddressChange employee={employee} />
        </Group>
      )}
      {user === null && <p className="muted">{t('noSignIn')}</p>}
      <ErrorNotice error={end.error} />
    </DescriptionList>
  );
}

const icons = { 'reset-password': IconKey, 'second-factor': IconShieldOff, 'sign-in-block': IconLock };

type DoorsProps = Props & { end: ReturnType<typeof useSend<typeof employeePasswords.endSessions>> };

/** The actions of other users on the account: reset the password, end the sessions, block the sign-in. */
function Doors({ employee, end, onReset }: DoorsProps) {
  const { id, user, display_name: name } = employee;
  const t = useTranslations('access');
  const tProfile = useTranslations('profile');
  const toast = useToast();
  const isOffByHand = useBlocks(employee).some((block) => block.by_hand);
  const may = (door: Door) => employee.allowed_actions.includes(door) && !(door === 'sign-in-block' && isOffByHand);
  const button = (door: Door) => {
    const Icon = icons[door];
    return (
      may(door) && (
        <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => onReset(door)}>
          {tProfile(`do.${door}`)}
        </Button>
      )
    );
  };
  const ended = () => toast({ text: t('ended', { name }) });
  return (
    <Group gap={8} mt={14} mb={4}>
      {user && may('reset-password') && passwordState(user) !== 'active' && <Invitation employee={employee} />}
      {button('reset-password')}
      {may('reset-password') && (
        <Button
          variant="default"
          leftSection={<IconLogout size={16} aria-hidden />}
          loading={end.isPending}
          onClick={() => end.mutate({ params: { id } }, { onSuccess: ended })}
        >
          {t('endSessions')}
        </Button>
      )}
      {button('second-factor')}
      {button('sign-in-block')}
    </Group>
  );
}

/** What is known of a person's sign-in; without a user only the address. */
function useSignInItems({ email, user }: Employee) {
  const t = useTranslations('access');
  const tProfile = useTranslations('profile');
  return [
    email !== null && { label: t('email'), value: <bdi>{breakable(email)}</bdi> },
    user !== undefined && {
      label: tProfile('field.account'),
      value: tProfile(`account.${user ? passwordState(user) : 'noSignIn'}`),
    },
    !!user?.invitation && {
      label: t('invitation'),
      value: <InvitationDays {...user.invitation} isOpen={passwordState(user) === 'invited'} />,
    },
    !!user?.address_change && {
      label: t('addressChange'),
      value: <AddressChange {...user.address_change} />,
    },
    !!user && {
      label: tProfile('field.last_login_at'),
      value: user.last_login_at ? <Moment value={user.last_login_at} /> : null,
    },
  ];
}

/** A new sign-in address that is not confirmed yet. */
function AddressChange({ email, expires_at }: { email: string; expires_at: string }) {
  const t = useTranslations('access');
  const format = useFormatter();
  const until = format.dateTime(new Date(expires_at), { dateStyle: 'medium', timeStyle: 'short' });
  return <bdi>{t('addressChangeIs', { email, until })}</bdi>;
}

/** Cancels the change of the sign-in address. */
function CancelAddressChange({ employee: { id, display_name: name } }: { employee: Employee }) {
  const t = useTranslations('access');
  const toast = useToast();
  const cancel = useSend(employeePasswords.cancelAddressChange);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconMailOff size={16} aria-hidden />}
        loading={cancel.isPending}
        onClick={() =>
          cancel.mutate({ params: { id } }, { onSuccess: () => toast({ text: t('changeCancelled', { name }) }) })
        }
      >
        {t('cancelChange')}
      </Button>
      <ErrorNotice error={cancel.error} />
    </>
  );
}

type InvitationProps = { sent_at: string; expires_at: string; isOpen: boolean };

function InvitationDays({ sent_at, expires_at, isOpen }: InvitationProps) {
  const t = useTranslations('access.invitationIs');
  const format = useFormatter();
  const say = (moment: string) => format.dateTime(new Date(moment), { dateStyle: 'medium', timeStyle: 'short' });
  return <>{t(isOpen ? 'open' : 'over', { sent: say(sent_at), until: say(expires_at) })}</>;
}

/** Invites a person without a password of their own, sends the invitation again, or withdraws it. */
function Invitation({ employee: { id, display_name: name, user } }: { employee: Employee }) {
  const t = useTranslations('access');
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const withdraw = useSend(employeePasswords.withdrawInvitation);
  const isInvited = !!user?.invitation;
  return (
    <>
      <Button leftSection={<IconMailForward size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t(isInvited ? 'inviteAgain' : 'invite')}
      </Button>
      {isInvited && (
        <Button
          variant="default"
          leftSection={<IconMailOff size={16} aria-hidden />}
          loading={withdraw.isPending}
          onClick={() =>
            withdraw.mutate({ params: { id } }, { onSuccess: () => toast({ text: t('withdrawn', { name }) }) })
          }
        >
          {t('withdraw')}
        </Button>
      )}
      <ErrorNotice error={withdraw.error} />
      {isOpen && (
        <Suspense fallback={null}>
          <PasswordsDialog
            purpose="invitation"
            name={`person ${id}`}
            load={() => Promise.resolve([id])}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}

function Rights({ employee }: { employee: Employee }) {
  const t = useTranslations('access');
  const query = useQuery(load(access.roles, { params: { id: employee.id } }));
  if (query.isPending) return <LoadingLines lines={4} />;
  // A 404: the user may see the person but not assign roles to them.
  if (hasStatus(query.error, 404)) return <p className="muted">{t('beyond')}</p>;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <Roles employee={employee} held={query.data.data} />
      <Permissions held={query.data.data} />
      <AccessExplanation employee={employee} />
    </>
  );
}
