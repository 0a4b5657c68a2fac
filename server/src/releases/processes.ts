import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { randomId } from '../crypto/crypto.ts';
import { findSchemaFault } from '../db/check-schema.ts';
import type { Db } from '../db/connect.ts';
import type { Release } from './release.ts';

const beatMilliseconds = 20_000;

/** A process that was seen within three beats. */
export const isAlive = sql<boolean>`last_seen_at > now() - interval '1 minute'`;

export type Presence = {
  /** Says that this process is gone. */
  end: () => Promise<void>;
};

type Process = {
  release: Release;
  role: Config['ROLE'];
  /** Called once when this release may not run on the database any more. */
  onRefused?: (reason: Error) => void;
  /** Milliseconds between two beats, other ones for tests. */
  beat?: number;
};

type Beat = { was_alive: boolean | null };

/** Adds or renews the row of a process; answers whether it was there, and alive, without a gap until now. */
async function renew(db: Db, id: string, { release, role }: Process): Promise<boolean> {
  const { rows } = await sql<Beat>`
    with before as (select ${isAlive} as was_alive from processes where id = ${id})
    insert into processes as p (id, release, role, host, contracts)
    values (${id}, ${release.name}, ${role}, ${hostname()}, ${release.contracts})
    on conflict (id) do update set
      last_seen_at = now(), beating_since = case when p.last_seen_at > now() - interval '1 minute' then p.beating_since else now() end
    returning (select was_alive from before) as was_alive`.execute(db);
  await sql`delete from processes where last_seen_at < now() - interval '10 minutes'`.execute(db);
  return rows[0]?.was_alive ?? false;
}

/**
 * Says in the database that this process is there, now and every 20 seconds. Contract migrations wait for it, and pages
 * are those of the oldest release that is there. They do not wait for a process that was silent, as one that was frozen:
 * so it looks, as at its start, whether its release may still run.
 * @throws {BadSetting} or an Error where it may not run from the beginning
 */
export async function announceProcess(db: Db, process: Process): Promise<Presence> {
  const { beat = beatMilliseconds, onRefused } = process;
  const id = randomId();
  const stopping = new AbortController();
  let mustLook = true;
  const leave = () => sql`delete from processes where id = ${id}`.execute(db).catch(() => undefined);

  async function once(): Promise<Error | undefined> {
    // its row first: a contract that runs meanwhile waits for it, or has ended before the look
    if (!(await renew(db, id, process))) mustLook = true;
    const fault = mustLook ? await findSchemaFault(db) : undefined;
    mustLook = fault !== undefined;
    return fault;
  }

  const fault = await once();
  if (fault) {
    await leave();
    throw fault;
  }
  const beating = (async () => {
    while (!stopping.signal.aborted) {
      await wait(beat, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      // without a database it cannot serve either
      const refusal = await once().catch(() => {
        // whether it was silent is not known any more
        mustLook = true;
      });
      if (!refusal) continue;
      onRefused?.(refusal);
      return;
    }
  })();
  return {
    end: async () => {
      stopping.abort();
      await beating;
      await leave();
    },
  };
}

/** Forgets all processes; only for the sole service of a database. */
export const forgetProcesses = (db: Db) => sql`delete from processes`.execute(db);
