import { messages, text } from '@tenure/contract';
import type { BreakGlassAccount } from '@tenure/contract';
import { sql } from 'kysely';
import { endRolesOf } from '../../access/provider-roles.ts';
import { record } from '../../audit.ts';
import type { Acting } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { ownReason } from '../../languages/answer.ts';
import { unlinkAll } from '../../sso/identities.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { accountTables, couldHelp, hasFactor, maySignIn } from './accounts.ts';

const columns = sql`u.id as user_id, coalesce(e.name, u.email) as name, u.email, u.last_login_at,
  u.password_hash is not null as has_password, ${hasFactor} as has_second_factor,
  (select max(l.at) from audit_log l
   where l.action = 'break_glass.used' and l.subject_type = 'break_glass' and l.subject_id = u.id) as last_used_at`;

const reason = ownReason('reasons.emergency_account');

type Listed = { accounts: BreakGlassAccount[]; candidates: BreakGlassAccount[]; revision: number };

/** The emergency accounts, and the administrators who could become one. */
export async function listBreakGlass(db: Db): Promise<Listed> {
  const { rows } = await sql<BreakGlassAccount & { is_chosen: boolean }>`
    select ${columns}, u.break_glass as is_chosen from ${accountTables}
    where u.break_glass or u.is_admin and ${maySignIn}
    order by u.break_glass desc, ${hasFactor} desc, fold(coalesce(e.name, u.email)), u.id
    limit ${maxListed}`.execute(db);
  const chosen = ({ is_chosen }: { is_chosen: boolean }) => is_chosen;
  const shown = ({ is_chosen: _chosen, ...account }: (typeof rows)[number]) => account;
  return {
    accounts: rows.filter(chosen).map(shown),
    candidates: rows.filter((row) => !chosen(row)).map(shown),
    ...(await readRevision(db)),
  };
}

/** Increases with each account that becomes an emergency account or stops being one. */
async function readRevision(db: Db): Promise<{ revision: number }> {
  const { rows } = await sql<{ revision: number }>`select break_glass_revision as revision from installation`.execute(
    db,
  );
  return rows[0] as { revision: number };
}

/** Installations have a handful of administrators. */
const maxListed = 200;

type Provisioned = { connection_id: number; connection: string; user_id: number; name: string; entity_id: number };

/**
 * Records that accounts leave their SCIM connections, and removes the roles from there: the database would do both
 * anyway, but without a record.
 */
async function leaveConnections(acting: Acting, userIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Provisioned>`
    select c.id as connection_id, c.name as connection, s.user_id, e.name, e.entity_id
    from scim_users s join scim_connections c on c.id = s.connection_id join employees e on e.user_id = s.user_id
    where s.user_id = any(${userIds}::bigint[]) order by s.user_id`.execute(acting.db);
  for (const { connection_id: id, connection, user_id, name, entity_id } of rows) {
    await endRolesOf(acting, { kind: 'scim_connection', id, name: connection }, [user_id]);
    await record(acting, {
      action: 'scim_user.deleted',
      subject_id: user_id,
      subject_label: name,
      entity_id,
      reason,
    });
  }
}

type Chosen = { user_ids: readonly number[]; revision?: number | undefined };

/**
 * Chooses the emergency accounts: administrators with a second factor. Removes their links to providers and
 * connections. Throws 422 if the accounts changed since the revision.
 */
export async function setBreakGlass({ db, actor, request }: WriteCtx, chosen: Chosen): Promise<void> {
  const userIds = [...new Set(chosen.user_ids)];
  // a rule that is being enabled sees the accounts from before or from after
  await sql`select from sign_in_policies where entity_id is null for update`.execute(db);
  const { accounts: before, revision } = await listBreakGlass(db);
  checkRevision({ revision }, chosen, before.length > 0 ? 'chosen' : 'none');
  // a statement that began after the lock reads their factors
  await sql`select from users where id = any(${userIds}::bigint[]) order by id for no key update`.execute(db);
  const { rows } = await sql<BreakGlassAccount & { is_admin: boolean; password_sign_in: boolean }>`
    select ${columns}, u.is_admin, u.password_sign_in from ${accountTables} where u.id = any(${userIds}::bigint[])
    order by u.id`.execute(db);
  userIds.forEach((id, index) => {
    const account = rows.find(({ user_id }) => user_id === id);
    if (!account?.is_admin) throw invalid(`user_ids.${index}`, messages.unavailable);
    if (!account.has_second_factor) throw invalid(`user_ids.${index}`, text('policies.needs_second_factor'));
    if (!account.password_sign_in) throw invalid(`user_ids.${index}`, text('policies.needs_password'));
  });
  await leaveConnections({ db, actor, request }, userIds);
  await sql`
    update users set break_glass = id = any(${userIds}::bigint[])
    where break_glass is distinct from (id = any(${userIds}::bigint[]))`.execute(db);
  await unlinkAll({ db, actor, request }, userIds, reason);
  await sql`
    update session_register s set revoked_at = now(), reason = 'sign-in rule'
    where s.user_id = any(${before.map(({ user_id }) => user_id)}::bigint[]) and s.revoked_at is null
      and s.method <> 'sso' and demanded_providers(s.user_id) is not null`.execute(db);
  await refuseNone(db);
  const labels = (accounts: readonly BreakGlassAccount[]) => accounts.map(({ name }) => name).toSorted();
  await record(
    { db, actor, request },
    { action: 'break_glass.updated', changes: { accounts: { from: labels(before), to: labels(rows) } } },
  );
}

/** While any rule requires a provider, an account must remain that can sign in without one. */
async function refuseNone(db: Db): Promise<void> {
  const { rows } = await sql`
    select from sign_in_policies where sso_required
      and not exists (select from ${accountTables} where ${couldHelp}) limit 1`.execute(db);
  if (rows.length > 0) throw invalid('user_ids', text('policies.no_break_glass'));
}
