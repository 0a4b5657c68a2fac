import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { StoredRule } from '../sso/role-rules.ts';
import { startApp } from './app.ts';
import type { TestApp } from './app.ts';

/** Many people who are linked to a provider, made by statements and not one by one. */

export type Crowd = TestApp & {
  provider: { id: number; name: string };
  links: { id: number; user_id: number }[];
  /** Roles that rules can give in companies and departments. */
  roles: number[];
  companies: number[];
  departments: { id: number; entity_id: number }[];
  /** Takes all roles and groups away; what is given stays given by hand. */
  reset: (given?: readonly { user_id: number; role_id: number }[]) => Promise<void>;
};

/** Replaces the rules of a provider, and leaves everyone as they are. */
export async function setRulesOf(db: Db, providerId: number, rules: readonly StoredRule[]): Promise<void> {
  await sql`delete from role_rules where provider_id = ${providerId}`.execute(db);
  await sql`
    insert into role_rules (provider_id, value, role_id, entity_ids, department_ids)
    select ${providerId}::bigint, value, role_id, entity_ids, department_ids
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      as t (value text, role_id bigint, entity_ids bigint[], department_ids bigint[])`.execute(db);
}

/** Starts a service with an enabled provider and people who are linked to it. */
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
  const provider = { id: Number(providers[0].id), name: 'Crowd' };
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
  const { rows: links } = await owner.query('select id, user_id from user_identities order by user_id');
  const { rows: roles } = await owner.query(
    "insert into roles (name, scope) values ('Reader', 'all'), ('Helper', 'all') returning id",
  );
  return {
    ...app,
    provider,
    companies,
    departments,
    links: links.map(({ id, user_id }) => ({ id: Number(id), user_id: Number(user_id) })),
    roles: roles.map(({ id }) => Number(id)),
    reset: async (given = []) => {
      await sql`delete from role_assignments where user_id in (select user_id from user_identities)`.execute(deps.db);
      await sql`update user_identities set groups = null`.execute(deps.db);
      await sql`
        insert into role_assignments (user_id, role_id)
        select user_id, role_id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
          as t (user_id bigint, role_id bigint)`.execute(deps.db);
    },
  };
}
