import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackFormer } from '../server/src/testing/former-tree.ts';
import { signIn } from './browser.ts';
import type { Bench, Rate, Turn } from './bench.ts';
import { serviceArguments, startProcess, stopProcess } from './load.ts';
import { inTurn, warmUp } from './rates.ts';
import type { Side } from './rates.ts';
import { multipleRow, ratioOf } from './table.ts';
import type { Row } from './table.ts';

/** The last commit before providers, second factors, tokens and webhooks. */
const former = '0e12e604';
const email = 'bench@example.com';

type Installation = { tree: string; dataDir: string; port: number };

/** An empty installation with a database of its own, and `/api/me` as its administrator asks for it. */
async function startEmpty({ tree, dataDir, port }: Installation, password: string) {
  mkdirSync(dataDir, { recursive: true });
  const base = `http://localhost:${port}`;
  const env = { PORT: String(port), DATA_DIR: dataDir, APP_URL: base, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  const limits = { RATE_LIMIT_PER_MINUTE: '1000000', CONNECTIONS_PER_ADDRESS: '0' };
  const service = await startProcess(
    serviceArguments(tree),
    { ...env, ...limits },
    { ready: /is ready at/, log: join(dataDir, 'service.log'), cwd: tree },
  );
  const { headers } = await signIn(base, email, password);
  const pid = service.pid ?? 0;
  const postgres = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  return { service, side: { url: `${base}/api/me`, headers, pid, postgres } satisfies Side };
}

/**
 * What a request with a session costs now and before there was more than a password, both on empty installations. The
 * ratio is near 1, so there are more turns than elsewhere.
 */
export async function formerRows(bench: Bench): Promise<Row[]> {
  const tree = join(bench.folder, 'former');
  if (!existsSync(tree)) {
    if (spawnSync('git', ['cat-file', '-e', former]).status !== 0) {
      console.log(`The history of this checkout lacks ${former}: a request of now is not compared with one of then.`);
      return [];
    }
    await unpackFormer(former, tree);
  }
  const started: Awaited<ReturnType<typeof startEmpty>>[] = [];
  try {
    for (const [index, of] of [process.cwd(), tree].entries()) {
      const place = { tree: of, dataDir: join(bench.folder, `empty-${index}`), port: 8_465 + index };
      started.push(await startEmpty(place, bench.password));
    }
    const sides = started.map(({ side }) => side);
    for (const side of sides) await warmUp(side);
    const [now, then] = (await inTurn({ ...bench, turns: bench.turns * 6 }, sides)) as [Rate, Rate];
    const cost = ({ node, postgres }: Turn) => node + postgres;
    const costs = { measured: cost(now), baseline: cost(then), ratio: ratioOf(now, then, cost) };
    return [multipleRow('/api/me with a session : before providers and second factors', costs, 'µs', 1.01)];
  } finally {
    for (const { service } of started) await stopProcess(service);
  }
}
