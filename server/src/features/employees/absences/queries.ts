import type { Absence, absences, AbsenceDays, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import type { Db } from '../../../db/connect.ts';
import { every, holdsWords, oneOfTexts, selectPage } from '../../../db/lists.ts';
import { personRefTo } from '../../../db/refs.ts';
import { notFound } from '../../../http/errors.ts';
import { can, fieldsFor } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

type ListQuery = QueryOut<typeof absences.list>;
export type StoredAbsence = Omit<Absence, 'allowed_actions' | 'absence_reason'> & { absence_reason: string | null };

const stateOn = (today: string) => sql`case
  when a.first_day > ${today}::date then 'planned'
  when a.last_day < ${today}::date then 'past'
  else 'current' end`;

const columns = (today: string) => sql<StoredAbsence>`
  a.id, a.employee_id, a.first_day, a.last_day, ${stateOn(today)} as state, a.absence_reason, a.revision,
  a.deputy_id, ${personRefTo('d')} as deputy, a.deputy_tasks,
  a.created_at, a.updated_at`;

const from = sql`absences a left join employees d on d.id = a.deputy_id`;

const stepsOf = { planned: ['update', 'delete'], current: ['update', 'end', 'delete'], past: ['update', 'delete'] };

/** Shows a person's absences; `reveal` adds the reason if the reader has access to private details. */
export function presentAbsence(actor: Actor, person: EmployeeRecord, { reveal }: { reveal: boolean }) {
  const may = can(actor)(person).includes('absences');
  const shown = reveal && fieldsFor(actor)(person).private;
  return ({ absence_reason, ...row }: StoredAbsence): Absence => ({
    ...row,
    ...(shown && { absence_reason }),
    allowed_actions: may ? stepsOf[row.state] : [],
  });
}

/** A page of a person's absences, by default the latest first. */
export async function listAbsences(db: Db, actor: Actor, person: EmployeeRecord, query: ListQuery) {
  const direction = query.sort_direction === 'asc' ? sql`asc` : sql`desc`;
  const reveal = query.reveal === 'private';
  const where = every([
    sql`a.employee_id = ${person.id}`,
    ...oneOfTexts(stateOn(person.today), query.state),
    // readers must not find an absence by a reason that they did not ask to see
    ...holdsWords([reveal ? sql`a.absence_reason` : sql`''`], query.search),
  ]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<StoredAbsence>`
      select ${columns(person.today)} from ${from} where ${where} order by a.first_day ${direction}, a.id`,
    total: sql`select count(*) from absences a where ${where}`,
  });
  return { rows: rows.map(presentAbsence(actor, person, { reveal })), total };
}

async function readOne(db: Db, person: EmployeeRecord, which: RawBuilder<unknown>): Promise<StoredAbsence | undefined> {
  const { rows } = await sql<StoredAbsence>`
    select ${columns(person.today)} from ${from}
    where a.employee_id = ${person.id} and ${which} order by a.first_day limit 1`.execute(db);
  return rows[0];
}

/** Finds an absence of this person. Throws 404 for an absence of another person. */
export async function findAbsence(db: Db, person: EmployeeRecord, id: number): Promise<StoredAbsence> {
  const found = await readOne(db, person, sql`a.id = ${id}`);
  if (!found) throw notFound();
  return found;
}

/** The person's absences with days after this one. */
export async function absencesAfter(db: Db, person: EmployeeRecord, day: string): Promise<StoredAbsence[]> {
  const { rows } = await sql<StoredAbsence>`
    select ${columns(person.today)} from ${from}
    where a.employee_id = ${person.id} and coalesce(a.last_day, 'infinity') > ${day}::date
    order by a.first_day`.execute(db);
  return rows;
}

/** An absence of the person, other than `except`, that overlaps with these days. */
export const sharingDays = (
  db: Db,
  person: EmployeeRecord,
  { first_day, last_day }: AbsenceDays,
  except: number | null,
): Promise<StoredAbsence | undefined> =>
  readOne(
    db,
    person,
    sql`a.id is distinct from ${except}::bigint
      and daterange(a.first_day, a.last_day, '[]') && daterange(${first_day}::date, ${last_day}::date, '[]')`,
  );
