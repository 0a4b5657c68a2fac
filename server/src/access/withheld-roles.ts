import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { departmentsOfAssignment } from './in-departments.ts';
import { loadHolder } from './rights.ts';
import { record } from '../audit.ts';
import type { Acting } from '../audit.ts';
import type { Db } from '../db/connect.ts';
import { loadRoles, mayGive } from './given-roles.ts';
import type { Given, Role } from './given-roles.ts';

/**
 * Roles from SCIM groups that are withheld. The person who chose which account a connection's user belongs to, by an
 * address, an employee number or a link, thereby gives that account the roles of the user's groups. So that person must
 * be allowed to give them. docs/decisions/0149-who-answers-for-a-link.md
 */

type Link = {
  id: string;
  linked_by_id: number | null;
  is_proved: boolean;
  withheld_roles: number[];
  person: { id: number; user_id: number; name: string; entity_id: number; department_id: number };
};

/** True if the person signed in through the provider as the very user that the connection means. */
const isProved = sql<boolean>`exists (
  select from scim_connections c
  join user_identities n on n.provider_id = c.provider_id and n.user_id = s.user_id and n.subject = s.external_id
  where c.id = s.connection_id and n.linked_by_id is null)`;

/**
 * For a link `s` of an earlier release that was matched by address: who set the address of the account; 0 for the user
 * or an administrator. Null for other links: these releases did not record how a link was matched.
 */
const setterOfAddress = sql<number | null>`(
  select case when w.is_admin is not true then coalesce(u.address_set_by, 0) else 0 end
  from users u left join users w on w.id = u.address_set_by
  where s.linked_by is null and u.id = s.user_id and u.email = lower(s.user_name))`;

/** Who answers for the link `s`; null for no one. */
const answering = sql<number | null>`coalesce(s.linked_by_id, nullif(${setterOfAddress}, 0))`;

/**
 * True for a link `s` to check: its account was matched by an employee number, by something another person set, or in a
 * way that an earlier release did not record.
 */
export const isToCheck = sql<boolean>`(
  s.linked_by = 'number' or s.linked_by_id is not null or (s.linked_by is null and ${setterOfAddress} is distinct from 0))`;

async function linksOf(db: Db, userIds: readonly number[]): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select s.id, ${answering} as linked_by_id, ${isProved} as is_proved, s.withheld_roles,
           json_build_object('id', e.id, 'user_id', e.user_id, 'name', e.name, 'entity_id', e.entity_id,
                             'department_id', e.department_id) as person
    from scim_users s join employees e on e.user_id = s.user_id
    where s.user_id = any(${userIds}::bigint[]) and ${isToCheck}
    order by s.user_id`.execute(db);
  return rows;
}

type Offer = Omit<Given, 'role'> & { user_id: number; role_id: number };

async function offersOf(db: Db, offered: RawBuilder<unknown>): Promise<Map<number, Offer[]>> {
  const { rows } = await sql<Offer>`
    select a.user_id, a.role_id, a.entity_ids, ${departmentsOfAssignment} as in_departments
    from (${offered}) as a order by a.role_id`.execute(db);
  return Map.groupBy(rows, ({ user_id }) => user_id);
}

/** The offered roles that the person who answers for the link may not give; all if no one does or can sign in. */
async function beyond(db: Db, link: Link, { roles, offers }: { roles: readonly Role[]; offers: readonly Offer[] }) {
  if (link.is_proved || offers.length === 0) return [];
  const holder = link.linked_by_id === null ? undefined : await loadHolder(db, link.linked_by_id);
  return offers.flatMap(({ role_id, ...limits }) => {
    const role = roles.find(({ id }) => id === role_id);
    return role && !(holder && mayGive(holder, { role, ...limits }, link.person)) ? [role] : [];
  });
}

type RoleContext = Pick<Acting, 'db' | 'request'>;

async function withhold({ db, request }: RoleContext, link: Link, withheld: readonly Role[]): Promise<void> {
  const { id, person, withheld_roles: before } = link;
  const after = withheld.map((role) => role.id);
  if (after.join() === before.join()) return;
  await sql`update scim_users set withheld_roles = ${after}::bigint[] where id = ${id}::uuid`.execute(db);
  const added = withheld.filter((role) => !before.includes(role.id)).map(({ name }) => name);
  if (added.length === 0) return;
  await record(
    { db, actor: null, ...(request && { request }) },
    {
      action: 'scim_user.roles_withheld',
      subject_id: person.user_id,
      subject_label: person.name,
      entity_id: person.entity_id,
      changes: { roles: { from: null, to: added } },
    },
  );
}

/**
 * Records which roles are withheld from accounts, among those that groups offer and the account does not hold yet.
 * `offered` is a query for rows (user_id, role_id, entity_ids, department_ids).
 */
export async function withholdRoles(
  context: RoleContext,
  userIds: readonly number[],
  offered: RawBuilder<unknown>,
): Promise<void> {
  const { db } = context;
  const links = await linksOf(db, userIds);
  if (links.length === 0) return;
  const offersBy = await offersOf(db, offered);
  const roles = await loadRoles(db);
  for (const link of links) {
    const offers = offersBy.get(link.person.user_id) ?? [];
    await withhold(context, link, await beyond(db, link, { roles, offers }));
  }
}
