import { messages } from '@tenure/contract';
import type { Endpoint, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import type { Actor } from '../access/actor.ts';
import type { Db } from '../db/connect.ts';
import { fromDatabase, HttpError, invalidFields, say } from './errors.ts';
import type { FieldErrors } from './errors.ts';
import { inOrder, validFields } from './validation.ts';

/**
 * What only the database knows of a field: that a value is taken, that a reference leads nowhere. It is looked up when a
 * request is refused for something else, so that all of it is said at once. A request that is right pays nothing for it:
 * there the constraints decide, and two at the same moment.
 */
export type LookUp = {
  field: string;
  /** True when the field is to be refused. */
  refused: RawBuilder<SqlBool>;
  message: Text;
};

/** What look-ups are made of: who asks, the id in the path (null for something new), and the fields that are right by themselves. */
export type Sent = { actor: Actor; id: number | null; sent: Readonly<Record<string, unknown>> };

/** The value is taken, when the query finds a row. None where nothing was sent. */
export const taken = (field: string, value: unknown, row: RawBuilder<unknown>): LookUp[] =>
  value === undefined || value === null
    ? []
    : [{ field, refused: sql<SqlBool>`exists (${row})`, message: messages.taken }];

/** The reference leads to nothing the caller may choose, when the query finds no row. */
export const missing = (field: string, value: unknown, row: RawBuilder<unknown>): LookUp[] =>
  value === undefined || value === null
    ? []
    : [{ field, refused: sql<SqlBool>`not exists (${row})`, message: messages.unavailable }];

/** A refusal of fields; a state that does not allow the step has no fields to add to. */
function fieldsOf(error: unknown): FieldErrors | undefined {
  if (!(error instanceof HttpError) || error.status !== 422) return undefined;
  const { errors, revision } = error.body as { errors?: FieldErrors; revision?: number };
  return revision === undefined ? errors : undefined;
}

export type RefusedRequest = {
  endpoint: Endpoint;
  lookUps: ((sent: Sent) => LookUp[]) | undefined;
  actor: Actor | null;
  id: unknown;
  input: Record<string, unknown>;
  db: Db;
};

async function lookedUp(db: Db, all: readonly LookUp[]): Promise<LookUp[]> {
  if (all.length === 0) return [];
  const columns = all.map(({ refused }, index) => sql`${refused} as ${sql.ref(`l${index}`)}`);
  const { rows } = await sql<Record<string, boolean>>`select ${sql.join(columns)}`.execute(db);
  return all.filter((_, index) => rows[0]?.[`l${index}`]);
}

/**
 * The refusal with what the database says of the other fields, in the order of the endpoint's fields and by one
 * statement. Called once nothing of the request holds any more. Anything but a refusal of fields stays what it is.
 */
export async function withLookUps(
  raw: unknown,
  { endpoint, lookUps, actor, id, input, db }: RefusedRequest,
): Promise<unknown> {
  const { body: schema } = endpoint;
  if (!lookUps || !schema || !actor) return raw;
  const found = fieldsOf(fromDatabase(raw));
  if (!found) return raw;
  if (!Object.keys(found).some((field) => (field.split('.')[0] ?? '') in schema.shape)) return raw;
  const sent = validFields(schema, input);
  const all = lookUps({ actor, id: typeof id === 'number' ? id : null, sent });
  const refused = await lookedUp(
    db,
    all.filter(({ field }) => !(field in found)),
  ).catch(() => []);
  if (refused.length === 0) return raw;
  const others = Object.fromEntries(refused.map(({ field, message }) => [field, [say(field, message)]]));
  return invalidFields(inOrder({ ...found, ...others }, schema));
}
