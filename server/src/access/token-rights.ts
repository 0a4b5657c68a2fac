import { permissionsOf } from './actor.ts';
import type { Grant, InDepartments, Rights } from './actor.ts';
import type { LiveToken } from './api-tokens.ts';
import type { Db } from '../db/connect.ts';
import { keepRights, loadRights } from './rights.ts';
import type { RightsCache } from './rights.ts';
import { loadManagersBelow } from './managers-below.ts';

type Limit = Pick<LiveToken, 'permissions' | 'entity_ids'>;

async function departmentsWithin(db: Db, limit: readonly number[], departments: InDepartments): Promise<InDepartments> {
  const named = departments.named.filter(({ entity_id }) => limit.includes(entity_id));
  const below = await db
    .selectFrom('departments')
    .select('id')
    .where('id', 'in', [0, ...departments.below])
    .where('entity_id', 'in', limit)
    .execute();
  return { named, below: below.map(({ id }) => id) };
}

/** A role limited to what the token allows; undefined if nothing is left of it. */
async function within(db: Db, grant: Grant, { permissions, entity_ids: limit }: Limit): Promise<Grant | undefined> {
  const ticked = new Set(permissions?.filter((one) => grant.permissions.has(one)));
  if (ticked.size === 0) return undefined;
  const left = { ...grant, permissions: ticked };
  if (limit === null) return left;
  const entity_ids = grant.entity_ids === null ? limit : grant.entity_ids.filter((id) => limit.includes(id));
  const in_departments = grant.in_departments && (await departmentsWithin(db, limit, grant.in_departments));
  const isEmpty = entity_ids.length === 0 && !in_departments?.named.length;
  return isEmpty ? undefined : { ...left, entity_ids: [...entity_ids], in_departments, without_own: true };
}

/**
 * What a program may do with a token: what its account may do now, limited to the permissions and companies of the
 * token. It is never an administrator, whose rights are not bound to permissions. A token with companies reaches no
 * record or review merely because it is the user's own.
 */
async function limitRights(db: Db, userId: number, own: Rights, limit: Limit): Promise<Rights> {
  const found = await Promise.all(own.grants.map((grant) => within(db, grant, limit)));
  const grants = found.filter((grant) => grant !== undefined);
  const permissions = permissionsOf(grants);
  return {
    ...own,
    grants,
    roles: grants.map(({ role }) => role),
    permissions,
    is_cut: own.is_admin || limit.entity_ids !== null || permissions.size < own.permissions.size,
    is_admin: false,
    managers_below: await loadManagersBelow(db, userId, grants),
  };
}

/** The rights of a token, cached while its account, the organisation and the token stay the same. */
export const rightsOfToken = (cache: RightsCache, db: Db, live: LiveToken): Promise<Rights> =>
  keepRights(cache, `token ${live.token_id}`, live.version, async () =>
    limitRights(db, live.user_id, await loadRights(db, live.user_id), live),
  );
