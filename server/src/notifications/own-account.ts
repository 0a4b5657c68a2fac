import type { Db } from '../db/connect.ts';
import { notify } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts, administrators } from './recipients.ts';
import type { VariantOf } from './words.ts';

/** Notifies account owners of their own actions, because an attacker may have acted instead. */

type Device = { ip: string; user_agent: string };

function notifyOwner(
  db: Db,
  userId: number,
  notice: {
    round: string;
    variant?: VariantOf<'account_security_notice'>;
    device: Device;
    count?: number;
    provider?: string;
    token?: string;
  },
): Promise<number> {
  const { device, count, provider, token, ...rest } = notice;
  return notify({ db, actor: { user_id: userId } }, 'account_security_notice', {
    ...rest,
    subject: { type: 'account', id: userId },
    url: '/profile',
    params: {
      ip: device.ip,
      device: device.user_agent.slice(0, 255),
      ...(count !== undefined && { count }),
      ...(provider !== undefined && { provider }),
      ...(token !== undefined && { token }),
    },
    to: accounts([userId]),
    even_actor: true,
  });
}

/** Notifies users that their password changed. */
export async function notifyPasswordChanged(db: Db, userId: number, sessionId: number, device: Device): Promise<void> {
  await notifyOwner(db, userId, { round: `password-${sessionId}`, variant: 'password', device });
}

/** Notifies users that a link changed their password. */
export async function notifyLinkUsed(db: Db, userId: number, linkId: number, device: Device): Promise<void> {
  await notifyOwner(db, userId, { round: `link-${linkId}`, variant: 'password', device });
}

/** What people change about their own factors. */
export type OwnFactorVariant =
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_codes'
  | 'passkey_added'
  | 'passkey_removed'
  | 'password_off'
  | 'password_on';

/** Notifies users of an added or removed second factor: `round` distinguishes two of them. */
export async function notifyFactor(
  db: Db,
  userId: number,
  {
    variant,
    round,
    ...device
  }: Device & {
    variant: OwnFactorVariant;
    round: string;
  },
): Promise<void> {
  await notifyOwner(db, userId, { round: `${variant}-${round}`, variant, device });
}

/** Notifies users that the actor removed their second factor. */
export async function notifyFactorReset(context: NotifyContext, userId: number, round: string): Promise<void> {
  await notify(context, 'account_security_notice', {
    round: `factor-reset-${round}`,
    variant: 'factor_reset',
    subject: { type: 'account', id: userId },
    url: '/profile',
    params: { ip: null, device: null },
    to: accounts([userId]),
  });
}

/** Notifies users that a recovery code was used; `left` are still unused. */
export async function notifyRecoveryCodeUsed(
  db: Db,
  userId: number,
  { session_id, id, left, ...device }: Device & { id: string; session_id?: number; left: number },
): Promise<void> {
  const round = `recovery-${session_id ?? id}`;
  await notifyOwner(db, userId, { round, variant: 'recovery_code', count: left, device });
}

/** Notifies users that wrong codes followed the correct password. */
export async function notifyManyCodes(
  db: Db,
  userId: number,
  { step, count, ...device }: Device & { step: string; count: number },
): Promise<void> {
  await notifyOwner(db, userId, { round: `codes-${step}`, variant: 'codes', count, device });
}

/** Notifies users of wrong codes entered with a password link: the person who entered them can read their mail. */
export async function notifyLinkCodes(
  db: Db,
  userId: number,
  { link, count, ...device }: Device & { link: string; count: number },
): Promise<void> {
  await notifyOwner(db, userId, { round: `codes-${link}`, variant: 'link_codes', count, device });
}

/** Notifies users of another way to sign in: their account at a provider. */
export async function notifyIdentityLinked(
  db: Db,
  userId: number,
  identity: { id: number; provider: string },
  device: Device,
): Promise<void> {
  const { id, provider } = identity;
  await notifyOwner(db, userId, { round: `identity-${id}`, variant: 'identity_linked', provider, device });
}

/** Notifies users of a token for their account, because its holder can act in their name. */
export async function notifyTokenMade(
  db: Db,
  userId: number,
  { id, name, ...device }: Device & { id: number; name: string },
): Promise<void> {
  await notifyOwner(db, userId, { round: `token-${id}`, variant: 'token_made', token: name, device });
}

/** Notifies users of an address at which calendar applications read their tasks. */
export async function notifyFeedMade(db: Db, userId: number, { id, ...device }: Device & { id: number }) {
  await notifyOwner(db, userId, { round: `calendar-${id}`, variant: 'calendar_feed_made', device });
}

/** Notifies the owners of a service account that the actor created a token for it. */
export async function notifyServiceToken(
  { db, actor }: { db: Db; actor: { user_id: number; name: string } },
  owners: readonly number[],
  { id, name, account }: { id: number; name: string; account: string },
): Promise<void> {
  await notify({ db, actor }, 'account_security_notice', {
    round: `token-${id}`,
    variant: 'service_token',
    subject: { type: 'token', id },
    url: '/settings/access-tokens',
    params: { ip: null, device: null, token: name, account, actor: actor.name },
    to: accounts(owners),
  });
}

/** Notifies the owners of a SCIM connection that the actor created its token. */
export async function notifyConnectionToken(
  { db, actor }: { db: Db; actor: { user_id: number; name: string } },
  owners: readonly number[],
  { id, connection }: { id: number; connection: { id: number; name: string } },
): Promise<void> {
  await notify({ db, actor }, 'account_security_notice', {
    round: `token-${id}`,
    variant: 'connection_token',
    subject: { type: 'token', id },
    url: `/settings/provisioning?connection=${connection.id}`,
    params: { ip: null, device: null, account: connection.name, actor: actor.name },
    to: accounts(owners),
  });
}

/** Notifies all administrators that an emergency account was used. */
export async function notifyBreakGlassUsed(
  db: Db,
  { user_id, session_id, name }: { user_id: number; session_id: number; name: string },
  { ip, user_agent }: Device,
): Promise<void> {
  await notify({ db, actor: { user_id } }, 'break_glass_used', {
    subject: { type: 'account', id: user_id },
    round: session_id,
    url: '/audit-log',
    params: { person: name, ip, device: user_agent.slice(0, 255) },
    to: administrators,
    even_actor: true,
  });
}

const suspiciousFailures = 5;

/** Notifies users of a sign-in from a new device or after many failed attempts. */
export async function notifySignIn(
  db: Db,
  userId: number,
  {
    session_id,
    failures,
    is_new_device,
    ...device
  }: Device & { session_id: number; failures: number; is_new_device: boolean },
): Promise<void> {
  if (failures >= suspiciousFailures)
    await notifyOwner(db, userId, { round: `failures-${session_id}`, variant: 'failures', count: failures, device });
  else if (is_new_device) await notifyOwner(db, userId, { round: `device-${session_id}`, device });
}
