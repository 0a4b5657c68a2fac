import { sql } from 'kysely';
import { record } from '../audit.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { notifyRolesChanged } from '../notifications/people.ts';
import { lockAccounts } from './cover.ts';
import { isFrom } from './role-sources.ts';
import type { RoleSource } from './role-sources.ts';

/** Roles from a provider or SCIM connection: how their gain and loss are recorded and notified. */

type HeldRole = { id: number; name: string; entity_ids: number[] | null; department_ids?: number[] };
type Holder = { user_id: number; id: number; name: string; entity_id: number; roles: HeldRole[] };
/** What people held, by account. */
export type HeldBefore = ReadonlyMap<number, Holder>;

/** The rights of people; nothing for accounts without a person, because no rule gives them a role. */
export async function heldBy(db: Db, userIds: readonly number[]): Promise<HeldBefore> {
  const { rows } = await sql<Holder>`
    select u.id as user_id, e.id, e.name, e.entity_id, u.roles
    from users u join employees e on e.user_id = u.id
    where u.id = any(${userIds}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row]));
}

const audited = ({ roles }: Holder) =>
  roles.map(({ name, entity_ids, department_ids }) => ({
    role: name,
    entity_ids,
    ...(department_ids && { department_ids }),
  }));

/** Locks people with their accounts, in the same order as other changes to a person. */
export async function lockPeople(db: Db, userIds: readonly number[]): Promise<void> {
  await sql`select from employees where user_id = any(${userIds}::bigint[]) order by id for no key update`.execute(db);
  await lockAccounts(db, userIds);
}

/** Records the changes since `before` and notifies the people. Returns how many people now hold different roles. */
export async function recordRoleChanges(
  { db, request }: Pick<Acting, 'db' | 'request'>,
  before: HeldBefore,
  reason: string,
): Promise<number> {
  const after = await heldBy(db, [...before.keys()]);
  const changed = [...after.values()].filter(
    (now) => JSON.stringify(now.roles) !== JSON.stringify(before.get(now.user_id)?.roles),
  );
  await record(
    // the groups decided it, not the user who made the request
    { db, actor: null, ...(request && { request }) },
    ...changed.map((now) => ({
      action: 'employee.roles_changed' as const,
      subject_id: now.id,
      subject_label: now.name,
      entity_id: now.entity_id,
      changes: { roles: { from: audited(before.get(now.user_id) ?? now), to: audited(now) } },
      reason,
    })),
  );
  await notifyRolesChanged(
    { db, actor: null },
    changed.map(({ user_id }) => user_id),
  );
  return changed.length;
}

/**
 * Removes the roles that rules of a source gave, from these accounts or from all. Deleting the link would remove them
 * too, but without an audit entry.
 */
export async function endRolesOf(
  acting: Pick<Acting, 'db' | 'request'>,
  source: RoleSource,
  userIds: readonly number[] | null = null,
): Promise<void> {
  const { db } = acting;
  const { rows } = await sql<{ user_id: number }>`
    select distinct a.user_id from role_assignments a
    where ${isFrom(source, 'a')} and (${userIds}::bigint[] is null or a.user_id = any(${userIds}::bigint[]))`.execute(
    db,
  );
  const holders = rows.map(({ user_id }) => user_id);
  if (holders.length === 0) return;
  await lockPeople(db, holders);
  const before = await heldBy(db, holders);
  await sql`
    delete from role_assignments a
    where ${isFrom(source, 'a')} and a.user_id = any(${holders}::bigint[])`.execute(db);
  await recordRoleChanges(acting, before, `Roles of ${source.name}`);
}
