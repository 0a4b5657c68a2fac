import type { Permission } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { reachesOf } from './manager-gains.ts';
import { covers } from './policy.ts';
import type { ScopedPerson } from './policy.ts';

/** What accounts with roles in departments gain when people, or departments with their people, move. */

type Held = ReadonlyMap<number, ReadonlySet<Permission>>;
/** By department: the accounts with roles in it or an ancestor, and the permissions these give. */
export type Partners = ReadonlyMap<number, Held>;

const none: Held = new Map();

/** Reads the accounts with roles in departments; excludes what an account may do in the whole company anyway. */
export async function partnersOf(db: Db, departmentIds: readonly number[]): Promise<Partners> {
  if (departmentIds.length === 0) return new Map();
  const { rows } = await sql<{ department_id: number; user_id: number; permissions: Permission[] }>`
    with recursive partner as materialized (
      select a.user_id, a.role_id, a.department_ids
      from role_assignments a join roles r on r.id = a.role_id and r.scope = 'all'
      where a.department_ids is not null
    ), above as (
      select d.id as start, d.entity_id, d.id, d.parent_id from departments d
      where d.id = any(${departmentIds}::bigint[]) and exists (select from partner)
      union
      select a.start, a.entity_id, p.id, p.parent_id from above a join departments p on p.id = a.parent_id
    )
    select x.start as department_id, p.user_id, array_agg(distinct g.permission) as permissions
    from above x join partner p on x.id = any(p.department_ids) join role_permissions g on g.role_id = p.role_id
    where g.permission <> 'employees.view_all' and not exists (
      select from role_assignments c join roles r on r.id = c.role_id and r.scope = 'all'
      join role_permissions q on q.role_id = c.role_id and q.permission = g.permission
      where c.user_id = p.user_id and (c.entity_ids is null or x.entity_id = any(c.entity_ids)))
    group by 1, 2`.execute(db);
  const found = new Map<number, Map<number, ReadonlySet<Permission>>>();
  for (const { department_id, user_id, permissions } of rows) {
    const held = found.get(department_id) ?? new Map<number, ReadonlySet<Permission>>();
    found.set(department_id, held.set(user_id, new Set(permissions)));
  }
  return found;
}

/** The permissions that an account has in one department but not in the other. */
function gainedBetween(before: Held, after: Held): Permission[] {
  const gained = [...after].flatMap(([user, permissions]) =>
    [...permissions].filter((permission) => !before.get(user)?.has(permission)),
  );
  return [...new Set(gained)];
}

type DepartmentMove = { before: ScopedPerson; after: { department_id: number } };

/** The moves to another department by which an account gains a permission that the actor lacks over the person. */
export async function movesToPartners<T extends DepartmentMove>(
  db: Db,
  actor: Actor,
  moves: readonly T[],
): Promise<ReadonlySet<T>> {
  const moved = moves.filter(({ before, after }) => before.department_id !== after.department_id);
  const places = moved.flatMap(({ before, after }) => [before.department_id, after.department_id]);
  const partners = await partnersOf(db, [...new Set(places)]);
  if (partners.size === 0) return new Set();
  const reach = reachesOf(actor);
  const exceedsRights = ({ before, after }: T) =>
    gainedBetween(partners.get(before.department_id) ?? none, partners.get(after.department_id) ?? none).some(
      (permission) => !covers(actor, reach(permission), before),
    );
  return new Set(moved.filter(exceedsRights));
}

type Place = { id: number; entity_id: number };
type Placing = {
  /** A department and its descendants, before its move. */
  departments: readonly Place[];
  to: number;
  coversDepartment: (permission: Permission, place: Place) => boolean;
};

/** True when accounts with roles above the new parent gain a permission that the actor lacks over what moves. */
export async function departmentToPartners(
  db: Db,
  actor: Actor,
  { departments, to, coversDepartment }: Placing,
): Promise<boolean> {
  const ids = departments.map(({ id }) => id);
  const partners = await partnersOf(db, [...ids, to]);
  const after = partners.get(to) ?? none;
  if (after.size === 0) return false;
  const gainedIn = new Map(ids.map((id) => [id, gainedBetween(partners.get(id) ?? none, after)]));
  if (departments.some((one) => (gainedIn.get(one.id) ?? []).some((name) => !coversDepartment(name, one)))) return true;
  const touched = ids.filter((id) => (gainedIn.get(id) ?? []).length > 0);
  if (touched.length === 0) return false;
  const { rows } = await sql<ScopedPerson>`
    select id, entity_id, department_id, reporting_manager_id from employees
    where department_id = any(${touched}::bigint[])`.execute(db);
  const reach = reachesOf(actor);
  return rows.some((person) =>
    (gainedIn.get(person.department_id) ?? []).some((name) => !covers(actor, reach(name), person)),
  );
}
