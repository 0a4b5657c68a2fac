import type { SentPurpose } from '@tenure/contract';
import { sql } from 'kysely';
import { randomId } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import { hrOfEach } from './hr-pool.ts';
import { notify, notifyEach } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts, administrators } from './recipients.ts';
import type { VariantOf } from './words.ts';

/** Notifications about accounts. The owner is notified of own changes too: an attacker may have made them. */

/** A person who gives others a way to sign in. */
export type IssuerCtx = { db: Db; actor: { user_id: number; name: string }; request: { id: string } };

/** Notifies the owners and the administrators that the actor issued one-time passwords and saw them. */
export async function notifyPasswordsShown(
  { db, actor, request }: IssuerCtx,
  userIds: readonly number[],
): Promise<void> {
  const [first] = userIds;
  if (first === undefined) return;
  await notifyEach(
    { db, actor },
    'password_reset_by_admin',
    { type: 'account' },
    sql`
      select u.id as user_id, u.id as subject_id, u.session_epoch::text as round, '/profile' as url,
             jsonb_build_object('actor', ${actor.name}::text) as params, 'plain' as variant, null::text as copy_to
      from users u where u.id = any(${userIds}::bigint[])`,
  );
  await notifyEach(
    { db, actor },
    'password_shown',
    { type: 'account' },
    sql`
      select admin.id as user_id, about.id as subject_id, ${request.id}::text as round,
             ${userIds.length > 1 ? sql`'/audit-log'` : sql`coalesce('/employees/' || e.id, '/audit-log')`} as url,
             jsonb_build_object('actor', ${actor.name}::text, 'person', coalesce(e.name, about.email),
                                'count', ${userIds.length}::int) as params,
             ${userIds.length > 1 ? 'many' : 'plain'}::text as variant, null::text as copy_to
      from users about left join employees e on e.user_id = about.id
      join users admin on admin.is_admin and admin.id <> all(${userIds}::bigint[])
      where about.id = ${first}`,
  );
}

/** Sends links to choose a password; the person who asked for the links never sees them. */
export async function sendPasswordLinks(
  { db, actor }: IssuerCtx,
  userIds: readonly number[],
  purpose: SentPurpose,
): Promise<void> {
  if (userIds.length === 0) return;
  await notifyEach(
    { db, actor },
    'password_link',
    { type: 'account_link' },
    sql`
      select l.user_id, l.id as subject_id, '1' as round, '/profile' as url,
             jsonb_build_object('actor', ${actor.name}::text, 'address', l.email) as params,
             ${purpose === 'invitation' ? 'invitation' : 'plain'}::text as variant, null::text as copy_to
      from account_links l
      where l.user_id = any(${userIds}::bigint[]) and l.purpose = ${purpose} and l.used_at is null and l.revoked_at is null`,
  );
}

/** Sends the link to a new password that a person asked for. */
export async function notifyResetRequested(
  db: Db,
  { user_id, address, link }: { user_id: number; address: string; link: number },
): Promise<void> {
  await notify({ db, actor: null }, 'password_request', {
    subject: { type: 'account', id: user_id },
    round: link,
    url: '/profile',
    params: { address },
    to: accounts([user_id]),
  });
}

/** Tells the person that another address is to be confirmed. Each address gets a mail with a link of its own. */
export async function notifyAddressChange(
  { db, actor }: Pick<IssuerCtx, 'db' | 'actor'>,
  { user_id, to, round }: { user_id: number; to: string; round: number },
): Promise<void> {
  await notify({ db, actor }, 'address_change', {
    subject: { type: 'account', id: user_id },
    round,
    url: '/profile',
    params: { actor: actor.name, address: to },
    to: accounts([user_id]),
    even_actor: true,
    copy_to: to,
  });
}

/** Tells the person who changes an address that its owner stopped that. */
export async function notifyAddressStopped(
  db: Db,
  { by, user_id, name, link }: { by: number | null; user_id: number; name: string; link: number },
): Promise<void> {
  await notify({ db, actor: null }, 'account_security_notice', {
    subject: { type: 'account', id: user_id },
    round: `stopped-${link}`,
    variant: 'address_stopped',
    url: '/audit-log',
    params: { person: name, ip: null, device: null },
    to: accounts([by]),
  });
}

/** Notifies people of their new sign-in address, at the old address too. */
export async function notifyAddressChanged(
  context: NotifyContext,
  changes: readonly { user_id: number; from: string; to: string }[],
): Promise<void> {
  if (changes.length === 0) return;
  await notifyEach(
    context,
    'account_security_notice',
    { type: 'account', even_actor: true },
    sql`
      select u.id as user_id, u.id as subject_id, 'email-' || u.session_epoch as round, '/profile' as url,
             jsonb_build_object('address', c."to") as params, 'email' as variant, c."from" as copy_to
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (user_id bigint, "from" text, "to" text)
      join users u on u.id = c.user_id`,
  );
}

/** Notifies people whose password is void, the people who can reset it, and the administrators. */
export async function notifyPasswordVoided(db: Db, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  const subjects = sql`
    select id as subject_id, id as employee_id, entity_id, department_id from employees
    where user_id = any(${userIds}::bigint[])`;
  await notifyEach(
    { db, actor: null },
    'account_security_notice',
    { type: 'account' },
    sql`
      with helpers as (
        select e.user_id as subject_id, h.user_id, '/employees/' || e.id as url
        from (${hrOfEach('employees.reset_password', subjects, { ofAdminsByAdmins: true })}) as h
        join employees e on e.id = h.subject_id
        union
        select u.id, a.id, coalesce('/employees/' || e.id, '/audit-log')
        from users u left join employees e on e.user_id = u.id
        join users a on a.is_admin and a.id <> u.id
        where u.id = any(${userIds}::bigint[])
      ), notified as (
        select subject_id, user_id, url, 'voided_other' as variant from helpers
        union all
        select id, id, '/profile', 'voided' from users where id = any(${userIds}::bigint[])
      )
      select t.user_id, t.subject_id, 'voided-' || u.session_epoch as round, t.url,
             jsonb_build_object('person', coalesce(e.name, u.email)) as params, t.variant, null::text as copy_to
      from notified t join users u on u.id = t.subject_id left join employees e on e.user_id = u.id`,
  );
}

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
  },
): Promise<number> {
  const { device, count, provider, ...rest } = notice;
  return notify({ db, actor: { user_id: userId } }, 'account_security_notice', {
    ...rest,
    subject: { type: 'account', id: userId },
    url: '/profile',
    params: {
      ip: device.ip,
      device: device.user_agent.slice(0, 255),
      ...(count !== undefined && { count }),
      ...(provider !== undefined && { provider }),
    },
    to: accounts([userId]),
    even_actor: true,
  });
}

/** Notifies the person that the own password changed. */
export async function notifyPasswordChanged(db: Db, userId: number, sessionId: number, device: Device): Promise<void> {
  await notifyOwner(db, userId, { round: `password-${sessionId}`, variant: 'password', device });
}

/** Notifies the person that a link changed the own password. */
export async function notifyLinkUsed(db: Db, userId: number, linkId: number, device: Device): Promise<void> {
  await notifyOwner(db, userId, { round: `link-${linkId}`, variant: 'password', device });
}

/** Notifies the person of a second factor that came or went: `round` tells two of them apart. */
export async function notifyFactor(
  db: Db,
  userId: number,
  {
    variant,
    round,
    ...device
  }: Device & {
    variant: 'factor_added' | 'factor_removed' | 'recovery_codes';
    round: string;
  },
): Promise<void> {
  await notifyOwner(db, userId, { round: `${variant}-${round}`, variant, device });
}

/** Notifies the person that the actor took their second factor away. */
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

/** Notifies the person that a recovery code was used; `left` are unused. */
export async function notifyRecoveryCodeUsed(
  db: Db,
  userId: number,
  { session_id, left, ...device }: Device & { session_id: number; left: number },
): Promise<void> {
  await notifyOwner(db, userId, { round: `recovery-${session_id}`, variant: 'recovery_code', count: left, device });
}

/** Notifies the person that wrong codes followed the right password. */
export async function notifyManyCodes(
  db: Db,
  userId: number,
  { step, count, ...device }: Device & { step: string; count: number },
): Promise<void> {
  await notifyOwner(db, userId, { round: `codes-${step}`, variant: 'codes', count, device });
}

/** Notifies the person of another way to sign in: their account at a provider. */
export async function notifyIdentityLinked(
  db: Db,
  userId: number,
  identity: { id: number; provider: string },
  device: Device,
): Promise<void> {
  const { id, provider } = identity;
  await notifyOwner(db, userId, { round: `identity-${id}`, variant: 'identity_linked', provider, device });
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

/** Notifies all administrators that a provider names other addresses or algorithms than before. */
export async function notifyProviderChanged(
  db: Db,
  { id, name, fields }: { id: number; name: string; fields: readonly string[] },
): Promise<void> {
  await notify({ db, actor: null }, 'sso_provider_changed', {
    subject: { type: 'identity_provider', id },
    round: randomId(),
    url: '/audit-log',
    params: { provider: name, fields: fields.join(', ') },
    to: administrators,
  });
}

/** Removes version numbers, so that an updated browser does not count as a new device. */
const unversioned = (column: string) => sql`regexp_replace(${sql.ref(column)}, '[0-9][0-9._]*', '', 'g')`;

/** True when the account has earlier sessions and none of them used such a browser. */
async function isNewDevice(db: Db, userId: number, sessionId: number): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean }>`
    select count(*) > 0 and not bool_or(${unversioned('s.user_agent')} is not distinct from ${unversioned('fresh.user_agent')})
             as is_new
    from session_register s, session_register fresh
    where fresh.id = ${sessionId} and s.user_id = ${userId} and s.id <> fresh.id`.execute(db);
  return rows[0]?.is_new ?? false;
}

const suspiciousFailures = 5;

/** Notifies the person of a sign-in from a new device or after many failed attempts. */
export async function notifySignIn(
  db: Db,
  userId: number,
  { session_id, failures, ...device }: Device & { session_id: number; failures: number },
): Promise<void> {
  if (failures >= suspiciousFailures)
    await notifyOwner(db, userId, { round: `failures-${session_id}`, variant: 'failures', count: failures, device });
  else if (await isNewDevice(db, userId, session_id))
    await notifyOwner(db, userId, { round: `device-${session_id}`, device });
}
