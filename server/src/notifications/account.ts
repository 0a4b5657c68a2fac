import type { SentPurpose } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import { hrOfEach } from './hr-pool.ts';
import { notify, notifyEach } from './notify.ts';
import type { NotifyContext } from './notify.ts';
import { accounts } from './recipients.ts';

/** Notifications about accounts. Owners are notified of their own changes too: an attacker may have made them. */

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

/** The variant of an invitation: for people who sign in through a provider, the mail has no link. */
const ofInvitation = sql`case when demanded_providers(l.user_id) is null then 'invitation' else 'provider_invitation' end`;

/** Sends links for choosing a password; the person who requested the links never sees them. */
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
             ${purpose === 'invitation' ? ofInvitation : sql`'plain'`} as variant, null::text as copy_to
      from account_links l
      where l.user_id = any(${userIds}::bigint[]) and l.purpose = ${purpose} and l.used_at is null and l.revoked_at is null`,
  );
}

/** Sends the password link that a user requested. */
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

/** Notifies the user that another address is to be confirmed. Each address gets a mail with its own link. */
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

/** Notifies the person who changes an address that its owner stopped the change. */
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

/** Notifies people of their new sign-in address, also at the old address. */
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
