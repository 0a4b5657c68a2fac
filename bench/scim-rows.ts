import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addRole, call } from './api.ts';
import type { Made } from './api.ts';
import type { Bench } from './bench.ts';
import { countWork } from './cpu.ts';
import { percentile } from './percentile.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** The cycle that the budget is for: 5,000 people, and 50 groups of 300, of which ten assign a role. */
const [people, groups, membersOfGroup, atOnce] = [5_000, 50, 300, 100];

type Resource = { id: string };
type Client = {
  ask: (method: string, path: string, body?: object) => Promise<Resource>;
  /** The milliseconds of the requests since the last call. */
  times: () => number[];
};

function clientOf({ base }: Bench, token: string): Client {
  let times: number[] = [];
  const ask: Client['ask'] = async (method, path, body) => {
    for (;;) {
      const started = performance.now();
      const response = await fetch(`${base}/scim/v2${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status === 429) {
        await wait(Number(response.headers.get('retry-after')) * 1_000);
        continue;
      }
      times.push(performance.now() - started);
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return (text === '' ? {} : JSON.parse(text)) as Resource;
    }
  };
  return {
    ask,
    times: () => {
      const taken = times;
      times = [];
      return taken;
    },
  };
}

/** A connection with rules for a fifth of its groups. */
async function connect(bench: Bench): Promise<Client> {
  const { data } = await call<Made>(bench, 'POST', '/scim-connections', { name: `Bench ${Date.now()}` });
  const role_id = await addRole(bench, 'Provisioned', ['employees.view']);
  const path = `/scim-connections/${data.id}`;
  const { data: enabled } = await call<Made>(bench, 'POST', `${path}/enable`, {});
  const rules = Array.from({ length: groups / 5 }, (_, n) => ({ value: `Group ${n}`, role_id }));
  await call(bench, 'PUT', `${path}/role-rules`, { rules, revision: enabled.revision });
  const { data: made } = await call<{ data: { token: string } }>(bench, 'POST', `${path}/token`, {});
  return clientOf(bench, made.token);
}

/** Addresses of people with an account, other than those who sign in. */
async function addresses({ database, employees }: Bench): Promise<string[]> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query<{ email: string }>(
    `select u.email from users u join employees e on e.user_id = u.id
     where not u.is_admin and e.activity_status = 'active' and not exists (select from scim_users s where s.user_id = u.id)
     order by e.id desc limit $1`,
    [Math.min(people, Math.floor(employees / 4))],
  );
  await client.end();
  return rows.map(({ email }) => email);
}

async function firstCycle({ ask }: Client, emails: readonly string[]): Promise<void> {
  const ids: string[] = [];
  for (const value of emails) {
    const user = { userName: value, externalId: value, active: true, emails: [{ type: 'work', value }] };
    ids.push((await ask('POST', '/Users', user)).id);
  }
  for (let n = 0; n < groups; n += 1) {
    const { id } = await ask('POST', '/Groups', { displayName: `Group ${n}`, members: [] });
    for (let at = 0; at < membersOfGroup; at += atOnce) {
      const value = Array.from({ length: atOnce }, (_, of) => ({ value: ids[(n * 97 + at + of) % ids.length] }));
      await ask('PATCH', `/Groups/${id}`, { Operations: [{ op: 'Add', path: 'members', value }] });
    }
  }
}

/** A cycle without changes, as Entra ID sends it. */
async function nextCycle({ ask }: Client, emails: readonly string[]): Promise<void> {
  for (const email of emails) await ask('GET', `/Users?filter=${encodeURIComponent(`externalId eq "${email}"`)}`);
  for (let n = 0; n < groups; n += 1)
    await ask('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent(`displayName eq "Group ${n}"`)}`);
}

async function timed(bench: Bench, client: Client, work: () => Promise<void>) {
  const [started, worked] = [performance.now(), countWork(bench)];
  await work();
  return { seconds: (performance.now() - started) / 1_000, cpu: worked(), times: client.times() };
}

/** The first cycle of an identity provider, and one without changes. */
export async function scimRows(bench: Bench): Promise<Row[]> {
  const emails = await addresses(bench);
  const client = await connect(bench);
  const first = await timed(bench, client, () => firstCycle(client, emails));
  const next = await timed(bench, client, () => nextCycle(client, emails));
  const what = `${emails.length} people, ${groups * Math.min(membersOfGroup, emails.length)} memberships`;
  return [
    { ...boundRow(`SCIM, first cycle of ${what}`, first.seconds, 's', 300), cpu: first.cpu },
    boundRow('SCIM, a request of the first cycle, p95', percentile(first.times, 0.95), 'ms', 50),
    { ...boundRow(`SCIM, a cycle of ${what} without changes`, next.seconds, 's', 60), cpu: next.cpu },
    boundRow('SCIM, a request of a cycle without changes, p95', percentile(next.times, 0.95), 'ms', 50),
  ];
}
