import { messages } from '@tenure/contract';
import type { BodyOut, ReplyIn, RoleDemand, secondFactorDemands } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { Ctx, ServiceCtx, WriteCtx } from '../../http/context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { accountTables, hasFactor, maySignIn } from './accounts.ts';

/** The days from which roles require a second factor. */

type Listed = ReplyIn<typeof secondFactorDemands.list>['data'];

/** Today's date as the session guard counts days. */
const today = () => Temporal.Now.plainDateISO('UTC').toString();

/** Refuses a past day, because no one would have been notified of the requirement. A stored day can stay. */
export function checkDay(before: string | null, after: string | null): void {
  if (after !== null && after !== before && after < today())
    throw invalid('second_factor_from', messages.afterOrEqual('today'));
}

/** Stores that an administrator has decided about second factors. */
export const recordDecision = (db: Db) =>
  sql`update installation set second_factor_decided_at = now() where second_factor_decided_at is null`.execute(db);

const demandOf = sql`
  r.id, r.name, r.is_system, r.second_factor_from, r.revision,
  coalesce(h.holders, 0)::int as holders_count, coalesce(h.missing, 0)::int as without_factor_count
  from roles r left join (
    select a.role_id, count(*) as holders, count(*) filter (where not ${hasFactor}) as missing
    from role_assignments a join ${accountTables} on u.id = a.user_id
    where ${maySignIn}
    group by a.role_id) as h on h.role_id = r.id`;

/** The requirements of all roles, with the people whom they affect. */
export async function listDemands(db: Db): Promise<Listed> {
  const { rows: roles } = await sql<RoleDemand>`
    select ${demandOf} order by r.is_system desc, case when r.is_system then r.id end, fold(r.name) collate "C", r.id`.execute(
    db,
  );
  const { rows } = await sql<{ is_decided: boolean }>`
    select i.second_factor_decided_at is not null
           or exists (select from sign_in_policies p where p.second_factor_from is not null) as is_decided
    from installation i`.execute(db);
  const isDemanded = roles.some(({ second_factor_from }) => second_factor_from !== null);
  return { is_decided: isDemanded || (rows[0]?.is_decided ?? false), roles };
}

/** The requirement of a role. Throws 404. */
export async function readDemand(db: Db, id: number): Promise<RoleDemand> {
  const { rows } = await sql<RoleDemand>`select ${demandOf} where r.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type Stored = Pick<RoleDemand, 'id' | 'name' | 'is_system' | 'second_factor_from' | 'revision'>;

/** Finds and locks a role for a change of its requirement. Throws 404. */
export async function lockDemand(db: Db, id: number): Promise<Stored> {
  // sign-ins happen before or after, as with the rules of companies
  await sql`select from sign_in_policies where entity_id is null for update`.execute(db);
  const { rows } = await sql<Stored>`
    select r.id, r.name, r.is_system, r.second_factor_from, r.revision from roles r where r.id = ${id} for update`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type UpdateCtx = ServiceCtx & Pick<Ctx, 'afterCommit'> & { body: BodyOut<typeof secondFactorDemands.updateRole> };

/** Requires a second factor of the holders of a role from a day on, or stops requiring it. */
export async function setDemand(ctx: UpdateCtx, role: Stored): Promise<void> {
  const { db, body } = ctx;
  checkRevision(role, body, role.is_system ? 'built_in' : 'custom');
  const { second_factor_from } = body;
  checkDay(role.second_factor_from, second_factor_from);
  if (second_factor_from === role.second_factor_from) return;
  await db.updateTable('roles').set({ second_factor_from }).where('id', '=', role.id).execute();
  if (second_factor_from !== null) await recordDecision(db);
  await record(ctx, {
    action: 'role.updated',
    subject_id: role.id,
    subject_label: role.name,
    changes: changesBetween(role, { second_factor_from }),
  });
  const { deps, request, actor } = ctx;
  const line = { event: 'role_changed', request_id: request.id, user_id: actor.user_id, role_id: role.id };
  ctx.afterCommit(() => deps.log.info({ ...line, verb: 'updated', fields: ['second_factor_from'] }, 'a role changed'));
}

/** Records once that an administrator confirmed the current requirements. */
export async function decide(ctx: WriteCtx): Promise<void> {
  const { numAffectedRows = 0n } = await recordDecision(ctx.db);
  if (numAffectedRows > 0n) await record(ctx, { action: 'sign_in_policy.decided', subject_label: null, changes: {} });
}
