import { savedViewLists, savedViewResources } from '@tenure/contract';
import type { QueryOut, SavedView, savedViews, SavedViewResource } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, SqlBool } from 'kysely';
import { holds } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { every, holdsWords, oneOfTexts, orderedBy, selectPage } from '../../db/lists.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { can, usable } from './policy.ts';

type ListQuery = QueryOut<typeof savedViews.list>;

/** A view as stored, with its owner's name. */
export type StoredView = Pick<
  SavedView,
  | 'id'
  | 'name'
  | 'query'
  | 'columns'
  | 'density'
  | 'is_shared'
  | 'is_default'
  | 'revision'
  | 'created_at'
  | 'updated_at'
> & {
  resource: SavedViewResource;
  owner_id: number;
  /** Null for an account without a person. */
  owner_name: string | null;
};

const columns = sql`
  v.id, v.name, v.resource, v.query, v.columns, v.density, v.is_shared, v.is_default, v.owner_id, v.revision,
  v.created_at, v.updated_at, coalesce(p.name, s.name) as owner_name`;
const tables = sql`saved_views v
  left join employees p on p.user_id = v.owner_id left join service_accounts s on s.user_id = v.owner_id`;

const sorts = {
  name: sql`fold(v.name) collate "C"`,
  created_at: sql`v.created_at`,
  updated_at: sql`v.updated_at`,
};

/** The lists that the actor can call; views of other lists are hidden. */
const callable = (actor: Actor): SavedViewResource[] =>
  savedViewResources.filter((resource) => {
    const { permission } = savedViewLists[resource];
    return (typeof permission === 'string' ? [permission] : permission).some((name) => holds(actor, name));
  });

/** The user's own views, and shared ones of lists that the actor can call. */
const readable = (actor: Actor): RawBuilder<SqlBool> =>
  sql<SqlBool>`(v.owner_id = ${actor.user_id} or (v.is_shared and v.resource = any(${callable(actor)}::text[])))`;

/** A view for this reader: with the parameters that the reader can send, and without another user's default. */
export function present(actor: Actor, { owner_id, owner_name, ...view }: StoredView): SavedView {
  const is_own = owner_id === actor.user_id;
  return {
    ...view,
    ...usable(actor, view),
    is_default: is_own && view.is_default,
    is_own,
    owner: { user_id: owner_id, name: owner_name },
    allowed_actions: can(actor, { owner_id, is_shared: view.is_shared }),
  };
}

export const mayCall = (actor: Actor, resource: SavedViewResource) => callable(actor).includes(resource);

/** A page of the views that are visible to the actor. */
export async function listViews({ db, actor }: ReadCtx, query: ListQuery) {
  const where = every([
    readable(actor),
    ...oneOfTexts(sql`v.resource`, query.resource),
    ...(query.is_shared === undefined ? [] : [sql<SqlBool>`v.is_shared = ${query.is_shared}`]),
    ...(query.own === undefined ? [] : [sql<SqlBool>`(v.owner_id = ${actor.user_id}) = ${query.own}`]),
    ...holdsWords([sql`v.name`], query.search),
  ]);
  const order = orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`v.id`);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<StoredView>`select ${columns} from ${tables} where ${where} ${order}`,
    total: sql`select count(*) from saved_views v where ${where}`,
  });
  return { rows: rows.map((row) => present(actor, row)), total };
}

/**
 * Finds a view that is visible to the actor; `lock` locks it until the end of the transaction. Throws 404 for a view
 * that is neither the user's own nor shared.
 */
export async function findView({ db, actor }: ReadCtx, id: number, { lock = false } = {}): Promise<StoredView> {
  const { rows } = await sql<StoredView>`
    select ${columns} from ${tables} where v.id = ${id} and ${readable(actor)}
    ${lock ? sql`for update of v` : sql``}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}
