import { foldEmail } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { isAdminAccount } from '../../access/admins.ts';
import { companiesNamed, visiblePeople, wideIn } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import type { PastRow } from '../job-history/past-rows.ts';

/** A person whose jobs the importer can enter; `today` is the day in their company. */
export type Person = {
  id: number;
  name: string;
  entity_id: number;
  joining_date: string | null;
  last_working_date: string | null;
  today: string;
  is_admin: boolean;
};

/** What the rows of a file can name: companies and departments in the importer's scope, including closed ones. */
export type Places = {
  entities: ReadonlyMap<string, number>;
  entityIds: ReadonlySet<number>;
  departments: ReadonlyMap<string, number>;
  entityOf: ReadonlyMap<number, number>;
};
export type Namesake = { id: number; label: string; entity_id: number };

/** The people whom texts mean as managers, by the key of the text. */
export type Managers = ReadonlyMap<string, readonly Namesake[]>;

const permission = 'employees.update';

/** The people with these folded numbers in companies of the importer's scope; `lock` locks them. */
export async function loadPeople(
  db: Db,
  actor: Actor,
  numbers: readonly string[],
  { lock }: { lock: boolean },
): Promise<Map<string, Person>> {
  const wanted = sql`fold(e.employee_number) = any(${numbers}::text[]) and e.deleted_at is null`;
  // A publication, which computes days of employment, runs before or after; the next statement rereads a row that had to
  // wait for its lock.
  if (lock) await sql`select from employees e where ${wanted} order by e.id for update`.execute(db);
  const { rows } = await sql<Person & { key: string }>`
    select e.id, e.name, e.entity_id, e.joining_date, e.last_working_date, (now() at time zone n.timezone)::date as today,
           ${isAdminAccount(sql.ref('e.user_id'))} as is_admin, fold(e.employee_number) as key
    from employees e join entities n on n.id = e.entity_id
    where ${wanted} and ${wideIn(reachOf(actor, permission), 'e')} and ${visiblePeople(actor)}`.execute(db);
  return new Map(rows.map(({ key, ...person }) => [key, person]));
}

/** The jobs of people that have begun, in order. */
export async function loadJobs(db: Db, ids: readonly number[]): Promise<Map<number, PastRow[]>> {
  const { rows } = await sql<PastRow & { employee_id: number }>`
    select employee_id, id, effective_from, effective_to, status, source, changed_fields, employment_lifecycle, entity_id,
           department_id, reporting_manager_id, job_title, grade, employment_type, rehired_after
    from job_history where employee_id = any(${ids}::bigint[]) and status in ('past', 'current')
    order by employee_id, effective_from, effective_to nulls last, id`.execute(db);
  const found = new Map<number, PastRow[]>();
  for (const { employee_id, ...row } of rows) {
    const known = found.get(employee_id);
    if (known) known.push(row);
    else found.set(employee_id, [row]);
  }
  return found;
}

export const placeKey = (entityId: number, name: string) => `${entityId}|${fold(name)}`;

/** Reads companies by id, name and code, and departments by name and company. Two statements. */
export async function loadPlaces(db: Db, actor: Actor): Promise<Places> {
  const reach = reachOf(actor, permission);
  const companies = await sql<{ id: number; name: string; code: string }>`
    select n.id, n.name, n.code from entities n where ${companiesNamed(reach, 'n.id')} order by n.id`.execute(db);
  const units = await sql<{ id: number; name: string; entity_id: number; is_active: boolean }>`
    select d.id, d.name, d.entity_id, d.status = 'active' as is_active from departments d
    where ${wideIn(reach, 'd', 'id')} order by is_active, d.id`.execute(db);
  const entities = new Map<string, number>();
  for (const { id, code } of companies.rows) entities.set(fold(code), id);
  for (const { id, name } of companies.rows) entities.set(fold(name), id);
  return {
    entities,
    entityIds: new Set(companies.rows.map(({ id }) => id)),
    // of two departments with the same name, the active one is used
    departments: new Map(units.rows.map(({ id, name, entity_id }) => [placeKey(entity_id, name), id])),
    entityOf: new Map(units.rows.map(({ id, entity_id }) => [id, entity_id])),
  };
}

/** The key of a text that names a manager: a number, an address, or a name as "first last". */
export function managerKey(text: string): string {
  const [last = '', first, ...more] = text.split(',');
  if (first?.trim() && more.length === 0) return fold(`${first.trim()} ${last.trim()}`).replaceAll(/\s+/g, ' ');
  if (/\s/.test(text.trim())) return fold(text.trim()).replaceAll(/\s+/g, ' ');
  return text.includes('@') ? foldEmail(text) : fold(text);
}

/** The visible people whom these texts mean, including leavers. At most three statements. */
export async function loadManagers(db: Db, actor: Actor, texts: ReadonlySet<string>): Promise<Managers> {
  const keys = [...new Set([...texts].map(managerKey))];
  const [names, emails, numbers] = [
    keys.filter((key) => key.includes(' ')),
    keys.filter((key) => key.includes('@') && !key.includes(' ')),
    keys.filter((key) => !key.includes('@') && !key.includes(' ')),
  ];
  const found = new Map<string, Namesake[]>();
  const sources = [
    [numbers, sql`fold(e.employee_number)`],
    [emails, sql`e.email`],
    [names, sql`e.first_name_sort || ' ' || e.last_name_sort`],
  ] as const;
  for (const [wanted, key] of sources) {
    if (wanted.length === 0) continue;
    const { rows } = await sql<Namesake & { key: string }>`
      select wanted.key, e.id, e.entity_id, e.employee_number || ' (' || d.name || ')' as label
      from unnest(${wanted}::text[]) as wanted (key)
      join employees e on ${key} = wanted.key join departments d on d.id = e.department_id
      where e.deleted_at is null and ${visiblePeople(actor)}
      order by e.employee_number_sort, e.id`.execute(db);
    for (const { key: name, ...one } of rows) found.set(name, [...(found.get(name) ?? []), one]);
  }
  return found;
}
