import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { randomId } from '../crypto/crypto.ts';
import { findSchemaFault } from '../db/check-schema.ts';
import type { Db } from '../db/connect.ts';
import type { Release } from './release.ts';

const beatMilliseconds = 20_000;

/** A process that was seen within the time of three beats. */
export const isAlive = sql<boolean>`last_seen_at > now() - interval '1 minute'`;

export type Presence = {
  /** Records that this process has ended. */
  end: () => Promise<void>;
};

type Process = {
  release: Release;
  role: Config['ROLE'];
  /** Called once if this release may no longer run on the database. */
  onRefused?: (reason: Error) => void;
  /** Milliseconds between two beats; tests set others. */
  beat?: number;
};

type Beat = { was_alive: boolean | null };

/** Adds or renews the row of a process; returns whether it existed and was alive without a gap until now. */
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
 * Registers this process in the database, now and every 20 seconds. Contract migrations wait for registered processes,
 * and pages come from the oldest registered release. They do not wait for a process that was silent, such as a frozen
 * one, so that process checks again, as at its start, whether its release may still run.
 * @throws {BadSetting} or an Error if it may not run from the start
 */
export async function announceProcess(db: Db, process: Process): Promise<Presence> {
  const { beat = beatMilliseconds, onRefused } = process;
  const id = randomId();
  const stopping = new AbortController();
  let mustLook = true;
  const leave = () => sql`delete from processes where id = ${id}`.execute(db).catch(() => undefined);

  async function once(): Promise<Error | undefined> {
    // its row first: a contract that runs meanwhile waits for it, or ends before the check
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
        // it is no longer known whether the process was silent
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

/** Deletes the rows of all processes; only for the sole service of a database. */
export const deleteProcesses = (db: Db) => sql`delete from processes`.execute(db);
