import { messages, text } from '@tenure/contract';
import type { CriteriaSet, probationCriteria, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';
import { changesBetween, record } from '../../audit.ts';
import { every, holdsWords, oneOfIds, orderedBy, selectPage } from '../../db/lists.ts';
import { refTo } from '../../db/refs.ts';
import type { ProbationCriteriaSets } from '../../db/schema.ts';
import { sentOf } from '../../db/values.ts';
import type { HandlerCtx, ReadCtx, WriteCtx } from '../../http/context.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { allColumns } from '../../db/all-columns.ts';

/** Sets of criteria: each belongs to a company, and only users who open reviews there can see and change it. */

export type StoredSet = Selectable<ProbationCriteriaSets>;
type Shown = Omit<CriteriaSet, 'allowed_actions'>;
type Criteria = CriteriaSet['criteria'];

const whole = 100;

/** Sets `s` of the actor's companies. */
export const setsFor = (actor: Actor) => entitiesIn(reachOf(actor, 'probation-review.create'), 's.entity_id');

const columns = sql`s.id, s.entity_id, ${refTo('n')} as entity, s.name, s.criteria, s.is_proposed, s.may_adapt, s.revision,
  s.created_at, s.updated_at`;
const tables = sql`probation_criteria_sets s join entities n on n.id = s.entity_id`;

// a reader of a set has the permission to change it
const present = (row: Shown): CriteriaSet => ({ ...row, allowed_actions: ['update', 'delete'] });

type Query = QueryOut<typeof probationCriteria.list>;
const sorts: Record<NonNullable<Query['sort_by']>, RawBuilder<unknown>> = {
  name: sql`fold(s.name)`,
  created_at: sql`s.created_at`,
  updated_at: sql`s.updated_at`,
};

/** A page of the sets that the actor sees. */
export async function listSets({ db, actor }: ReadCtx, query: Query): Promise<{ rows: CriteriaSet[]; total: number }> {
  const where = every([
    setsFor(actor),
    ...oneOfIds(sql`s.entity_id`, query.entity_id),
    ...holdsWords([sql`s.name`], query.search),
  ]);
  const { rows, total } = await selectPage(db, query, {
    rows: sql<Shown>`
      select ${columns} from ${tables} where ${where}
      ${orderedBy(sorts[query.sort_by ?? 'name'], query.sort_direction, sql`s.id`)}`,
    total: sql`select count(*) from probation_criteria_sets s where ${where}`,
  });
  return { rows: rows.map(present), total };
}

/** One set as responses show it. Throws 404 outside the actor's companies. */
export async function readSet({ db, actor }: ReadCtx, id: number): Promise<CriteriaSet> {
  const { rows } = await sql<Shown>`
    select ${columns} from ${tables} where s.id = ${id} and ${setsFor(actor)}`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return present(row);
}

/** Finds and locks a set. Throws 404 outside the actor's companies. */
export async function lockSet({ db, actor }: ReadCtx, id: number): Promise<StoredSet> {
  const { rows } = await sql<StoredSet>`
    select ${allColumns('probation_criteria_sets', 's')} from probation_criteria_sets s where s.id = ${id} and ${setsFor(actor)} for update`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type SentCriteria = HandlerCtx<typeof probationCriteria.create>['body']['criteria'];

/** The stored criteria, without empty guidance. */
const storedOf = (criteria: SentCriteria): Criteria =>
  criteria.map(({ guidance, ...one }) => ({ ...one, ...(guidance && { guidance }) }));

function check(criteria: Criteria): void {
  const total = criteria.reduce((sum, { weight }) => sum + weight, 0);
  if (total !== whole) throw invalid('criteria', text('validation.weights_add_up', { total }));
  const names = criteria.map(({ name }) => name.toLocaleLowerCase());
  const twice = names.findIndex((name, place) => names.indexOf(name) !== place);
  if (twice >= 0) throw invalid(`criteria.${twice}.name`, messages.duplicate);
}

/** Stops proposing another set of the company. */
async function propose({ db }: Pick<WriteCtx, 'db'>, entityId: number, exceptId: number | null): Promise<void> {
  await sql`
    update probation_criteria_sets set is_proposed = false
    where entity_id = ${entityId} and is_proposed and id is distinct from ${exceptId}::bigint`.execute(db);
}

/** Adds a set. Returns its id. */
export async function createSet(ctx: HandlerCtx<typeof probationCriteria.create>): Promise<number> {
  const { entity_id, name, is_proposed = false, may_adapt = true } = ctx.body;
  const criteria = storedOf(ctx.body.criteria);
  if (!reachesEntity(reachOf(ctx.actor, 'probation-review.create'), entity_id))
    throw invalid('entity_id', messages.selected);
  check(criteria);
  if (is_proposed) await propose(ctx, entity_id, null);
  const values = { entity_id, name, is_proposed, may_adapt };
  const { id } = await ctx.db
    .insertInto('probation_criteria_sets')
    .values({ ...values, criteria: JSON.stringify(criteria) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(ctx, {
    action: 'probation_criteria_set.created',
    subject_id: id,
    subject_label: name,
    entity_id,
    changes: changesBetween({}, { ...values, criteria }),
  });
  return id;
}

/** Writes changed fields of a locked set. */
export async function updateSet(ctx: HandlerCtx<typeof probationCriteria.update>, set: StoredSet): Promise<void> {
  const { revision, ...fields } = ctx.body;
  checkRevision(set, { revision }, set.is_proposed ? 'proposed' : 'kept');
  const sent = sentOf({ ...fields, criteria: fields.criteria && storedOf(fields.criteria) });
  if (sent.criteria) check(sent.criteria);
  const changes = changesBetween(set, sent);
  if (Object.keys(changes).length === 0) return;
  if (sent.is_proposed) await propose(ctx, set.entity_id, set.id);
  const { criteria, ...plain } = sent;
  await ctx.db
    .updateTable('probation_criteria_sets')
    .set({ ...plain, ...(criteria && { criteria: JSON.stringify(criteria) }) })
    .where('id', '=', set.id)
    .execute();
  await record(ctx, {
    action: 'probation_criteria_set.updated',
    subject_id: set.id,
    subject_label: sent.name ?? set.name,
    entity_id: set.entity_id,
    changes,
  });
}

/** Removes a locked set. */
export async function deleteSet(ctx: WriteCtx, set: StoredSet): Promise<void> {
  await ctx.db.deleteFrom('probation_criteria_sets').where('id', '=', set.id).execute();
  const { name, criteria, is_proposed, may_adapt } = set;
  await record(ctx, {
    action: 'probation_criteria_set.deleted',
    subject_id: set.id,
    subject_label: name,
    entity_id: set.entity_id,
    changes: changesBetween(
      { name, criteria, is_proposed, may_adapt },
      { name: null, criteria: null, is_proposed: null, may_adapt: null },
    ),
  });
}
