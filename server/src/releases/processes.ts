import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { randomId } from '../crypto/crypto.ts';
import type { Db } from '../db/connect.ts';
import type { Release } from './release.ts';

const beatMilliseconds = 20_000;

/** A process that was seen within three beats. */
export const isAlive = sql<boolean>`last_seen_at > now() - interval '1 minute'`;

export type Presence = {
  /** Says that this process is gone. */
  end: () => Promise<void>;
};

type Process = { release: Release; role: Config['ROLE'] };

/**
 * Says in the database that this process is there, now and every 20 seconds. Contract migrations wait for it, and pages
 * are those of the oldest release that is there.
 */
export async function announceProcess(db: Db, { release, role }: Process, beat = beatMilliseconds): Promise<Presence> {
  const id = randomId();
  const stopping = new AbortController();

  async function once() {
    await sql`
      insert into processes as p (id, release, role, host, contracts)
      values (${id}, ${release.name}, ${role}, ${hostname()}, ${release.contracts})
      on conflict (id) do update set
        last_seen_at = now(), beating_since = case when p.last_seen_at > now() - interval '1 minute' then p.beating_since else now() end`.execute(
      db,
    );
    await sql`delete from processes where last_seen_at < now() - interval '10 minutes'`.execute(db);
  }

  await once();
  const beating = (async () => {
    while (!stopping.signal.aborted) {
      await wait(beat, undefined, { signal: stopping.signal }).catch(() => undefined);
      // without a database it cannot serve either
      if (!stopping.signal.aborted) await once().catch(() => undefined);
    }
  })();
  return {
    end: async () => {
      stopping.abort();
      await beating;
      await sql`delete from processes where id = ${id}`.execute(db).catch(() => undefined);
    },
  };
}

/** Forgets all processes; only for the sole service of a database. */
export const forgetProcesses = (db: Db) => sql`delete from processes`.execute(db);
