import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { loadRequester } from '../../imports/requester.ts';
import { inJobTransaction } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { createEvaluations } from './evaluations.ts';
import type { Publication } from './evaluations.ts';
import { planOf } from './plan.ts';
import { companiesFor } from './policy.ts';
import { withdrawPublishing } from './publish-given-up.ts';

const Payload = z.object({ id: z.int() });
const Request = z.object({
  cycle_id: z.int(),
  department_ids: z.array(z.int()),
  actor: z.object({ user_id: z.int(), name: z.string() }),
});

/** Evaluations per transaction: few enough not to block other requests for long. */
const batch = 2_000;
/** The number of parallel batches. */
const concurrency = 2;

async function publicationOf(db: Db, id: number): Promise<Publication | undefined> {
  const { rows } = await sql<{ request: unknown }>`
    select publishing_request as request from kpi_cycles where id = ${id} and publishing_total is not null`.execute(db);
  return rows[0] && Request.parse(rows[0].request);
}

/** People without an evaluation, grouped by department, so that a batch plans for few departments. */
async function newcomers(db: Db, { cycle_id, department_ids }: Publication): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    with ${planOf(cycle_id, department_ids)}
    select coalesce(array_agg(id order by department_id, id), '{}') as ids from people where is_new`.execute(db);
  return rows[0]?.ids ?? [];
}

/** True when the publisher's current rights cover the companies of all the departments. */
async function mayGoOn(db: Db, { actor, department_ids }: Publication): Promise<boolean> {
  const publisher = await loadRequester(db, new Map(), actor.user_id);
  if (!publisher) return false;
  const { rows } = await sql`
    select from departments d where d.id = any(${department_ids}::bigint[])
      and not ${companiesFor(publisher, 'kpi-cycle.publish', 'd.entity_id')} limit 1`.execute(db);
  return rows.length === 0;
}

/** Publishes one batch. Concurrent moves of windows happen before or after it. */
const publishSome = (db: Kysely<DB>, publication: Publication, people: readonly number[]) =>
  inJobTransaction(db, async (trx) => {
    await sql`select from kpi_cycles where id = ${publication.cycle_id} for share`.execute(trx);
    return createEvaluations(trx, publication, { only: people });
  });

/** Stores the progress from what is left, so that it is correct after a process died. */
const storeProgress = (db: Db, id: number, left: number) =>
  sql`
  update kpi_cycles set publishing_processed = greatest(publishing_total - ${left}::int, 0)
  where id = ${id} and publishing_processed <> greatest(publishing_total - ${left}::int, 0)`.execute(db);

/**
 * Creates the evaluations of a large publication. A restart continues where it stopped; it ends when the publisher
 * loses the permission.
 */
export async function publishCycleJob(ctx: JobContext, payload: unknown): Promise<void> {
  const { db } = ctx.deps;
  const { id } = Payload.parse(payload);
  const publication = await publicationOf(db, id);
  if (!publication) return;
  const people = await inJobTransaction(db, (trx) => newcomers(trx, publication));
  for (let start = 0; start < people.length;) {
    await storeProgress(db, id, people.length - start);
    if (!(await mayGoOn(db, publication))) {
      await withdrawPublishing(ctx, id);
      return;
    }
    const starts = Array.from({ length: concurrency }, (_, index) => start + index * batch);
    await Promise.all(starts.map((from) => publishSome(db, publication, people.slice(from, from + batch))));
    start += concurrency * batch;
  }
  await sql`
    update kpi_cycles set publishing_processed = null, publishing_total = null, publishing_request = null
    where id = ${id}`.execute(db);
}
