import { sql } from 'kysely';
import type { RoleSource } from '../access/role-sources.ts';
import type { Db } from '../db/connect.ts';
import type { StoredRule } from '../sso/role-rules.ts';
import { startApp } from './app.ts';
import type { TestApp } from './app.ts';
import { provisioning } from './provisioning.ts';
import type { Connection as ScimClient } from './provisioning.ts';

/** Many people who are linked to a provider, created with bulk statements. */

export type Crowd = TestApp & {
  provider: RoleSource;
  /** A SCIM connection that has them too, without groups. */
  connection: RoleSource;
  scim: ScimClient;
  links: { id: number; user_id: number; scim_id: string }[];
  /** Roles that rules can assign in companies and departments. */
  roles: number[];
  companies: number[];
  departments: { id: number; entity_id: number }[];
  /** Removes all roles and groups; `given` roles are then assigned by hand. */
  reset: (given?: readonly { user_id: number; role_id: number }[]) => Promise<void>;
};

/** Replaces the rules of a provider or connection without applying them. */
export async function setRulesOf(
  db: Db,
  { kind, id }: Pick<RoleSource, 'kind' | 'id'>,
  rules: readonly StoredRule[],
): Promise<void> {
  const isProvider = kind === 'identity_provider';
  const [table, of] = isProvider
    ? [sql.table('role_rules'), sql.ref('provider_id')]
    : [sql.table('scim_role_rules'), sql.ref('connection_id')];
  await sql`delete from ${table} where ${of} = ${id}`.execute(db);
  await sql`
    insert into ${table} (${of}, value, role_id, entity_ids, department_ids)
    select ${id}::bigint, value, role_id, entity_ids, department_ids
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      as t (value text, role_id bigint, entity_ids bigint[], department_ids bigint[])`.execute(db);
}

/** Starts a service with an enabled provider and people linked to it. */
export async function startCrowd(people: number): Promise<Crowd> {
  const app = await startApp();
  const { make, owner, deps } = app;
  const companies = [(await make.entity()).id, (await make.entity()).id];
  const departments = [];
  for (const entity_id of companies)
    for (let times = 0; times < 2; times += 1) {
      const { id } = await make.department({ entity_id });
      departments.push({ id, entity_id });
    }
  const { rows: providers } = await owner.query(`
    insert into identity_providers (name, is_enabled, issuer, client_id, groups_claim, metadata)
    values ('Crowd', true, 'https://op.example', 'tenure', 'groups', '{}') returning id`);
  const provider = { kind: 'identity_provider', id: Number(providers[0].id), name: 'Crowd' } as const;
  await owner.query(
    `with made as (
       insert into users (email) select 'crowd' || n || '@example.com' from generate_series(1, $1::int) as n
       returning id, email
     ), employed as (
       insert into employees (user_id, email, employee_number, first_name, last_name, entity_id, department_id,
                              employment_lifecycle)
       select m.id, m.email, 'C' || m.id, 'Crowd', m.id::text, $2, $3, 'confirmed' from made m
     ), linked as (
       insert into user_identities (user_id, provider_id, subject, linked_by)
       select m.id, $4, 'subject ' || m.id, 'rule' from made m
     )
     insert into role_assignments (user_id, role_id)
     select m.id, r.id from made m, roles r where r.is_system and r.name = 'Employee'`,
    [people, companies[0], departments[0]?.id, provider.id],
  );
  const connected = await provisioning(app)();
  const connection = { kind: 'scim_connection', id: connected.id, name: 'Directory 1' } as const;
  await owner.query(
    `insert into scim_users (connection_id, user_id, user_name, linked_by)
     select $1, user_id, 'crowd ' || user_id, 'address' from user_identities`,
    [connection.id],
  );
  const { rows: links } = await owner.query(
    `select i.id, i.user_id, s.id as scim_id from user_identities i join scim_users s on s.user_id = i.user_id
     order by i.user_id`,
  );
  const { rows: roles } = await owner.query(
    "insert into roles (name, scope) values ('Reader', 'all'), ('Helper', 'all') returning id",
  );
  return {
    ...app,
    provider,
    companies,
    departments,
    connection,
    scim: connected,
    links: links.map(({ id, user_id, scim_id }) => ({ id: Number(id), user_id: Number(user_id), scim_id })),
    roles: roles.map(({ id }) => Number(id)),
    reset: async (given = []) => {
      await sql`delete from role_assignments where user_id in (select user_id from user_identities)`.execute(deps.db);
      await sql`update user_identities set groups = null`.execute(deps.db);
      await sql`delete from scim_groups`.execute(deps.db);
      await sql`delete from scim_role_rules`.execute(deps.db);
      await sql`
        insert into role_assignments (user_id, role_id)
        select user_id, role_id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          as t (user_id bigint, role_id bigint)`.execute(deps.db);
    },
  };
}
