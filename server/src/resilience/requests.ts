import { multipart } from '../testing/client.ts';
import type { Effect } from './ledger.ts';

type Table = Effect['table'];
/** A row created by a writer, with the path of its endpoint. */
export type Known = { id: number; name: string; path: string };
export type Rows = Record<Table, Known[]>;

export type Request = {
  method: string;
  path: string;
  body?: Effect['fields'];
  /** The title of a file to send instead of a body. */
  title?: string;
  effect: Effect;
};

/** Random numbers from 0 to 1, and unique names. */
export type Dice = { random: () => number; name: () => string };

/** Reproducible random numbers between 0 and 1 from a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pick = <T>(from: readonly T[], { random }: Dice): T | undefined => from[Math.floor(random() * from.length)];

const create = (table: Table, name: string, body: Effect['fields']): Request => ({
  method: 'POST',
  path: `/api/${table}`,
  body,
  effect: { table, name, verb: 'create', fields: body },
});

function change(
  table: Table,
  rows: Rows,
  dice: Dice,
  fields: (value: string) => Effect['fields'],
): Request | undefined {
  const row = pick(rows[table], dice);
  const body = fields(`Changed ${dice.name()}`);
  return (
    row && { method: 'PUT', path: row.path, body, effect: { table, name: row.name, verb: 'update', fields: body } }
  );
}

/** Removes the newest of several rows; the oldest stay for references. */
function remove(table: Table, rows: Rows): Request | undefined {
  const row = rows[table].length > 1 ? rows[table].at(-1) : undefined;
  return row && { method: 'DELETE', path: row.path, effect: { table, name: row.name, verb: 'delete', fields: {} } };
}

function addDepartment({ entities: [company] }: Rows, dice: Dice) {
  const name = dice.name();
  return company && create('departments', name, { name, code: name, entity_id: company.id });
}

/** Hires into the first department of the first company, which is therefore never removed. */
function hire({ entities: [company], departments: [department] }: Rows, dice: Dice) {
  const name = dice.name();
  if (!company || !department) return undefined;
  return create('employees', name, {
    employee_number: name,
    email: `${name.toLowerCase()}@acme.example`,
    first_name: 'Ada',
    last_name: name,
    entity_id: company.id,
    department_id: department.id,
  });
}

function attach({ employees }: Rows, dice: Dice): Request | undefined {
  const [person, title] = [pick(employees, dice), dice.name()];
  const fields = { title, employee_id: person?.id ?? 0 };
  const effect: Effect = { table: 'attachments', name: title, verb: 'create', fields };
  return person && { method: 'POST', path: `${person.path}/attachments`, title, effect };
}

type Maker = (rows: Rows, dice: Dice) => Request | undefined;

const makers: readonly Maker[] = [
  (_rows, dice) => {
    const name = dice.name();
    return create('entities', name, { name, description: name, address: name });
  },
  addDepartment,
  hire,
  hire,
  attach,
  (rows, dice) =>
    change('entities', rows, dice, (value) => ({ description: value, address: value, registration_number: value })),
  (rows, dice) =>
    change('employees', rows, dice, (value) => ({ job_title: value, grade: value.slice(-9), middle_name: value })),
  (rows, dice) => change('employees', rows, dice, (value) => ({ job_title: value, salutation: value.slice(-9) })),
  (rows) => remove('attachments', rows),
  (rows) => remove('departments', rows),
  (rows) => remove('employees', rows),
  (rows) => remove('entities', rows),
];

/** A random request that a writer with these rows can send. */
export function anyRequest(rows: Rows, dice: Dice): Request {
  for (;;) {
    const request = pick(makers, dice)?.(rows, dice);
    if (request) return request;
  }
}

/** A request as sent; repeated calls return the same bytes. */
export function contentOf({ body, title }: Request): {
  body?: unknown;
  payload?: Buffer;
  headers?: Record<string, string>;
} {
  if (title === undefined) return body ? { body } : {};
  return multipart({ name: `${title}.pdf`, content: `%PDF-1.7\n${title}\n%%EOF\n` }, { title, category: 'other' });
}
