import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';

/** The intended effect of a request on one row that no one else writes. */
export type Effect = {
  table: keyof typeof keys;
  /** The unique name of the row in its table. */
  name: string;
  verb: 'create' | 'update' | 'delete';
  /** Columns that the request sets, all of them or none. */
  fields: Readonly<Record<string, string | number | null>>;
};

/** Written before a request is sent; `repeats` names the first request of its idempotency key. */
type Sent = { n: number; request_id: string; repeats?: number; effect: Effect };
/** Written when the answer arrives. A request without an answer, or with 5xx, may or may not have had its effect. */
type Answered = { n: number; status: number };

const keys = {
  entities: sql`name`,
  departments: sql`name`,
  employees: sql`employee_number`,
  attachments: sql`title`,
};

export type Ledger = {
  path: string;
  sent: (entry: Omit<Sent, 'n'>) => number;
  answered: (entry: Answered) => void;
  close: () => void;
};

/** Opens a file that stores each request and answer on disk before the next step. */
export function openLedger(path: string): Ledger {
  const file = openSync(path, 'a');
  let n = 0;
  const append = (entry: Sent | Answered) => {
    writeSync(file, `${JSON.stringify(entry)}\n`);
    fdatasyncSync(file);
  };
  return {
    path,
    sent: (entry) => {
      n += 1;
      append({ ...entry, n });
      return n;
    },
    answered: append,
    close: () => closeSync(file),
  };
}

type Outcome = 'ok' | 'refused' | 'unknown';
export type Asked = Sent & { outcome: Outcome };

const outcomeOf = (status: number | undefined): Outcome =>
  status === undefined || status >= 500 ? 'unknown' : status < 300 ? 'ok' : 'refused';

/** Reads all requests of a ledger in the order they were sent. */
export function readLedger(path: string): Asked[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const entries = lines.filter(Boolean).map((line) => JSON.parse(line) as Sent | Answered);
  const statuses = new Map(entries.flatMap((entry) => ('status' in entry ? [[entry.n, entry.status]] : [])));
  return entries.flatMap((entry) =>
    'effect' in entry ? [{ ...entry, outcome: outcomeOf(statuses.get(entry.n)) }] : [],
  );
}

/** Counts the audit log entries of each request: one for a request with an effect. */
async function effectsOf(db: Db, asked: readonly Asked[]): Promise<Map<string, number>> {
  const ids = asked.map(({ request_id }) => request_id);
  const { rows } = await sql<{ id: string; count: number }>`
    select request_id as id, count(*) as count from audit_log where request_id = any(${ids}::text[]) group by 1`.execute(
    db,
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

type Group = { asked: Asked[]; effects: number };

/** Groups a request with its repeats: together they have one effect. */
function groupsOf(asked: readonly Asked[], effects: Map<string, number>): Group[] {
  const groups = new Map<number, Group>();
  for (const entry of asked) {
    const group = groups.get(entry.repeats ?? entry.n) ?? { asked: [], effects: 0 };
    group.asked.push(entry);
    group.effects += effects.get(entry.request_id) ?? 0;
    groups.set(entry.repeats ?? entry.n, group);
  }
  return [...groups.values()];
}

function faultOf({ asked, effects }: Group): string | undefined {
  const outcomes = asked.map(({ outcome }) => outcome);
  const fault = `request ${asked[0]?.n} (${outcomes.join(', ')}) ${JSON.stringify(asked[0]?.effect)}`;
  if (effects > 1) return `done ${effects} times: ${fault}`;
  if (effects === 0 && outcomes.includes('ok')) return `acknowledged and lost: ${fault}`;
  if (effects === 1 && outcomes.every((outcome) => outcome === 'refused')) return `refused and done: ${fault}`;
  return undefined;
}

type Row = Record<string, unknown>;

/** The expected rows when every recorded effect is complete. */
function expectedRows(groups: readonly Group[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const { asked, effects } of groups) {
    const effect = asked[0]?.effect;
    if (!effect || effects === 0) continue;
    const key = `${effect.table} ${effect.name}`;
    if (effect.verb === 'delete') rows.delete(key);
    else rows.set(key, { ...rows.get(key), ...effect.fields });
  }
  return rows;
}

async function storedRows(db: Db): Promise<Map<string, Row>> {
  const stored = new Map<string, Row>();
  for (const [table, key] of Object.entries(keys)) {
    const { rows } = await sql<{ name: string; row: Row }>`
      select ${key} as name, to_jsonb(t) as row from ${sql.table(table)} t
      where to_jsonb(t) ->> 'deleted_at' is null`.execute(db);
    for (const { name, row } of rows) stored.set(`${table} ${name}`, row);
  }
  return stored;
}

const differs = (row: Row, expected: Row) =>
  Object.entries(expected).filter(([column, value]) => JSON.stringify(row[column] ?? null) !== JSON.stringify(value));

/**
 * Compares a ledger with the database: acknowledged effects exist, none is repeated or partial, and no row is
 * unrequested. `db` acts as the owner. Returns one line for each difference.
 */
export async function ledgerErrors(db: Db, path: string): Promise<string[]> {
  const asked = readLedger(path);
  const groups = groupsOf(asked, await effectsOf(db, asked));
  const [expected, stored] = [expectedRows(groups), await storedRows(db)];
  const missing = [...expected].filter(([key]) => !stored.has(key)).map(([key]) => `missing: ${key}`);
  const unasked = [...stored.keys()].filter((key) => !expected.has(key)).map((key) => `nobody asked for ${key}`);
  const halves = [...expected].flatMap(([key, row]) => {
    const found = differs(stored.get(key) ?? row, row);
    return found.length > 0 ? [`by half or lost: ${key} should hold ${JSON.stringify(Object.fromEntries(found))}`] : [];
  });
  return [...groups.flatMap((group) => faultOf(group) ?? []), ...missing, ...unasked, ...halves];
}
