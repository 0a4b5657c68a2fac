import { startSha256 } from '../crypto/crypto.ts';

/** The fields of an entry that its link hashes, in this order, as SQL that returns them as text. */
const hashed = {
  id: 'a.id::text',
  at: `to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  actor_id: 'a.actor_id::text',
  actor_name: 'a.actor_name',
  action: 'a.action',
  subject_type: 'a.subject_type',
  subject_id: 'a.subject_id::text',
  subject_label: 'a.subject_label',
  entity_id: 'a.entity_id::text',
  changes: 'a.changes::text',
  reason: 'a.reason',
  request_id: 'a.request_id',
  ip: 'a.ip',
  token_id: 'a.token_id::text',
} as const;

const names = Object.keys(hashed) as (keyof typeof hashed)[];

/** An entry as a line of an archive: its texts, the position of its link, and the hash of the link in hexadecimal. */
export type ArchivedEntry = Record<keyof typeof hashed | 'about_employee_id', string | null> & {
  position: string;
  hash: string;
};

/** The columns of an `ArchivedEntry`, from a log `a` and its chain `c`. */
export const entryColumns = [
  'c.position::text as position',
  "encode(c.hash, 'hex') as hash",
  ...names.map((name) => `${hashed[name]} as ${name}`),
  'a.about_employee_id::text as about_employee_id',
].join(', ');

const fieldOf = (value: string | null) => (value === null ? '-' : `${Buffer.byteLength(value)}:${value}`);

/**
 * The hash of an entry's link, in hexadecimal; the same as `audit_link` in the database.
 * @param previous the hash of the link before it, in hexadecimal; empty for the first link
 */
export function linkOf(previous: string, entry: ArchivedEntry): string {
  // the token is the last field, only in entries made with a token
  const text = names.map((name) => (name === 'token_id' && entry[name] === null ? '' : fieldOf(entry[name]))).join('');
  return startSha256().update(Buffer.from(previous, 'hex')).update(text).digest('hex');
}

/** Ascending positions as runs, each with its first and last position. */
export type Ranges = [first: number, last: number][];

/** Adds a position, which is higher than all before it. */
export function addTo(ranges: Ranges, position: number): void {
  const last = ranges.at(-1);
  if (last && last[1] === position - 1) last[1] = position;
  else ranges.push([position, position]);
}

/** The text form of a PostgreSQL `int8multirange`. */
export const multirangeOf = (ranges: Ranges): string =>
  `{${ranges.map(([first, last]) => `[${first},${last + 1})`).join(',')}}`;
