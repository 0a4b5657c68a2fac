import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Grant, ManagedDepth, Reach } from './actor.ts';
import { everyRight, lockAccounts, reachesLimits } from './cover.ts';
import { voidAfterGrowth } from './credentials.ts';
import { departmentsOfAssignment } from './in-departments.ts';

type Rights = Pick<
  Grant,
  'role_id' | 'role' | 'scope' | 'managed_depth' | 'entity_ids' | 'in_departments' | 'permissions'
>;

const managesEntities = (reach: Reach, entityIds: readonly number[] | null, depth: ManagedDepth): boolean => {
  const { managed } = reach;
  const within = depth === 'tree' ? reach.tree_entity_ids : reach.managed_entity_ids;
  if (!managed) return false;
  return (
    within === null ||
    (entityIds !== null && entityIds.every((id) => reach.entity_ids.includes(id) || within.includes(id)))
  );
};

/**
 * True when `after` permits something about other people that `before` did not. More rights on one's own record end no
 * session, so that changing the role of all users signs no one out.
 */
export const isMore = (before: readonly Rights[], after: readonly Rights[]): boolean =>
  after.some(
    (grant) =>
      !everyRight({ grants: before }, grant, ({ reach, scope }) => {
        if (scope === 'own' || reachesLimits(reach, grant)) return true;
        return scope === 'managed' && managesEntities(reach, grant.entity_ids, grant.managed_depth);
      }),
  );

async function grantsOf(db: Db, userIds: readonly number[]): Promise<Map<number, Rights[]>> {
  const { rows } = await sql<Omit<Rights, 'permissions'> & { user_id: number; permissions: Permission[] }>`
    select a.user_id, a.role_id, r.name as role, r.scope, r.managed_depth, a.entity_ids,
           ${departmentsOfAssignment} as in_departments,
           array(select p.permission from role_permissions p where p.role_id = r.id) as permissions
    from role_assignments a join roles r on r.id = a.role_id
    where a.user_id = any(${userIds}::bigint[])`.execute(db);
  const grants = rows.map(({ permissions, ...row }) => ({ ...row, permissions: new Set(permissions) }));
  return Map.groupBy(grants, ({ user_id }) => user_id);
}

/**
 * Changes the roles of accounts: ends the sessions of accounts that gained rights, and voids their issued passwords
 * where the issuer lacks those rights.
 */
export async function changingRights<T>(db: Db, userIds: readonly number[], work: () => Promise<T>): Promise<T> {
  if (userIds.length === 0) return work();
  await lockAccounts(db, userIds);
  const before = await grantsOf(db, userIds);
  const done = await work();
  const after = await grantsOf(db, userIds);
  await voidAfterGrowth(
    db,
    userIds.filter((id) => isMore(before.get(id) ?? [], after.get(id) ?? [])),
  );
  return done;
}
