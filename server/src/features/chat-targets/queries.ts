import type { ChatTarget, chatTargets, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { every, holdsWords, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { unseenCount } from './rights.ts';

type Query = QueryOut<typeof chatTargets.list>;
type Row = Omit<ChatTarget, 'allowed_actions'>;
type Looking = Pick<ReadCtx, 'db' | 'actor'>;

const columns = sql`id, name, kind, host, entity_ids, counts, weekday, hour, timezone, language, status, reason,
  tried_at, http_status, error, revision, created_at, updated_at`;

const present = (actor: Actor, row: Row): ChatTarget => {
  const resume = row.status === 'stopped' && unseenCount(actor, row) < 0 ? ['resume'] : [];
  return { ...row, allowed_actions: ['update', 'test', ...resume, 'delete'] };
};

const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(name)`,
  created_at: sql`created_at`,
  tried_at: sql`tried_at`,
};

export async function listTargets({ db, actor }: Looking, query: Query) {
  const where = every(holdsWords([sql`name`, sql`host`], query.search));
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`id`);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Row>`select ${columns} from chat_targets where ${where} ${order}`,
    total: sql`select count(*) from chat_targets where ${where}`,
  });
  return { rows: rows.map((row) => present(actor, row)), total };
}

/** A chat target as responses show it, without its address. Throws 404. */
export async function readTarget({ db, actor }: Looking, id: number): Promise<ChatTarget> {
  const { rows } = await sql<Row>`select ${columns} from chat_targets where id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(actor, row);
}

/** Locks a chat target for a change. Throws 404. */
export async function lockTarget(ctx: Looking, id: number): Promise<ChatTarget> {
  await sql`select from chat_targets where id = ${id} for update`.execute(ctx.db);
  return readTarget(ctx, id);
}
