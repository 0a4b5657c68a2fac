import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { isActive, isSoonOver, unusedFrom } from '../../access/token-tables.ts';
import type { Kind } from './kind.ts';

/** Tasks about accounts and tokens. They belong to no company. */

const ofNone = { entity: sql`null::bigint`, department: sql`null::bigint`, employee: sql`null::bigint` };

/** Tasks of all users who hold the permission. */
const managers = (pool: Permission): Kind['assignee'] => ({
  pool,
  of: (actor) => (holds(actor, pool) ? sql<SqlBool>`true` : sql<SqlBool>`false`),
});

/** Tasks of all users who hold the permission for all companies. */
const managersOfAll = (pool: Permission): Kind['assignee'] => ({
  pool,
  of: (actor) => (reachOf(actor, pool).everything ? sql<SqlBool>`true` : sql<SqlBool>`false`),
});

const maySignIn = sql<SqlBool>`
  o.is_enabled and (p.id is null or may_sign_in(p.activity_status, p.early_access, p.deleted_at))`;
const hasOwner = sql<SqlBool>`exists (
  select from users o left join employees p on p.user_id = o.id where o.id = any(s.owner_ids) and ${maySignIn})`;

/** The accounts whose tokens an actor manages: their own, and the service accounts they own. */
const looksAfter = ({ user_id }: Actor): RawBuilder<SqlBool> => sql<SqlBool>`t.user_id in (
  select ${user_id}::bigint
  union all select o.user_id from service_accounts o where o.owner_ids @> array[${user_id}::bigint])`;

const tokens = sql`api_tokens t join users u on u.id = t.user_id cross join installation i`;
const ofProgram = sql<SqlBool>`t.kind <> 'provisioning' and ${isActive}`;

/** The recovery codes of an account, queried for the reader only. */
const codesOf = sql`users b cross join lateral (
  select count(*) filter (where r.used_at is null) as unused, max(r.used_at) as last_used_at
  from recovery_codes r where r.user_id = b.id) as c`;
const lastCode = sql`coalesce(c.last_used_at, b.updated_at)`;
const hasOwnFactor = sql<SqlBool>`exists (
  select from authenticators a where a.user_id = b.id
    and case when a.kind = 'passkey' then factor_works(a) else a.confirmed_at is not null end)`;

const idle = sql`(greatest(b.last_login_at, b.created_at) + interval '180 days')`;
const dayOf = (moment: RawBuilder<unknown>) => sql`(${moment} at time zone 'UTC')::date`;

export const identityKinds: readonly Kind[] = [
  {
    kind: 'service_account_without_owner',
    subject: 'service_account',
    from: sql`service_accounts s join users u on u.id = s.user_id`,
    while: sql`u.is_enabled and not ${hasOwner}`,
    subject_id: sql`s.user_id`,
    columns: ofNone,
    assignee: managers('service-accounts.manage'),
    // there is no record of when the last owner left
    due: sql`(now() at time zone 'UTC')::date + 7`,
    since: sql`s.updated_at`,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(s.name)) > 0`,
    actions: ['update'],
  },
  {
    kind: 'token_unused',
    subject: 'token',
    from: tokens,
    // a token that expires soon has a task for that instead
    while: sql`${ofProgram} and ${unusedFrom} < now() and not ${isSoonOver}`,
    subject_id: sql`t.id`,
    columns: ofNone,
    assignee: { pool: 'tokens.create', of: looksAfter },
    due: sql`${dayOf(unusedFrom)} + 14`,
    since: unusedFrom,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(t.name)) > 0`,
    actions: ['delete'],
  },
  {
    kind: 'token_ending',
    subject: 'token',
    from: tokens,
    while: sql`${ofProgram} and ${isSoonOver}`,
    subject_id: sql`t.id`,
    columns: ofNone,
    assignee: { pool: 'tokens.create', of: looksAfter },
    due: dayOf(sql`t.expires_at`),
    since: sql`greatest(t.expires_at - interval '14 days', t.created_at)`,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(t.name)) > 0`,
    actions: ['delete'],
  },
  {
    kind: 'recovery_codes_low',
    subject: 'recovery_codes',
    from: codesOf,
    while: sql`c.unused < 3 and ${hasOwnFactor}`,
    subject_id: sql`b.id`,
    columns: ofNone,
    assignee: { pool: 'tokens.create', of: ({ user_id }) => sql<SqlBool>`b.id = ${user_id}::bigint` },
    due: sql`${dayOf(lastCode)} + 14`,
    since: lastCode,
    isNamed: () => sql<SqlBool>`false`,
    actions: ['create'],
  },
  {
    kind: 'emergency_account_unused',
    subject: 'emergency_account',
    from: sql`users b left join employees e on e.user_id = b.id`,
    while: sql`b.break_glass and b.is_enabled and ${idle} < now()`,
    subject_id: sql`b.id`,
    columns: ofNone,
    assignee: managers('identity.manage'),
    due: sql`${dayOf(idle)} + 30`,
    since: idle,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(coalesce(e.name, b.email))) > 0`,
    actions: ['sign-in'],
  },
  {
    kind: 'webhook_stopped',
    subject: 'webhook',
    from: sql`webhooks w`,
    // the person who paused it knows
    while: sql`(w.status = 'disabled' or w.status = 'paused' and w.reason = 'more_rights')`,
    subject_id: sql`w.id`,
    columns: ofNone,
    assignee: managersOfAll('webhooks.manage'),
    due: sql`${dayOf(sql`w.updated_at`)} + 7`,
    since: sql`w.updated_at`,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(w.name)) > 0`,
    actions: ['delete'],
  },
  {
    kind: 'chat_target_stopped',
    subject: 'chat_target',
    from: sql`chat_targets c`,
    while: sql`c.status = 'stopped'`,
    subject_id: sql`c.id`,
    columns: ofNone,
    assignee: managersOfAll('webhooks.manage'),
    due: sql`${dayOf(sql`c.updated_at`)} + 7`,
    since: sql`c.updated_at`,
    isNamed: (word) => sql<SqlBool>`position(${word}::text in fold(c.name)) > 0`,
    actions: ['delete'],
  },
];
