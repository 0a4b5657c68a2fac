import type { KeptReason } from '@tenure/contract';
import { sql } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { accountKey, coverOf, noCover } from '../../access/cover.ts';
import type { Cover } from '../../access/cover.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { loadRuleContexts, lockReportingLines } from '../../people/rule-context.ts';
import type { Sent } from '../../people/fields.ts';
import { covers, fieldsFor, isWithinCover, movesWayIn, permissionFor } from '../../people/policy.ts';
import { checkMoves, movesTo } from '../../people/gains.ts';
import type { GainsChecked } from '../../people/gains.ts';
import { loadRoles, mayGive } from '../../access/given-roles.ts';
import { departmentIdsOf, isLimitableToDepartments } from '../../people/roles.ts';
import type { Given, Role } from '../../access/given-roles.ts';
import { checkPerson } from '../../people/rules.ts';
import { usedAccounts } from '../../people/sign-ins.ts';
import type { RuleContext, Verdict } from '../../people/rules.ts';
import { checkLines } from './lines.ts';
import type { Line } from './lines.ts';
import { loadChains, loadPeople } from './people.ts';
import type { Person } from './people.ts';
import { isProtectedFrom, unseenFields } from './row-refusals.ts';
import { keepManagers, stateReasons } from './undo-reasons.ts';

/**
 * An undo passes the checks of its changes: each row is checked like an update to the earlier values, and the removal of
 * an added person like a delete. Refused rows are marked with the reason and stay.
 */

const batch = 1_000;

type Held = Pick<Given, 'entity_ids' | 'in_departments'> & {
  role_id: number;
  department_ids?: number[] | null | undefined;
};
type Affected = {
  row: number;
  status: 'created' | 'updated';
  number: string;
  /** The earlier values of changed fields. */
  earlier: Sent | null;
  roles: Held[] | null;
};
type UndoCtx = ReadCtx & { importId: number; roles: readonly Role[]; lines: Line[] };
type Marks = Map<number, KeptReason>;

async function affectedAfter(db: Db, importId: number, after: number): Promise<Affected[]> {
  const { rows } = await sql<Affected>`
    select r."row", r.status, fold(e.employee_number) as number, r.before -> 'values' as earlier,
           nullif(r.before -> 'roles', 'null') as roles
    from import_rows r join employees e on e.id = r.subject_id
    where r.import_id = ${importId} and r.status in ('created', 'updated') and r."row" > ${after}
    order by r."row" limit ${batch}`.execute(db);
  return withDepartments(db, rows);
}

/** Adds the current departments to earlier roles: a department may have moved to another company, or be gone. */
async function withDepartments(db: Db, rows: readonly Affected[]): Promise<Affected[]> {
  const ids = rows.flatMap(({ roles }) => roles ?? []).flatMap(({ department_ids }) => department_ids ?? []);
  if (ids.length === 0) return [...rows];
  const known = await db.selectFrom('departments').select(['id', 'entity_id']).where('id', 'in', ids).execute();
  const placed = ({ department_ids, ...role }: Held): Held => ({
    ...role,
    department_ids: department_ids ?? null,
    in_departments: department_ids
      ? { named: known.filter(({ id }) => department_ids.includes(id)).sort((a, b) => a.id - b.id), below: [] }
      : null,
  });
  return rows.map((row) => ({ ...row, roles: row.roles && row.roles.map(placed) }));
}

const keyOf = (held: Held) =>
  `${held.role_id}:${held.entity_ids?.toSorted((a, b) => a - b).join() ?? 'all'}:${departmentIdsOf(held)?.join() ?? ''}`;

/** True for a role with a department that no longer exists. */
const lostDepartments = (held: Held) => (held.department_ids ?? []).length > (held.in_departments?.named ?? []).length;

/** True when the actor can restore the removed roles and remove the given ones. A deleted role cannot be restored. */
function rolesReason({ actor, roles }: UndoCtx, person: Person, earlier: readonly Held[]): KeptReason | undefined {
  const held: Held[] = person.roles.map(({ id, entity_ids, in_departments }) => ({
    role_id: id,
    entity_ids,
    in_departments,
  }));
  const without = (these: readonly Held[], those: readonly Held[]) => {
    const known = new Set(those.map(keyOf));
    return these.filter((one) => !known.has(keyOf(one)));
  };
  const changed = [...without(earlier, held), ...without(held, earlier)];
  if (changed.length === 0) return undefined;
  const may =
    holds(actor, 'employees.assign_roles') &&
    covers(actor, reachOf(actor, 'employees.assign_roles'), person) &&
    changed.every(({ role_id, entity_ids, in_departments }) => {
      const role = roles.find(({ id }) => id === role_id);
      return role === undefined || mayGive(actor, { role, entity_ids, in_departments }, person);
    });
  if (!may) return 'not_permitted';
  const isPossible = (one: Held) => {
    const role = roles.find(({ id }) => id === one.role_id);
    return role !== undefined && (!one.in_departments || isLimitableToDepartments(role)) && !lostDepartments(one);
  };
  return earlier.every(isPossible) ? undefined : 'not_valid';
}

type Known = {
  people: ReadonlyMap<string, Person>;
  contextOf: (person: Person) => RuleContext;
  /** The actor's cover of the accounts of people created by the import. */
  covers: ReadonlyMap<number, Cover>;
  /** Addresses that other accounts use now. */
  taken: ReadonlyMap<string, number>;
  /** Used accounts that would lose their address. */
  used: ReadonlySet<number>;
  states: ReadonlyMap<number, KeptReason>;
};

async function takenAddresses(db: Db, rows: readonly Affected[]): Promise<ReadonlyMap<string, number>> {
  const emails = rows.flatMap(({ earlier }) => earlier?.email ?? []);
  if (emails.length === 0) return new Map();
  const found = await db.selectFrom('users').select(['id', 'email']).where('email', 'in', emails).execute();
  return new Map(found.map(({ id, email }) => [email, id]));
}

const accountsOf = (person: Person | undefined) => (person ? [accountKey(person)] : []);

async function loadKnown({ db, actor, importId }: UndoCtx, rows: readonly Affected[]): Promise<Known> {
  const people = await loadPeople(db, actor, new Map(rows.map(({ number, earlier }) => [number, earlier ?? {}])));
  const made = rows.flatMap(({ number, status }) => (status === 'created' ? accountsOf(people.get(number)) : []));
  const stored = [...people.values()].map(({ values }) => values);
  const earlier = rows.map((row) => ({
    entity_id: row.earlier?.entity_id,
    department_id: row.earlier?.department_id,
    reporting_manager_id: row.earlier?.reporting_manager_id,
  }));
  const nothing = { entity_id: null, department_id: null, reporting_manager_id: null };
  const contextFor = await loadRuleContexts({ db, actor }, 'employees.update', nothing, [...stored, ...earlier]);
  return {
    people,
    contextOf: ({ values }) => contextFor(values),
    covers: await coverOf(db, actor, made),
    taken: await takenAddresses(db, rows),
    used: await usedAccounts(
      db,
      rows.flatMap(({ number, earlier }) => (earlier?.email === null ? (people.get(number)?.user_id ?? []) : [])),
    ),
    states: await stateReasons(
      db,
      importId,
      rows.map(({ row }) => row),
    ),
  };
}

function removalReason({ actor }: UndoCtx, known: Known, person: Person): KeptReason | undefined {
  const reaches = covers(actor, reachOf(actor, permissionFor('delete')), person);
  const cover = known.covers.get(accountKey(person)) ?? noCover;
  return reaches && isWithinCover('delete', { cover }) ? undefined : 'not_permitted';
}

type Change = { person: Person; row: Affected; verdict: Verdict };

function changeOf(known: Known, row: Affected, person: Person): Change {
  const purpose = { kind: 'update', id: person.id, stored: person.values, reviews: person } as const;
  return { person, row, verdict: checkPerson(purpose, row.earlier ?? {}, known.contextOf(person)) };
}

/** The missing permissions, before any check of state. */
function permissionReason(checking: UndoCtx, { person, row, verdict }: Change): KeptReason | undefined {
  const unseen = unseenFields(fieldsFor(checking.actor)(person), row.earlier ?? {});
  if (Object.keys(unseen).length > 0 || movesWayIn(person, verdict.changed)) return 'not_permitted';
  return row.roles ? rolesReason(checking, person, row.roles) : undefined;
}

function changeReason(checking: UndoCtx, known: Known, change: Change): KeptReason | undefined {
  const { person, row, verdict } = change;
  const beyond = permissionReason(checking, change);
  if (beyond === 'not_permitted') return beyond;
  const isTaken = (known.taken.get(verdict.values.email ?? '') ?? person.user_id) !== person.user_id;
  const isInvalid =
    beyond !== undefined || isTaken || known.used.has(person.user_id ?? 0) || Object.keys(verdict.errors).length > 0;
  return known.states.get(row.row) ?? (isInvalid ? 'not_valid' : undefined);
}

const lineOf = ({ person, row, verdict }: Change): Line => ({
  row: row.row,
  node: person.id,
  manager: verdict.values.reporting_manager_id,
  ok: true,
  employed: true,
});

/** Checks some rows and marks those that stay. Rows that change the manager are checked together later. */
async function checkSome(checking: UndoCtx, rows: readonly Affected[]): Promise<void> {
  const { db, actor } = checking;
  const known = await loadKnown(checking, rows);
  const marks: Marks = new Map();
  const changes: Change[] = [];
  for (const row of rows) {
    const person = known.people.get(row.number);
    if (!person?.permitted || isProtectedFrom(actor, person)) marks.set(row.row, 'not_permitted');
    else if (row.status === 'updated') changes.push(changeOf(known, row, person));
    else {
      const reason = removalReason(checking, known, person) ?? known.states.get(row.row);
      if (reason) marks.set(row.row, reason);
    }
  }
  const moves = new Map(changes.flatMap((one) => movesTo(one.person.id, one.person, one.verdict).map((m) => [m, one])));
  const { refused } = await checkMoves(db, actor, [...moves.keys()]);
  for (const move of refused) marks.set((moves.get(move) as Change).row.row, 'not_permitted');
  for (const change of changes) {
    const reason = marks.get(change.row.row) ?? changeReason(checking, known, change);
    if (reason) marks.set(change.row.row, reason);
    else if (change.verdict.changed.includes('reporting_manager_id')) checking.lines.push(lineOf(change));
  }
  await mark(checking, marks);
}

async function mark({ db, importId }: UndoCtx, marks: Marks): Promise<void> {
  if (marks.size === 0) return;
  const json = JSON.stringify([...marks].map(([row, reason]) => ({ row, reason })));
  await sql`
    update import_rows r set kept_reason = t.reason
    from jsonb_to_recordset(${json}::jsonb) as t ("row" int, reason text)
    where r.import_id = ${importId} and r."row" = t."row"`.execute(db);
}

/** Marks rows that would form a circle of managers, with each other or with later changes. */
async function keepCircles(checking: UndoCtx): Promise<void> {
  const { db, lines } = checking;
  const managers = lines.flatMap(({ manager }) => manager ?? []);
  if (managers.length === 0) return;
  await lockReportingLines(db);
  const chains = await loadChains(db, managers);
  for (let open = lines; ;) {
    const problems = new Set(checkLines(open, chains, { followFailures: false }).map(({ row }) => row));
    if (problems.size === 0) return;
    await mark(checking, new Map([...problems].map((row) => [row, 'not_valid'])));
    open = open.filter(({ row }) => !problems.has(row));
  }
}

/**
 * Checks every row of an import that is not yet undone, and marks those that stay. Locks people and accounts until the
 * end of the transaction. Returns the proof that writing the others requires.
 */
export async function checkUndo(
  db: Db,
  actor: Actor,
  { importId, onBatch }: { importId: number; onBatch: () => Promise<void> },
): Promise<GainsChecked> {
  await sql`
    update import_rows set kept_reason = null where import_id = ${importId} and kept_reason is not null`.execute(db);
  const subjects = sql`
    select subject_id from import_rows where import_id = ${importId} and status in ('created', 'updated')`;
  await sql`select from employees where id in (${subjects}) order by id for update`.execute(db);
  await sql`
    select from users where id in (select user_id from employees where id in (${subjects}))
    order by id for no key update`.execute(db);
  await sql`
    select hold_names(array(
      select name_turn(r.before -> 'values' ->> 'display_name',
                       coalesce(r.before -> 'values' ->> 'first_name', e.first_name),
                       coalesce(r.before -> 'values' ->> 'last_name', e.last_name))
      from import_rows r join employees e on e.id = r.subject_id
      where r.import_id = ${importId} and r.before -> 'values' ? 'display_name'))`.execute(db);
  const checking: UndoCtx = { db, actor, importId, roles: await loadRoles(db), lines: [] };
  for (let after = 0; ;) {
    const rows = await affectedAfter(db, importId, after);
    await checkSome(checking, rows);
    await onBatch();
    const last = rows.at(-1);
    if (!last || rows.length < batch) break;
    after = last.row;
  }
  await keepCircles(checking);
  await keepManagers(db, importId);
  return (await checkMoves(db, actor, [])).checked;
}
