import pg from 'pg';
import type { Ask } from './ask.ts';

/**
 * A database that was moved says so in the comment of one of its tables: the application's role can read it, no backup
 * copies it, and it needs no migration.
 */
const table = 'installation';
const mark = /^moved on (?<day>\S+) to (?<place>.+)$/;

export type Moved = { day: string; place: string };

export async function movedTo(ask: Ask): Promise<Moved | undefined> {
  const { rows } = await ask(`select obj_description(to_regclass('${table}'), 'pg_class') as comment`, []);
  const { comment } = rows[0] as { comment: string | null };
  return mark.exec(comment ?? '')?.groups as Moved | undefined;
}

/** Marks the database as moved, as the owner of its tables, so that no service uses it. */
export async function markMoved(client: pg.Client, place: string): Promise<void> {
  const day = Temporal.Now.plainDateISO('UTC').toString();
  await client.query(`comment on table ${table} is ${pg.escapeLiteral(`moved on ${day} to ${place}`)}`);
}

/** @returns whether there was a mark */
export async function unmark(client: pg.Client): Promise<boolean> {
  const moved = await movedTo((text, values) => client.query(text, values));
  if (moved) await client.query(`comment on table ${table} is null`);
  return moved !== undefined;
}

/** An error with the new place, if the database was moved. */
export async function findMove(ask: Ask): Promise<Error | undefined> {
  const moved = await movedTo(ask);
  if (!moved) return undefined;
  return new Error(
    `This database was moved to ${moved.place} on ${moved.day}. Use the settings of the new location, or run the command ` +
      'move-database --unmark to use this database again',
  );
}

/** @throws with the new place, if the database was moved */
export async function refuseMoved(ask: Ask): Promise<void> {
  const fault = await findMove(ask);
  if (fault) throw fault;
}
