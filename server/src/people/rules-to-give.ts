import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import { departmentsOfAssignment } from '../access/in-departments.ts';
import type { RoleSource } from '../access/role-sources.ts';
import type { ReadCtx } from '../http/context.ts';
import { forbiddenBecause } from '../http/errors.ts';
import { loadRoles, mayGive } from '../access/given-roles.ts';
import type { Given } from '../access/given-roles.ts';
import { rulesOf } from '../sso/role-rules.ts';

/** Saving a rule, or letting it reach more people, means giving its role to people, now and later. */

/** No company has the id 0, so a role for the own record requires a reach over all. */
const anywhere = { id: 0, entity_id: 0 };

/** Whether the actor may give these roles to people whom groups will determine. */
export const mayGiveByRules = (actor: Actor, given: readonly Given[]): boolean =>
  given.every((one) => mayGive(actor, one, anywhere));

/** Refuses wider or different group rules of a source to actors who may not give their roles. */
export async function requireGivingRules({ db, actor }: ReadCtx, source: RoleSource): Promise<void> {
  const { rows } = await sql<Omit<Given, 'role'> & { role_id: number }>`
    select a.role_id, a.entity_ids, ${departmentsOfAssignment} as in_departments
    from (${rulesOf(source)}) as a`.execute(db);
  if (rows.length === 0) return;
  const roles = new Map((await loadRoles(db)).map((role) => [role.id, role]));
  const given = rows.flatMap(({ role_id, ...limits }) => {
    const role = roles.get(role_id);
    return role ? [{ role, ...limits }] : [];
  });
  if (!mayGiveByRules(actor, given)) throw forbiddenBecause(text('sso.rules_not_yours', { source: source.name }));
}

/** Whether `after` includes a company that `before` does not; null means all. */
export const reachesMore = (after: readonly number[] | null, before: readonly number[] | null): boolean =>
  before !== null && (after === null || after.some((id) => !before.includes(id)));
