import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import type { Bench } from './bench.ts';
import { openBrowser } from './browser.ts';
import type { Browser } from './browser.ts';
import { addProvider, answerTo } from './openid-provider.ts';
import { percentile } from './percentile.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** The people who sign in, and how often each does. */
const [most, often] = [40, 2];

type Came = { browser: Browser; ms: number; isPending: boolean };

/** Signs a person in through the provider; measures the service's answer to the provider's response. */
async function come({ base }: Bench, provider: number, email: string): Promise<Came> {
  const browser = await openBrowser(base);
  const { data } = (await browser.post(`/api/sso/${provider}/start`)).body as { data: { url: string } };
  const { ms, body } = await browser.post(`/api/sso/${provider}/complete`, { query: answerTo(data.url, email) });
  return { browser, ms, isPending: body['two_factor'] === true };
}

/** Sets up an authenticator app; returns a function that generates its codes. */
async function enrol(bench: Bench, provider: number, email: string): Promise<() => string> {
  const { browser } = await come(bench, provider, email);
  const { data } = (await browser.post('/api/profile/totp')).body as { data: { secret: string } };
  const app = new TOTP({ secret: Secret.fromBase32(data.secret) });
  await browser.post('/api/profile/totp/confirm', { code: app.generate() });
  return () => app.generate();
}

async function secondSteps(bench: Bench, provider: number, people: readonly string[]): Promise<number[]> {
  const apps: (readonly [string, () => string])[] = [];
  for (const email of people) apps.push([email, await enrol(bench, provider, email)]);
  const client = new pg.Client({ connectionString: bench.database });
  await client.connect();
  try {
    // a code is only accepted once, and the next one is half a minute away
    await client.query('update authenticators set last_step = null');
    const taken: number[] = [];
    for (const [email, code] of apps) {
      const { browser, isPending } = await come(bench, provider, email);
      if (!isPending) throw new Error(`${email} was not asked for a code`);
      taken.push((await browser.post('/two-factor-challenge', { code: code() })).ms);
    }
    return taken;
  } finally {
    // other groups of rows sign in with only a password
    await client.query('delete from authenticators');
    await client.end();
  }
}

/** The time of a sign-in through a provider that answers immediately, and of the second step after it. */
export async function openIdRows(bench: Bench): Promise<Row[]> {
  const people = bench.people.slice(0, most);
  const domains = [...new Set(people.map((email) => email.slice(email.indexOf('@') + 1)))];
  const { id, stop } = await addProvider(bench, { name: `Bench ${Date.now()}`, domains });
  try {
    const taken: number[] = [];
    for (let time = 0; time <= often; time += 1)
      for (const email of people) {
        const { ms } = await come(bench, id, email);
        // the first time links the account
        if (time > 0) taken.push(ms);
      }
    const steps = await secondSteps(bench, id, people);
    return [
      boundRow('sign-in through an OpenID provider, our part, p95', percentile(taken, 0.95), 'ms', 60),
      boundRow('second step of a sign-in, p95', percentile(steps, 0.95), 'ms', 40),
    ];
  } finally {
    stop();
  }
}
