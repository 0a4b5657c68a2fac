import { sql } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { departmentsIn, companiesNamed } from '../../access/scope.ts';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { closest } from '../../imports/likeness.ts';
import type { NewDepartment } from '../departments/row-write.ts';
import type { RuleDepartment, RuleEntity } from '../../people/rules.ts';

type Entity = RuleEntity & { name: string; name_key: string; code_key: string; creates: boolean; updates: boolean };
type Department = RuleDepartment & {
  name: string;
  name_key: string;
  code_key: string | null;
  creates: boolean;
  updates: boolean;
};

export type Purpose = 'create' | 'update';

/** The companies and departments that rows can name, in the importer's scope. */
export type Organisation = {
  entities: Readonly<Record<Purpose, ReadonlyMap<number, Entity>>>;
  departments: Readonly<Record<Purpose, Map<number, RuleDepartment>>>;
  /** Finds the company of a text by id, name or code. */
  findEntity: (purpose: Purpose, text: string) => number | undefined;
  /** Finds the department of a company by id, name or code. */
  findDepartment: (purpose: Purpose, entityId: number, text: string) => number | undefined;
  /** The department to create for a name, where the importer can create one. */
  makeDepartment: (entityId: number, name: string) => NewDepartment | undefined;
  /** Departments the import will create; their ids are negative until then. */
  newDepartments: ReadonlyMap<number, NewDepartment>;
  departmentName: (id: number) => string | undefined;
  /** The company or department most similar to a text, among those that rows can name; for a hint. */
  likeEntity: (purpose: Purpose, text: string) => string | undefined;
  likeDepartment: (purpose: Purpose, entityId: number, text: string) => string | undefined;
};

async function loadEntities(db: Db, actor: Actor): Promise<Entity[]> {
  const [creates, updates] = [reachOf(actor, 'employees.create'), reachOf(actor, 'employees.update')];
  const { rows } = await sql<Entity>`
    select n.id, n.status, n.probation_months, (now() at time zone n.timezone)::date as today, n.name,
           n.name_sort as name_key, fold(n.code) as code_key,
           ${companiesNamed(creates, 'n.id')} as creates, ${companiesNamed(updates, 'n.id')} as updates
    from entities n
    where ${companiesNamed(creates, 'n.id')} or ${companiesNamed(updates, 'n.id')}
    order by n.id`.execute(db);
  return rows;
}

async function loadDepartments(db: Db, actor: Actor): Promise<Department[]> {
  const [creates, updates] = (['employees.create', 'employees.update'] as const).map((permission) =>
    departmentsIn(actor, reachOf(actor, permission)),
  );
  const { rows } = await sql<Department>`
    select d.id, d.entity_id, d.status, d.name, d.name_sort as name_key, fold(d.code) as code_key,
           ${creates} as creates, ${updates} as updates
    from departments d where ${creates} or ${updates}
    order by d.id`.execute(db);
  return rows;
}

const byId = <T extends { id: number }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

/** Rows by name and code; names take precedence over codes. */
function named<T extends { id: number; name_key: string; code_key: string | null }>(
  rows: readonly T[],
  scope: (row: T) => string,
): ReadonlyMap<string, number> {
  const codes = rows.flatMap((row): [string, number][] =>
    row.code_key === null ? [] : [[`${scope(row)}${row.code_key}`, row.id]],
  );
  return new Map([...codes, ...rows.map((row): [string, number] => [`${scope(row)}${row.name_key}`, row.id])]);
}

const idIn = (text: string) => (/^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : undefined);

/** The look-ups of companies and departments for one purpose. */
function finderOf(entities: readonly Entity[], departments: readonly Department[]) {
  const [entityById, departmentById] = [byId(entities), byId(departments)];
  const entityNames = named(entities, () => '');
  const departmentNames = named(departments, (row) => `${row.entity_id}|`);
  return {
    entity: (text: string) => {
      const id = idIn(text);
      return id !== undefined && entityById.has(id) ? id : entityNames.get(fold(text));
    },
    department: (entityId: number, text: string) => {
      const id = idIn(text);
      const byNumber = id === undefined ? undefined : departmentById.get(id);
      return byNumber?.entity_id === entityId ? byNumber.id : departmentNames.get(`${entityId}|${fold(text)}`);
    },
  };
}

/** Unknown texts compared with all names; a file with more of them has the wrong column there. */
const maxHinted = 200;

/** Finds similar names; each text is compared once, because a file repeats it. */
function hinterOf(entities: readonly Entity[], departments: readonly Department[]) {
  const known = new Map<string, string | undefined>();
  const once = (key: string, find: () => string | undefined) => {
    if (!known.has(key)) known.set(key, known.size < maxHinted ? find() : undefined);
    return known.get(key);
  };
  const keyed = (rows: readonly (Entity | Department)[]) => rows.map(({ name_key, name }) => ({ key: name_key, name }));
  return {
    entity: (text: string) => once(`|${fold(text)}`, () => closest(fold(text), keyed(entities))),
    department: (entityId: number, text: string) =>
      once(`${entityId}|${fold(text)}`, () =>
        closest(fold(text), keyed(departments.filter(({ entity_id }) => entity_id === entityId))),
      ),
  };
}

/** Plans departments that rows name and that do not exist yet; both purposes then find them. */
function departmentMaker(actor: Actor, isAllowed: boolean, known: Organisation['departments']) {
  const made = new Map<string, NewDepartment>();
  const newDepartments = new Map<number, NewDepartment>();
  const makers = reachOf(actor, 'departments.create');
  const mayMake = (entityId: number) =>
    isAllowed && holds(actor, 'departments.create') && (makers.everything || makers.entity_ids.includes(entityId));

  function makeDepartment(entityId: number, name: string): NewDepartment | undefined {
    if (!mayMake(entityId) || name.length < 2 || name.length > 150) return undefined;
    const key = `${entityId}|${fold(name)}`;
    const again = made.get(key);
    if (again) return again;
    const department = { id: -1 - made.size, entity_id: entityId, name };
    made.set(key, department);
    newDepartments.set(department.id, department);
    for (const purpose of ['create', 'update'] as const)
      known[purpose].set(department.id, { ...department, status: 'active' });
    return department;
  }
  return { makeDepartment, newDepartments };
}

/** Reads the companies and departments that the importer can assign people to. */
export async function loadOrganisation(
  db: Db,
  actor: Actor,
  { create_departments }: { create_departments: boolean },
): Promise<Organisation> {
  const [entities, departments] = [await loadEntities(db, actor), await loadDepartments(db, actor)];
  const within = (flag: 'creates' | 'updates') => {
    const reached = [entities.filter((row) => row[flag]), departments.filter((row) => row[flag])] as const;
    return {
      entities: byId(reached[0]),
      departments: new Map<number, RuleDepartment>(byId(reached[1])),
      find: finderOf(...reached),
      like: hinterOf(...reached),
    };
  };
  const reach = { create: within('creates'), update: within('updates') };
  const known = { create: reach.create.departments, update: reach.update.departments };
  const names = new Map(departments.map(({ id, name }) => [id, name]));
  const { makeDepartment, newDepartments } = departmentMaker(actor, create_departments, known);
  return {
    entities: { create: reach.create.entities, update: reach.update.entities },
    departments: known,
    findEntity: (purpose, text) => reach[purpose].find.entity(text),
    findDepartment: (purpose, entityId, text) => reach[purpose].find.department(entityId, text),
    makeDepartment,
    newDepartments,
    departmentName: (id) => newDepartments.get(id)?.name ?? names.get(id),
    likeEntity: (purpose, text) => reach[purpose].like.entity(text),
    likeDepartment: (purpose, entityId, text) => reach[purpose].like.department(entityId, text),
  };
}
