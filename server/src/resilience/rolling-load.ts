import { setTimeout as sleep } from 'node:timers/promises';
import { remote, signIn } from '../testing/remote.ts';
import type { Remote } from '../testing/remote.ts';

/** What clients of several processes experience while the processes are replaced. */
export type Load = Pick<Balancer, 'serving' | 'counts' | 'failures'> & {
  /** Ends the load; returns answered writes that are missing. */
  end: () => Promise<string[]>;
};

type Account = { email: string; password: string };
type Answer = { status: number; headers: object; body: unknown };

type Balancer = {
  /** Addresses that get requests. */
  serving: Set<string>;
  counts: { requests: number; unavailable: number };
  /** Answers that no client should get, and requests without an answer. */
  failures: string[];
  send: (method: string, path: string, body?: unknown) => Promise<Answer>;
};

const readers = 3;
const writers = 2;
const paths = ['/api/me', '/api/employees', '/api/entities', '/api/dashboard', '/api/audit-log', '/'];

/** Sends each request to one of the addresses that serve, in place of the first one. */
function openBalancer(first: string, cookies: Remote['cookies']): Balancer {
  const serving = new Set([first]);
  const counts = { requests: 0, unavailable: 0 };
  const failures: string[] = [];
  const headers = { referer: `${first}/` };
  return {
    serving,
    counts,
    failures,
    send: async (method, path, body) => {
      counts.requests += 1;
      const address = [...serving][Math.floor(Math.random() * serving.size)] as string;
      const answer: Answer = await remote(address, cookies)
        .send(method, path, body === undefined ? { headers } : { body, headers })
        .catch((error: Error) => ({ status: 0, headers: {}, body: `${error.message} ${String(error.cause)}` }));
      const { status } = answer;
      if (status === 503 && 'retry-after' in answer.headers) counts.unavailable += 1;
      else if (status < 200 || status >= 300)
        failures.push(`${method} ${path}: ${status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
  };
}

/** Reads and writes in several loops. */
export async function startLoad(first: string, account: Account): Promise<Load> {
  const { cookies } = await signIn(first, account);
  const { send, ...balancer } = openBalancer(first, cookies);
  const written = new Map<number, string>();
  const ending = new AbortController();

  async function read(start: number) {
    for (let n = start; !ending.signal.aborted; n += 1) {
      await send('GET', paths[n % paths.length] as string);
      await sleep(5);
    }
  }

  async function write(name: string) {
    const created = await send('POST', '/api/entities', { name });
    const { id } = (created.body as { data: { id: number } }).data;
    for (let n = 0; !ending.signal.aborted; n += 1) {
      const description = `${name} ${n}`;
      const { status } = await send('PUT', `/api/entities/${id}`, { description });
      if (status === 200) written.set(id, description);
      await sleep(5);
    }
  }

  const running = [
    ...Array.from({ length: readers }, (_, n) => read(n * 2)),
    ...Array.from({ length: writers }, (_, n) => write(`Writer ${n}`)),
  ];

  async function end() {
    ending.abort();
    await Promise.all(running);
    const lost: string[] = [];
    for (const [id, description] of written) {
      const { status, body } = await send('GET', `/api/entities/${id}`);
      const found = status === 200 && (body as { data: { description: string } }).data.description;
      if (found !== description) lost.push(`${description}: ${found}`);
    }
    return lost;
  }
  return { ...balancer, end };
}
