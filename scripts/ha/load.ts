import { setTimeout as sleep } from 'node:timers/promises';
import type { Effect, Ledger } from '../../server/src/resilience/ledger.ts';
import { remote } from '../../server/src/testing/remote.ts';
import type { Remote } from '../../server/src/testing/remote.ts';
import type { Crew } from './crew.ts';
import { ports } from './site.ts';

/** Writers that repeat each request with the same key until it is acknowledged. */
export type Load = {
  counts: Counts;
  /** Answers that no client should get: neither success nor 503. */
  refusals: string[];
  /** Requests that got a 503 without an unknown outcome: they had no effect. */
  undone: Set<string>;
  batches: Batch[];
  /** When each process of Tenure acknowledged a write. */
  times: number[][];
  /** Starts no new requests and waits until each has its answer. */
  end: () => Promise<void>;
};

/** Acknowledged requests and the records that they wrote; 503 answers with and without an unknown outcome. */
type Counts = { requests: number; records: number; unknown: number; unavailable: number };
/** A bulk change in one request: the request and its repeats. */
export type Batch = { requests: string[]; size: number; isAcknowledged: boolean };

type Target = { cookies: Remote['cookies']; ledger: Ledger };
type State = Target & Omit<Load, 'end'> & { isOver: boolean };
type Sent = { method: string; path: string; body: unknown; key: string };
type Answer = Awaited<ReturnType<Remote['send']>>;
type Note = { before: (id: string) => void; after?: (status: number) => void };

const writersPerService = 2;
const changesPerCompany = 50;

/** Sends a request once; counts its answer. */
async function attempt(
  state: State,
  service: number,
  { method, path, body, key }: Sent,
  id: string,
): Promise<Answer | undefined> {
  const { counts, refusals, undone, times } = state;
  const ownKey = method === 'POST' && { 'idempotency-key': key };
  const headers = { ...ownKey, 'x-request-id': id, referer: `http://localhost:${ports[0]}/` };
  const client = remote(`http://localhost:${ports[service]}`, state.cookies);
  const answer = await client.send(method, path, { body, headers }).catch(() => undefined);
  if (answer && answer.status < 300) {
    counts.requests += 1;
    times[service]?.push(performance.now());
    return answer;
  }
  const isUnknown = answer?.status !== 503 || (answer.body as { outcome?: string }).outcome === 'unknown';
  counts[isUnknown ? 'unknown' : 'unavailable'] += 1;
  if (!isUnknown) undone.add(id);
  if (answer && answer.status !== 503) refusals.push(`${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Repeats a request until it has a final answer. */
async function persist(state: State, service: number, sent: Sent, note: Note): Promise<Answer> {
  for (let count = 1; ; count += 1) {
    const id = `${sent.key}-${count}`;
    note.before(id);
    const answer = await attempt(state, service, sent, id);
    if (answer) note.after?.(answer.status);
    if (answer && answer.status !== 503) return answer;
    await sleep(100);
  }
}

/** Sends a request, recorded in the ledger together with each repeat; returns the final answer. */
async function record(state: State, service: number, effect: Effect, sent: Sent): Promise<Answer> {
  const { ledger, counts } = state;
  let first: number | undefined;
  let n = 0;
  const answer = await persist(state, service, sent, {
    before: (request_id) => {
      n = ledger.sent({ request_id, effect, ...(first !== undefined && { repeats: first }) });
      first ??= n;
    },
    after: (status) => ledger.answered({ n, status }),
  });
  counts.records += 1;
  return answer;
}

/** Repeatedly adds a company and changes it a few times. */
async function writeCompanies(state: State, service: number, writer: number): Promise<void> {
  for (let serial = 1; !state.isOver; serial += 1) {
    const name = `W${service}${writer}-${serial}`;
    const code = `${service}${writer}${serial.toString(36).toUpperCase()}`;
    const fields = { name, code, description: name, address: name };
    const company = { table: 'entities', name } as const;
    const creation = { method: 'POST', path: '/api/entities', body: fields, key: name };
    const { body } = await record(state, service, { ...company, verb: 'create', fields }, creation);
    const { id } = (body as { data: { id: number } }).data;
    for (let change = 1; change <= changesPerCompany && !state.isOver; change += 1) {
      const value = `${name} changed ${change}`;
      const changed = { description: value, address: value };
      // without a key, because repeating the same change has no effect
      const sent = { method: 'PUT', path: `/api/entities/${id}`, body: changed, key: `${name}-${change}` };
      await record(state, service, { ...company, verb: 'update', fields: changed }, sent);
    }
  }
}

type Changed = { data?: { counts: { changed: number }; rows: { id: number; revision: number }[] } };

/** Sets and removes the manager of a crew's people, all in one request. */
async function changeCrew(state: State, service: number, { ids, boss, revisions }: Crew): Promise<void> {
  for (let serial = 1; !state.isOver; serial += 1) {
    const batch: Batch = { requests: [], size: ids.length, isAcknowledged: false };
    state.batches.push(batch);
    const seen = ids.map((id) => ({ id, revision: revisions.get(id) }));
    const body = { kind: 'manager', ids, reporting_manager_id: serial % 2 === 1 ? boss : null, revisions: seen };
    const key = `B${service}-${boss}-${serial}`;
    const answer = await persist(
      state,
      service,
      { method: 'POST', path: '/api/employees/bulk', body, key },
      {
        before: (id) => void batch.requests.push(id),
      },
    );
    const { data } = answer.body as Changed;
    if (data?.counts.changed !== ids.length)
      state.refusals.push(`${key}: ${JSON.stringify(answer.body).slice(0, 500)}`);
    for (const { id, revision } of data?.rows ?? []) revisions.set(id, revision);
    batch.isAcknowledged = answer.status < 300;
    state.counts.records += ids.length;
  }
}

/** Starts the writers: several for each process of Tenure, and one for each crew. */
export function startLoad(target: Target, crews: readonly Crew[]): Load {
  const state: State = {
    ...target,
    counts: { requests: 0, records: 0, unknown: 0, unavailable: 0 },
    refusals: [],
    undone: new Set(),
    batches: [],
    times: ports.map(() => []),
    isOver: false,
  };
  const running = [
    ...ports.flatMap((_port, service) =>
      Array.from({ length: writersPerService }, (_, writer) => writeCompanies(state, service, writer)),
    ),
    ...crews.map((crew, index) => changeCrew(state, index % ports.length, crew)),
  ];
  const end = async () => {
    state.isOver = true;
    await Promise.all(running);
  };
  return { ...state, end };
}

/** The longest time in seconds without an acknowledged write, for each process of Tenure. */
export function longestPauses({ times }: Load, from: number, to: number): number[] {
  return times.map((all) => {
    const within = [from, ...all.filter((time) => time > from && time < to), to];
    const gaps = within.slice(1).map((time, index) => time - (within[index] ?? 0));
    return Math.round(Math.max(...gaps) / 100) / 10;
  });
}
