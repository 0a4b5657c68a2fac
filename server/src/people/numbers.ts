import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

type Counter = { code: string; last: number };

/** The number counter of a company, locked until the end of the transaction. */
async function lockedCounter(db: Db, entityId: number): Promise<Counter | undefined> {
  const { rows } = await sql<Counter>`
    insert into employee_numbers as counter (entity_id) select id from entities where id = ${entityId}
    on conflict (entity_id) do update set last = counter.last
    returning (select n.code from entities n where n.id = counter.entity_id) as code, last`.execute(db);
  return rows[0];
}

const numberOf = (code: string, n: number) => `${code}-${String(n).padStart(3, '0')}`;

/** The numbers from `first` on that no person has or ever had, in order. */
async function freeAmong(db: Db, code: string, first: number, size: number): Promise<number[]> {
  const candidates = Array.from({ length: size }, (_, index) => numberOf(code, first + index));
  const { rows } = await sql<{ n: number }>`
    select ${first}::bigint + place - 1 as n from unnest(${candidates}::text[]) with ordinality as wanted (number, place)
    where not exists (select from employees where fold(employee_number) = fold(wanted.number))
    order by place`.execute(db);
  return rows.map((row) => row.n);
}

/**
 * Takes the next employee numbers of a company, `{code}-{3 digits or more}`, skipping current and former numbers.
 * Unused numbers stay unused. Others who add people to the company wait until this transaction ends.
 */
export async function takeEmployeeNumbers(db: Db, entityId: number, count: number): Promise<string[]> {
  const counter = await lockedCounter(db, entityId);
  if (!counter || count === 0) return [];
  const taken: number[] = [];
  let next = counter.last + 1;
  // blocks grow, so that a long run of manual numbers costs few queries
  for (let size = count + 9; taken.length < count; size *= 4) {
    taken.push(...(await freeAmong(db, counter.code, next, size)));
    next += size;
  }
  const used = taken.slice(0, count);
  await db
    .updateTable('employee_numbers')
    .set({ last: used.at(-1) })
    .where('entity_id', '=', entityId)
    .execute();
  return used.map((n) => numberOf(counter.code, n));
}
