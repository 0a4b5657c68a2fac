import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { Db } from '../db/connect.ts';
import type { Deps } from '../http/context.ts';
import { inJobTransaction } from '../jobs/task.ts';
import type { JobContext } from '../jobs/task.ts';
import { lockKeys, makeKey } from './signing-key.ts';

/** The rotation of the service's keys, and where providers read them. */

/** How many days a key signs, and how many it is published before and after that. */
const [signsDays, overlapDays] = [90, 1];

/** Once a day: publishes the next key a day before it signs, and deletes keys that stopped signing a day ago. */
export const rotateKeys = ({ deps }: JobContext): Promise<void> =>
  inJobTransaction(deps.db, async (db) => {
    await lockKeys(db);
    await sql`
      delete from client_keys k
      where not exists (select from identity_providers where uses_key)
         or exists (select from client_keys n where n.signs_from > k.signs_from
                    and n.signs_from < now() - make_interval(days => ${overlapDays}))`.execute(db);
    const { rows } = await sql`
      select from client_keys having max(signs_from) < now() - make_interval(days => ${signsDays})`.execute(db);
    if (rows.length > 0) await makeKey(db, deps.ring, overlapDays);
  });

async function published(db: Db): Promise<string> {
  const { rows } = await sql<{ public_key: unknown }>`
    select public_key from client_keys order by signs_from, id`.execute(db);
  return JSON.stringify({ keys: rows.map(({ public_key }) => public_key) });
}

const keptMs = 5_000;

/** Where providers read the public keys. A stream of requests causes one query every five seconds. */
export function bindClientKeys(app: FastifyInstance, { db }: Pick<Deps, 'db'>): void {
  let kept: { at: number; text: Promise<string> } | undefined;
  app.get('/sso/jwks.json', async (_request, reply) => {
    if (!kept || performance.now() - kept.at > keptMs) kept = { at: performance.now(), text: published(db) };
    const text = await kept.text.catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return reply.header('cache-control', 'public, max-age=300').type('application/json; charset=utf-8').send(text);
  });
}
