import { messages, permissionCatalogue } from '@tenure/contract';
import type { HeldRoles, Ref } from '@tenure/contract';
import { sql } from 'kysely';
import { ownLimits, reachOf } from '../../access/actor.ts';
import type { Account, Actor, Grant, Rights } from '../../access/actor.ts';
import { loadRights, noRights } from '../../access/rights.ts';
import type { RoleSource } from '../../access/role-sources.ts';
import { limitsNamed, peopleFor, visibleDepartments, visiblePeople } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { proposedRoles } from '../../people/former-roles.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { loadRoles } from '../../access/given-roles.ts';
import { assignableTo, isRemovable } from './assignable.ts';
import { limitsOf } from './explain.ts';
import type { LimitNames } from './explain.ts';

type FoundAccount = Omit<Account, 'session_id'> & { may_sign_in: boolean };

/** The queried account does not act, so it has no session. */
const noSession = 0;

/** Finds an account to which the caller can give roles: of a person in scope, or without a person for scope `all`. */
async function findAccount({ db, actor }: ReadCtx, userId: number): Promise<FoundAccount | undefined> {
  const withoutPerson = reachOf(actor, 'employees.assign_roles').everything;
  const { rows } = await sql<FoundAccount>`
    select u.id as user_id, e.id as employee_id, coalesce(e.name, u.email) as name, u.email, u.must_change_password,
           u.locale, u.locale_chosen, u.last_login_at, e.picture_key,
           u.is_enabled and not u.must_change_password and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at)) as may_sign_in
    from users u left join employees e on e.user_id = u.id
    where u.id = ${userId} and case when e.id is null then ${withoutPerson}
      else e.deleted_at is null and ${visiblePeople(actor)} and ${peopleFor(actor, 'employees.assign_roles')} end`.execute(
    db,
  );
  return rows[0];
}

/** Loads the queried account as an actor. Throws 422 on `user_id` outside the caller's scope. */
export async function loadActor(ctx: ReadCtx, userId: number): Promise<{ actor: Actor; maySignIn: boolean }> {
  const account = await findAccount(ctx, userId);
  if (!account) throw invalid('user_id', messages.unavailable);
  const { may_sign_in, ...rest } = account;
  const actor = { ...(await loadRights(ctx.db, userId)), ...rest, session_id: noSession };
  return { actor, maySignIn: may_sign_in };
}

/** Names of the companies and departments that limit roles, as far as the caller sees them. */
export async function limitNames(
  { db, actor }: ReadCtx,
  ...all: { grants: readonly Pick<Grant, 'entity_ids' | 'in_departments'>[] }[]
): Promise<LimitNames> {
  const { entity_ids, named } = ownLimits({ grants: all.flatMap(({ grants }) => grants as Grant[]) });
  const seen = limitsNamed(actor, { entity: 'n', department: 'd' });
  const { rows } = await sql<{ kind: keyof LimitNames; id: number; name: string }>`
    select 'entities' as kind, n.id, n.name from entities n
    where n.id = any(${entity_ids}::bigint[]) and ${seen.entity}
    union all
    select 'departments', d.id, d.name from departments d
    where d.id = any(${named.map(({ id }) => id)}::bigint[]) and ${seen.department}`.execute(db);
  const of = (kind: keyof LimitNames) =>
    new Map(rows.flatMap((row) => (row.kind === kind ? [[row.id, row.name]] : [])));
  return { entities: of('entities'), departments: of('departments') };
}

/** The departments are those that the caller sees. */
async function managedBy(
  { db, actor }: ReadCtx,
  personId: number,
  { managed_departments }: Rights,
): Promise<HeldRoles['manages']> {
  const { rows } = await sql<{ departments: Ref[]; direct_reports: number }>`
    select array(select json_build_object('id', d.id, 'name', d.name) from departments d
                 where d.id = any(${managed_departments}::bigint[]) and ${visibleDepartments(actor)}
                 order by d.name_sort, d.id) as departments,
           (select count(*) from employees where reporting_manager_id = ${personId}
              and activity_status <> 'inactive' and deleted_at is null) as direct_reports`.execute(db);
  return rows[0] as HeldRoles['manages'];
}

const refs = (ids: readonly number[], names: ReadonlyMap<number, string>): Ref[] =>
  ids.map((id) => ({ id, name: names.get(id) ?? '' }));

/** The identity providers and SCIM connections whose rules give roles to an account, by role. */
async function sourcesOf(db: Db, userId: number): Promise<ReadonlyMap<number, RoleSource>> {
  const { rows } = await sql<RoleSource & { role_id: number }>`
    select a.role_id, 'identity_provider' as kind, p.id, p.name
    from role_assignments a join identity_providers p on p.id = a.provider_id where a.user_id = ${userId}
    union all
    select a.role_id, 'scim_connection', c.id, c.name
    from role_assignments a join scim_connections c on c.id = a.scim_connection_id where a.user_id = ${userId}`.execute(
    db,
  );
  return new Map(rows.map(({ role_id, ...provider }) => [role_id, provider]));
}

/**
 * The roles of a person with all of their permissions, the source of each permission, and the caller's actions on the
 * roles.
 */
export async function readHeldRoles({ db, actor }: ReadCtx, person: EmployeeRecord): Promise<HeldRoles> {
  const { user_id } = person;
  const rights = user_id === null ? noRights : await loadRights(db, user_id);
  const roles = user_id === null ? [] : await loadRoles(db);
  const former = user_id === null ? [] : await proposedRoles({ db, actor }, { ...person, user_id }, roles);
  const names = await limitNames({ db, actor }, rights, actor, { grants: former });
  const sources = user_id === null ? new Map<number, RoleSource>() : await sourcesOf(db, user_id);
  const held = ({ role_id, role, scope, managed_depth, entity_ids, in_departments }: Omit<Grant, 'permissions'>) => ({
    role_id,
    role,
    scope,
    managed_depth,
    ...limitsOf({ entity_ids, in_departments }, names),
  });
  return {
    employee: { id: person.id, employee_number: person.employee_number, name: person.name },
    user_id,
    assignments: rights.grants.map((grant) => {
      const provider = sources.get(grant.role_id) ?? null;
      return { ...held(grant), removable: !provider && isRemovable(actor, person, grant, roles), provider };
    }),
    assignable: assignableTo(actor, person, roles).map(({ entity_ids, named, ...role }) => ({
      ...role,
      entities: entity_ids && refs(entity_ids, names.entities),
      ...(named.length > 0 && {
        departments: refs(
          named.map(({ id }) => id),
          names.departments,
        ),
      }),
    })),
    former: former.map(({ role: { id, name, scope, managed_depth }, entity_ids, in_departments }) =>
      held({ role_id: id, role: name, scope, managed_depth, entity_ids, in_departments }),
    ),
    permissions: permissionCatalogue
      .filter(({ name }) => rights.permissions.has(name))
      .map(({ name, group, label }) => ({
        name,
        group,
        label,
        because: rights.grants.filter(({ permissions }) => permissions.has(name)).map(held),
      })),
    manages: await managedBy({ db, actor }, person.id, rights),
  };
}
