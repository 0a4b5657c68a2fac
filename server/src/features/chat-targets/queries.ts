import type { ChatTarget, chatTargets, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import { notFound } from '../../http/errors.ts';

type Query = QueryOut<typeof chatTargets.list>;
type Row = Omit<ChatTarget, 'allowed_actions'>;

const columns = sql`id, name, kind, host, entity_ids, counts, weekday, hour, timezone, language, tried_at, http_status,
  error, revision, created_at, updated_at`;
const present = (row: Row): ChatTarget => ({ ...row, allowed_actions: ['update', 'test', 'delete'] });

const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(name)`,
  created_at: sql`created_at`,
  tried_at: sql`tried_at`,
};

export async function listTargets(db: Db, query: Query) {
  const where = every(holdsWords([sql`name`, sql`host`], query.search));
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`id`);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Row>`select ${columns} from chat_targets where ${where} ${order}`,
    total: sql`select count(*) from chat_targets where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** A chat target as answers show it: its address never. Throws 404. */
export async function readTarget(db: Db, id: number): Promise<ChatTarget> {
  const { rows } = await sql<Row>`select ${columns} from chat_targets where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}

/** The same, locked for a change. Throws 404. */
export async function lockTarget(db: Db, id: number): Promise<ChatTarget> {
  await sql`select from chat_targets where id = ${id} for update`.execute(db);
  return readTarget(db, id);
}
