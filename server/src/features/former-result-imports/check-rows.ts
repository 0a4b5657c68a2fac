import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { peopleIn, visiblePeople } from '../../access/scope.ts';
import { changesBetween } from '../../audit.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import { quoted } from '../../quoted.ts';
import type { Db } from '../../db/connect.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { keyOf } from '../../imports/record.ts';
import type { ImportRecord, Outcome, StagedCells } from '../../imports/record.ts';
import { formulaErrors, skippedCellWarnings } from '../../imports/remarks.ts';
import { valueReader } from '../../imports/values.ts';
import { bandCalled, bandNames } from '../former-results/bands.ts';
import type { BandNames } from '../former-results/bands.ts';
import { errorsOf, percentageOf, shownIn } from '../former-results/result.ts';
import type { Values } from '../former-results/result.ts';
import { choices } from './choices.ts';
import { readingOf } from './keys.ts';
import type { Keys } from './keys.ts';
import { periodKey, readRow } from './read-row.ts';
import type { ReadRow } from './read-row.ts';

/** The columns of a person that a result needs. */
type Person = { id: number; number: string; name: string; entity_id: number; today: string; bands: BandNames };
type Existing = Values & { id: number; employee_id: number; revision: number };

/** What a commit writes for a row. */
export type Plan = {
  person: Person;
  values: Values;
  percentage: number | null;
  existing: Existing | undefined;
};
export type Checked = Outcome & { plan: Plan | null };

/**
 * People by folded number whom the actor sees as HR of their company. Unknown and unseen people are equally absent, and
 * so is the actor, because no one enters their own results. With `lock`, another import of their results waits.
 */
async function loadPeople(
  db: Db,
  actor: Actor,
  numbers: readonly string[],
  lock: boolean,
): Promise<Map<string, Person>> {
  if (numbers.length === 0) return new Map();
  const named = sql<SqlBool>`fold(e.employee_number) = any(${numbers}::text[])`;
  if (lock) await sql`select from employees e where ${named} order by e.id for no key update`.execute(db);
  const company = { ...reachOf(actor, 'kpi-evaluation.hr-review'), managed: false, own: false };
  const { rows } = await sql<Person>`
    select e.id, fold(e.employee_number) as number, e.name, e.entity_id,
           (now() at time zone n.timezone)::date as today, ${bandNames} as bands
    from employees e join entities n on n.id = e.entity_id
    where ${named} and e.deleted_at is null
      and e.id is distinct from ${actor.employee_id}::bigint and ${visiblePeople(actor)} and ${peopleIn(actor, company)}`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.number, row]));
}

type Wanted = { employee_id: number; period_to: string };

/** Stored results by person, period and source that end on the days of the rows. */
async function loadExisting(db: Db, wanted: readonly Wanted[], lock: boolean): Promise<Map<string, Existing>> {
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<Existing>`
    select f.id, f.employee_id, f.revision, f.period, f.period_from, f.period_to, f.unit, f.result, f.scale_from,
           f.scale_to, f.band, f.source
    from former_results f
    where (f.employee_id, f.period_to) in (
      select t.employee_id, t.period_to
      from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as t (employee_id bigint, period_to date))
    order by f.id ${lock ? sql`for update` : sql``}`.execute(db);
  return new Map(rows.map((row) => [`${row.employee_id}|${periodKey(row)}`, row]));
}

type Row = { staged: StagedCells; read: ReadRow };

const planText = (action: string, { person, values, existing }: Plan) =>
  JSON.stringify([action, person.id, existing?.id ?? 0, existing?.revision ?? 0, shownIn(values)]);

function outcomeOf(
  record: ImportRecord,
  { staged, read }: Row,
  action: Outcome['action'],
  errors: FieldErrors,
): Checked {
  const isFailed = Object.keys(errors).length > 0;
  return {
    row: staged.row,
    status: isFailed ? 'failed' : 'valid',
    action: isFailed ? 'none' : action,
    key: keyOf(read.number),
    subject_id: null,
    errors,
    warnings: skippedCellWarnings(record, staged),
    changes: null,
    digest: isFailed ? '' : 'skip',
    plan: null,
  };
}

const sharedRows = (rows: readonly number[]) =>
  rows.length > 5
    ? text('former_results.same_in_rows_and_more', { rows: rows.slice(0, 5).join(', ') })
    : text('former_results.same_in_rows', { rows: { list: rows } });

/** The row's own errors, with its values if there are none. */
function completed({ read }: Row, person: Person): { values: Values; errors: FieldErrors } {
  const band = read.band === null ? null : bandCalled(read.band, person.bands);
  const values = { ...read.values, band: band ?? null };
  if (band !== undefined) return { values, errors: errorsOf(values, person.today) };
  const bands = person.bands.join(', ');
  const no_band = { band: [text('former_results.no_band', { value: quoted(read.band ?? ''), bands })] };
  // the unmatched band avoids a second error for a row without a number
  return { values, errors: { ...errorsOf({ ...values, band: read.band }, person.today), ...no_band } };
}

function checkRow(record: ImportRecord, keys: Keys, known: Known, row: Row): Checked {
  const { staged, read } = row;
  if (staged.flaws?.left_out) return outcomeOf(record, row, 'skip', {});
  const own = { ...read.errors, ...formulaErrors(record, staged) };
  const person = known.people.get(read.number ?? '');
  const unknown = person || read.number === undefined ? {} : { employee_number: [text('former_results.no_person')] };
  if (!person || Object.keys(own).length > 0) return outcomeOf(record, row, 'none', { ...unknown, ...own });
  const { values, errors } = completed(row, person);
  const shared = keys.byKey.get(`${read.number}|${periodKey(values)}`) ?? [];
  if (shared.length > 1) errors['period_to'] = [sharedRows(shared)];
  if (Object.keys(errors).length > 0) return outcomeOf(record, row, 'none', errors);
  const existing = known.existing.get(`${person.id}|${periodKey(values)}`);
  const plan: Plan = { person, values, percentage: percentageOf(values), existing };
  return planned(record, row, plan);
}

/** The effect of a commit by the rule for existing results. */
function planned(record: ImportRecord, row: Row, plan: Plan): Checked {
  const { existing, values } = plan;
  if (existing && record.on_conflict === 'fail')
    return outcomeOf(record, row, 'none', { period_to: [text('former_results.exists', { source: existing.source })] });
  const changes = existing ? changesBetween(shownIn(existing), shownIn(values)) : {};
  const isSame = existing && (record.on_conflict === 'skip' || Object.keys(changes).length === 0);
  if (isSame) return { ...outcomeOf(record, row, 'skip', {}), subject_id: existing.id };
  const action = existing ? 'update' : 'create';
  return {
    ...outcomeOf(record, row, action, {}),
    subject_id: existing?.id ?? null,
    changes: existing ? changes : null,
    digest: sha256Hex(planText(action, plan)).slice(0, 16),
    plan,
  };
}

type Known = { people: ReadonlyMap<string, Person>; existing: ReadonlyMap<string, Existing> };
type Checking = { db: Db; actor: Actor; record: ImportRecord; keys: Keys };

/** Checks rows by the current data, with two statements; `lock` locks the people and their existing results. */
export async function checkStaged(
  { db, actor, record, keys }: Checking,
  staged: readonly StagedCells[],
  { lock = false } = {},
): Promise<Checked[]> {
  const reading = readingOf(record);
  const reader = valueReader({ choices }, record);
  const rows = staged.map((one): Row => ({ staged: one, read: readRow(reader.readRow(one).cells, reading) }));
  const numbers = [...new Set(rows.flatMap(({ read }) => read.number ?? []))];
  const people = await loadPeople(db, actor, numbers, lock);
  const wanted = rows.flatMap(({ read }): Wanted[] => {
    const person = people.get(read.number ?? '');
    const { period_to } = read.values;
    return person && period_to !== '' ? [{ employee_id: person.id, period_to }] : [];
  });
  const known = { people, existing: await loadExisting(db, wanted, lock) };
  return rows.map((row) => checkRow(record, keys, known, row));
}
