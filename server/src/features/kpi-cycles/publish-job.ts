import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import { inJob } from '../../jobs/task.ts';
import type { JobContext } from '../../jobs/task.ts';
import { createEvaluations } from './evaluations.ts';
import type { Publication } from './evaluations.ts';
import { planOf } from './plan.ts';

const Payload = z.object({ id: z.int() });
const Request = z.object({
  cycle_id: z.int(),
  department_ids: z.array(z.int()),
  actor: z.object({ user_id: z.int(), name: z.string() }),
});

/** So many evaluations are made in one transaction: few enough to stand in nobody's way. */
const batch = 2_000;

async function publicationOf(db: Db, id: number): Promise<Publication | undefined> {
  const { rows } = await sql<{ request: unknown }>`
    select publishing_request as request from kpi_cycles where id = ${id} and publishing_total is not null`.execute(db);
  return rows[0] && Request.parse(rows[0].request);
}

/** Who is still without an evaluation. */
async function newcomers(db: Db, { cycle_id, department_ids }: Publication): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`
    with ${planOf(cycle_id, department_ids)}
    select coalesce(array_agg(id order by id), '{}') as ids from people where is_new`.execute(db);
  return rows[0]?.ids ?? [];
}

/** One batch; the progress is written with it, so that both are there or neither. */
const publishSome = (db: Kysely<DB>, publication: Publication, people: readonly number[]) =>
  inJob(db, async (trx) => {
    // windows that move at the same moment wait, or are seen
    await sql`select from kpi_cycles where id = ${publication.cycle_id} for no key update`.execute(trx);
    const made = await createEvaluations(trx, publication, people);
    await sql`
      update kpi_cycles set publishing_processed = least(publishing_processed + ${made}, publishing_total)
      where id = ${publication.cycle_id}`.execute(trx);
  });

/** Makes the evaluations of a large publish. Cut off and started again it goes on where it was. */
export async function publishCycleJob({ deps }: JobContext, payload: unknown): Promise<void> {
  const { id } = Payload.parse(payload);
  const publication = await publicationOf(deps.db, id);
  if (!publication) return;
  const people = await inJob(deps.db, (db) => newcomers(db, publication));
  for (let start = 0; start < people.length; start += batch)
    await publishSome(deps.db, publication, people.slice(start, start + batch));
  await sql`
    update kpi_cycles set publishing_processed = null, publishing_total = null, publishing_request = null
    where id = ${id}`.execute(deps.db);
}
