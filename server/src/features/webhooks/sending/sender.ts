import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { randomId } from '../../../crypto/crypto.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../http/context.ts';
import { keepRunning } from '../../../keep-running.ts';
import { isFree, webhookTables } from '../columns.ts';
import { sendingOf } from '../queries.ts';
import { takeTurn } from './turn.ts';

/** Sends events to webhooks, separately from jobs: each webhook has a turn of its own, so that a hanging receiver delays no other. */

const maxAtOnce = 20;
/** Longer than the longest turn including its last request. */
const leaseSeconds = 60;

export type SenderOptions = {
  /** Creates deliveries of new events; runs before each search for webhooks. */
  collect: () => Promise<void>;
  /** Milliseconds between two searches, and between two runs of `collect`. */
  lookMs?: number;
  collectMs?: number;
};

export type RunningSender = { stop: () => Promise<void> };

/** Takes webhooks with pending events that no process holds, the longest waiting first. */
async function claim(deps: Deps, lease: string, most: number): Promise<number[]> {
  if (most <= 0) return [];
  const { rows } = await sql<{ id: number }>`
    update webhooks set leased_by = ${lease}, leased_until = now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select w.id from ${webhookTables}
      where ${isFree(sendingOf(deps))} and w.next_turn_at <= now()
        and (w.leased_until is null or w.leased_until <= now())
        and exists (select from webhook_deliveries d
                    where d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= now())
      order by w.next_turn_at, w.id limit ${most}
      for no key update of w skip locked)
    returning id`.execute(deps.db);
  return rows.map(({ id }) => id);
}

const release = (db: Db, { id, lease, rest }: { id: number; lease: string; rest: number }) =>
  sql`update webhooks set leased_by = null, leased_until = null, next_turn_at = now() + make_interval(secs => ${rest})
      where id = ${id} and leased_by = ${lease}`.execute(db);

/** True if any webhook gets events; otherwise nothing is collected here. */
async function isWanted(db: Db): Promise<boolean> {
  const { rows } = await sql`select from webhooks where status = 'active' limit 1`.execute(db);
  return rows.length > 0;
}

type Sending = {
  deps: Deps;
  lease: string;
  running: Map<number, Promise<void>>;
  signal: AbortSignal;
  wake: () => void;
};

/** Starts a turn of each webhook with pending events, up to the limit. */
async function fill({ deps, lease, running, signal, wake }: Sending): Promise<void> {
  const turn = async (id: number) => {
    let rest = 1;
    try {
      rest = await takeTurn(deps, id, signal);
    } catch (error) {
      deps.log.error(
        { event: 'webhook_turn_failed', webhook_id: id, err: error },
        'a webhook could not send because of an unexpected error, and is retried',
      );
    } finally {
      await release(deps.db, { id, lease, rest }).catch(() => undefined);
      running.delete(id);
      wake();
    }
  };
  for (const id of await claim(deps, lease, maxAtOnce - running.size)) running.set(id, turn(id));
}

/** Starts sending. `stop` waits for running requests. */
export function startSender(deps: Deps, { collect, lookMs = 1_000, collectMs = 2_000 }: SenderOptions): RunningSender {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<number, Promise<void>>();
  let awake = Promise.withResolvers<void>();
  const sending: Sending = { deps, lease: randomId(), running, signal, wake: () => awake.resolve() };
  const down = (error: unknown) =>
    deps.log.warn(
      { event: 'webhook_sender_down', err: (error as Error).message },
      'the webhook sender lost its database connection and restarts',
    );
  let collected = -Infinity;
  let collecting: Promise<void> | undefined;

  async function round() {
    if (!collecting && performance.now() - collected >= collectMs && (await isWanted(deps.db))) {
      collected = performance.now();
      // not counted, because there is much to collect after an import
      collecting = collect()
        .catch(down)
        .finally(() => {
          collecting = undefined;
          sending.wake();
        });
    }
    await fill(sending);
  }
  async function rounds() {
    try {
      while (!signal.aborted) {
        awake = Promise.withResolvers<void>();
        await round();
        await Promise.race([awake.promise, wait(lookMs, undefined, { signal })]).catch(() => undefined);
      }
    } catch (error) {
      down(error);
    }
  }
  const ended = keepRunning(rounds, { pause: { least: 200, most: 30_000 }, steadyAfter: 60_000, signal });
  return {
    stop: async () => {
      stopping.abort();
      await ended;
      await Promise.all([collecting, ...running.values()]);
    },
  };
}
