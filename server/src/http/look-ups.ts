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
 * What only the database knows about a field: that a value is taken, or that a reference leads nowhere. It is looked up
 * when a request is refused for another reason, so that all errors are reported at once. A valid request costs no
 * lookup: there the constraints decide, also between parallel requests.
 */
export type LookUp = {
  field: string;
  /** True if the field is refused. */
  refused: RawBuilder<SqlBool>;
  message: Text;
};

/** Input for lookups: the requester, the path's id (null for a new record), and the fields valid by themselves. */
export type Sent = { actor: Actor; id: number | null; sent: Readonly<Record<string, unknown>> };

/** Refuses a taken value: the query finds a row. No lookup if nothing was sent. */
export const taken = (field: string, value: unknown, row: RawBuilder<unknown>): LookUp[] =>
  value === undefined || value === null
    ? []
    : [{ field, refused: sql<SqlBool>`exists (${row})`, message: messages.taken }];

/** Refuses a reference to nothing that the caller may select: the query finds no row. */
export const missing = (field: string, value: unknown, row: RawBuilder<unknown>): LookUp[] =>
  value === undefined || value === null
    ? []
    : [{ field, refused: sql<SqlBool>`not exists (${row})`, message: messages.unavailable }];

/** The fields of a refusal; undefined for a state that does not allow the step, which has no fields to add to. */
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
 * Adds what the database says about the other fields to a refusal, in the order of the endpoint's fields and with one
 * statement. Called once the request's transaction has ended. Any other error stays as it is.
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
