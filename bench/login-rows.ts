import { performance } from 'node:perf_hooks';
import { signIn } from './browser.ts';
import { load } from './load.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** Signs in repeatedly as one user until stopped; the service may answer that its queue is full. */
async function keepSigningIn(bench: Bench, email: string, until: () => boolean): Promise<number> {
  let done = 0;
  while (!until()) {
    await signIn(bench.base, email, bench.password).then(
      () => (done += 1),
      () => undefined,
    );
  }
  return done;
}

const atOnce = 50;

/** How fifty simultaneous sign-ins affect others, and what a sign-in costs beyond its hash. */
export async function loginRows(bench: Bench): Promise<Row[]> {
  let over = false;
  const storm = bench.people.slice(0, atOnce).map((email) => keepSigningIn(bench, email, () => over));
  const { headers } = bench.admin;
  const others = await load({ url: `${bench.base}/api/me`, headers, connections: 4, seconds: bench.seconds });
  over = true;
  const signedIn = (await Promise.all(storm)).reduce((sum, done) => sum + done, 0);
  if (signedIn === 0) throw new Error('no sign-in succeeded');
  const started = performance.now();
  await signIn(bench.base, bench.people[0] ?? '', bench.password);
  const alone = performance.now() - started;
  return [
    boundRow(`/api/me p99 while ${storm.length} people sign in`, others.p99, 'ms', 150),
    boundRow('one sign-in, bcrypt of cost 12 included', alone, 'ms', 1_000),
  ];
}
