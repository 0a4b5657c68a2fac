import type { Remote } from '../testing/remote.ts';
import type { Ledger } from './ledger.ts';
import { anyRequest, contentOf } from './requests.ts';
import type { Dice, Request, Rows } from './requests.ts';

/** Writes only its own rows, one request after the other, and records each in the ledger. */
export type Writer = {
  /** Continues until `isOver`, or until a request gets no answer or 5xx. */
  write: (client: Remote, isOver: () => boolean) => Promise<void>;
  /** Repeats the unanswered request with the same key. */
  repeatUnanswered: (client: Remote) => Promise<void>;
};

type Unsettled = { request: Request; key: string; n: number };

/** Updates the known rows from an answer. */
function remember(rows: Rows, { effect, path }: Request, id: number | undefined) {
  const { table, name, verb } = effect;
  if (verb === 'create' && id !== undefined) rows[table].push({ id, name, path: `${path}/${id}` });
  if (verb === 'delete') rows[table] = rows[table].filter((row) => row.name !== name);
}

export function makeWriter(prefix: string, ledger: Ledger, random: () => number): Writer {
  const rows: Rows = { entities: [], departments: [], employees: [], attachments: [] };
  let serial = 0;
  const dice: Dice = { random, name: () => `${prefix}-${(serial += 1)}` };
  let unsettled: Unsettled | undefined;

  /** Sends a request; returns whether its answer is final. */
  async function send(client: Remote, { request, key }: Omit<Unsettled, 'n'>, repeats?: number): Promise<boolean> {
    const request_id = dice.name();
    const n = ledger.sent({ request_id, effect: request.effect, ...(repeats && { repeats }) });
    unsettled ??= { request, key, n };
    const content = contentOf(request);
    const headers = { ...content.headers, 'idempotency-key': key, 'x-request-id': request_id };
    const { status, body } = await client.send(request.method, request.path, { ...content, headers });
    ledger.answered({ n, status });
    if (status >= 500) return false;
    unsettled = undefined;
    // a repeated deletion gets 404, and a repeated creation may get a used key
    const isDone = status < 300 || (repeats !== undefined && status === 404);
    if (isDone) remember(rows, request, (body as { data?: { id: number } } | undefined)?.data?.id);
    return true;
  }

  return {
    write: async (client, isOver) => {
      const attempt = () => send(client, { request: anyRequest(rows, dice), key: dice.name() }).catch(() => false);
      while (!isOver() && (await attempt()));
    },
    repeatUnanswered: async (client) => {
      if (unsettled) await send(client, unsettled, unsettled.n);
    },
  };
}
