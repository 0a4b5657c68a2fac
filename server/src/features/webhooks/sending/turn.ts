import { eventTypeNames } from '@tenure/contract';
import { sql } from 'kysely';
import type { Holder } from '../../../access/actor.ts';
import { loadHolder } from '../../../access/rights.ts';
import type { Db } from '../../../db/connect.ts';
import type { Deps } from '../../../http/context.ts';
import { eventColumns, presentEvent, readableEvents } from '../../events/visible.ts';
import type { StoredEvent } from '../../events/visible.ts';
import { isFree, messageId, webhookTables } from '../columns.ts';
import { sendingOf } from '../queries.ts';
import { gone, maxAttempts, storeOutcomes } from './outcomes.ts';
import type { Streak, Tried } from './outcomes.ts';
import { post, readReceiver } from './post.ts';
import type { Receiver } from './post.ts';

/** One webhook sends for a few seconds; the rest is left to its next turn. */

const batch = 100;
const parallel = 4;
/** The number of attempts stored together. */
const stored = 25;
/** No request starts later than this in a turn, so that no turn outlasts its lease. */
const turnMs = 5_000;
/** Rights, pauses and changes of the webhook are read again after this time, before a request starts. */
const lookMs = 200;
/** After this many failures in a row, a single request checks the receiver, at increasing intervals. */
const attempts = 4;
const longestRest = 300;
/** A receiver without a success for this long is down, not just busy or failing for some events. */
const awayMinutes = 30;

/** Seconds without requests to a failing receiver. */
const restAfter = (failures: number) =>
  failures < attempts ? 0 : Math.min(5 * 2 ** Math.min(failures - attempts, 6), longestRest);

/** `wasAway`: the receiver was down when the turn began. */
type Started = { receiver: Receiver; holder: Holder; streak: Streak; mark: string; wasAway: boolean };
type Due = StoredEvent & {
  id: number;
  attempts: number;
  message_id: string;
  subject: string;
  about: number | null;
  is_readable: boolean;
};

type Look = Streak & { account_id: number; mark: string; was_away: boolean };

/** The current conditions of a turn; undefined if nothing may be sent. */
async function look(deps: Deps, id: number): Promise<Look | undefined> {
  const { rows } = await sql<Look>`
    select w.failures, w.failing_since, u.id as account_id,
           coalesce(w.failing_since <= now() - make_interval(mins => ${awayMinutes}), false) as was_away,
           w.revision || ':' || u.access_version || ':' || i.structure_version as mark
    from ${webhookTables} cross join installation i
    where w.id = ${id} and ${isFree(sendingOf(deps))}`.execute(deps.db);
  return rows[0];
}

async function begin(deps: Deps, id: number): Promise<Started | undefined> {
  const looked = await look(deps, id);
  if (!looked) return undefined;
  const { account_id, mark, was_away: wasAway, ...streak } = looked;
  const receiver = await readReceiver(deps.db, deps.ring, id);
  const holder = await loadHolder(deps.db, account_id);
  return receiver && holder && { receiver, holder, streak, mark, wasAway };
}

/** The next deliveries in the order of events; first attempts come before others, unless the receiver was down. */
async function dueOf(db: Db, id: number, { holder, wasAway }: Started): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select d.id, d.attempts, ${messageId} as message_id, ${eventColumns(holder)},
           coalesce('person ' || v.employee_id, split_part(v.type, '.', 1) || ' ' || v.subject_id, 'event ' || v.sequence)
             as subject, v.about_employee_id as about,
           (${readableEvents(holder, eventTypeNames)} and (w.types is null or v.type = any(w.types))
            and (w.entity_ids is null or v.entity_id = any(w.entity_ids))) is true as is_readable
    from webhooks w
    join webhook_deliveries d on d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= now()
    -- processes of a later release handle its new types
    join events v on v.sequence = d.sequence and v.type = any(${eventTypeNames}::text[])
    where w.id = ${id}
    order by ${wasAway ? sql`` : sql`d.attempts > 0,`} d.sequence limit ${batch}`.execute(db);
  return rows;
}

/** An event that the account may not read is not sent, and its delivery is deleted. */
async function withdraw(db: Db, hidden: readonly Due[]): Promise<void> {
  if (hidden.length === 0) return;
  const ids = hidden.map(({ id }) => id);
  await sql`delete from webhook_deliveries where id = any(${ids}::bigint[]) and status = 'pending'`.execute(db);
}

/** The maximum number of characters of field names in a message, which stays well below 20 kB. */
const maxNames = 15_000;

/** The message about an event. */
export function bodyOf(row: StoredEvent): string {
  const { type, timestamp, sequence, data } = presentEvent(row);
  let length = 0;
  const changed = data.changed.filter((name) => (length += name.length) <= maxNames);
  return JSON.stringify({ type, timestamp, sequence, data: { ...data, changed } });
}

class Turn {
  readonly #deps: Deps;
  readonly #id: number;
  readonly #started: Started;
  readonly #signal: AbortSignal;
  readonly #until = performance.now() + turnMs;
  #looked = performance.now();
  #streak: Streak;
  #tried: Tried[] = [];
  #isOver = false;
  /** True when the receiver was down and responds again: its pending deliveries are looked up again. */
  #isBack = false;
  #fault: unknown;
  /** The seconds without requests to the receiver. */
  rest = 0;
  /** The number of attempts in the turn. */
  tries = 0;

  constructor(deps: Deps, id: number, started: Started, signal: AbortSignal) {
    this.#deps = deps;
    this.#id = id;
    this.#started = started;
    this.#streak = started.streak;
    this.#signal = signal;
  }

  /** Sends due events until none are left, or the turn is over. */
  async run(): Promise<void> {
    const { db } = this.#deps;
    for (let isMore = true; isMore && !this.#isOver;) {
      const due = await dueOf(db, this.#id, this.#started);
      await withdraw(
        db,
        due.filter(({ is_readable }) => !is_readable),
      );
      const wasBack = this.#isBack;
      await this.#send(due.filter(({ is_readable }) => is_readable));
      isMore = due.length === batch || this.#isBack !== wasBack;
    }
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** In order, a few at a time, and never two about the same subject. */
  async #send(due: readonly Due[]): Promise<void> {
    const running = new Map<string, Promise<void>>();
    const wasBack = this.#isBack;
    for (const one of due) {
      while (running.size > 0 && (running.has(one.subject) || running.size >= this.#width()))
        await Promise.race(running.values());
      if (this.#isBack !== wasBack || !(await this.#mayGoOn())) break;
      if (this.#tried.length >= stored) await this.#store();
      running.set(
        one.subject,
        this.#try(one).finally(() => running.delete(one.subject)),
      );
    }
    await Promise.all(running.values());
    await this.#store();
  }

  #width() {
    return this.#streak.failures > 0 ? 1 : parallel;
  }

  async #mayGoOn(): Promise<boolean> {
    const now = performance.now();
    if (this.#signal.aborted || now > this.#until || this.rest > 0) this.#isOver = true;
    if (this.#isOver || now - this.#looked < lookMs) return !this.#isOver;
    const looked = await look(this.#deps, this.#id);
    this.#looked = performance.now();
    this.#isOver = looked?.mark !== this.#started.mark;
    return !this.#isOver;
  }

  async #try(one: Due): Promise<void> {
    const { id, attempts, message_id, about } = one;
    try {
      const outcome = await post(this.#deps.door, this.#started.receiver, { id: message_id, body: bodyOf(one) });
      this.#note(one, { ...outcome, id, attempts: attempts + 1, about });
    } catch (error) {
      this.#fault = error;
      this.#isOver = true;
    }
  }

  #note({ sequence }: Due, tried: Tried): void {
    const { error, http_status, attempts, retry_after } = tried;
    this.#tried.push(tried);
    this.tries += 1;
    if (error === null) {
      if (this.#started.wasAway) this.#isBack = true;
      this.#streak = { failures: 0, failing_since: null };
      return;
    }
    const { failures, failing_since } = this.#streak;
    this.#streak = { failures: failures + 1, failing_since: failing_since ?? Temporal.Now.instant().toString() };
    this.rest = Math.max(restAfter(failures + 1), Math.min(retry_after ?? 0, longestRest));
    if (http_status === gone) this.#isOver = true;
    this.#deps.log.warn(
      {
        event: 'webhook_failed',
        webhook_id: this.#id,
        sequence,
        attempt: attempts,
        of: maxAttempts,
        http_status,
        error,
      },
      'the receiver of a webhook did not accept an event',
    );
  }

  async #store(): Promise<void> {
    if (this.#tried.length === 0) return;
    const tried = this.#tried;
    this.#tried = [];
    await storeOutcomes(this.#deps, this.#id, { tried, streak: this.#streak, isBack: this.#isBack });
  }
}

/**
 * Lets a webhook send for one turn. Resolves with the seconds to wait before its next one.
 * @param signal no request starts after it is aborted; running ones finish
 */
export async function takeTurn(deps: Deps, id: number, signal: AbortSignal): Promise<number> {
  const started = await begin(deps, id);
  // a secret that cannot be decrypted although its key exists
  if (!started) return longestRest;
  const turn = new Turn(deps, id, started, signal);
  await turn.run();
  // the search must not find again without a pause what this process cannot send
  return turn.tries > 0 ? turn.rest : Math.max(turn.rest, 1);
}
