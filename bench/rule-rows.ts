import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { addRole, call } from './api.ts';
import type { Made } from './api.ts';
import type { Bench } from './bench.ts';
import { countWork } from './cpu.ts';
import { addProvider } from './openid-provider.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

/** Linked people, each in 50 of 300 groups, and rules for a hundred of them. */
const [most, groupsOfPerson, groups, rulesOfProvider] = [5_000, 50, 300, 100];
const longest = 120_000;

/** Links people who do not sign in here to a provider, with groups that it named. */
async function linkPeople(client: pg.Client, { employees }: Bench, provider: number): Promise<void> {
  await client.query(
    `insert into user_identities (user_id, provider_id, subject, linked_by, groups)
     select u.id, $1, 'subject ' || u.id, 'rule',
            array(select 'group ' || (u.id * 7 + n * 13) % $3 from generate_series(1, $4::int) as n)
     from users u join employees e on e.user_id = u.id
     where not u.is_admin and e.activity_status = 'active' order by e.id desc limit $2`,
    [provider, Math.min(most, Math.floor(employees / 2)), groups, groupsOfPerson],
  );
}

async function untilGiven(client: pg.Client, provider: number, people: number): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { rows } = await client.query<{ people: number }>(
      'select count(distinct user_id)::int as people from role_assignments where provider_id = $1',
      [provider],
    );
    if ((rows[0]?.people ?? 0) >= people) return;
    if (performance.now() - started > longest)
      throw new Error(`${rows[0]?.people} of ${people} people have their role`);
    await wait(50);
  }
}

type Impact = { data: { people: number; confirm: string | null } };

/** Group rules for thousands of people: what they would change, and the job that assigns the roles. */
export async function ruleRows(bench: Bench): Promise<Row[]> {
  const name = `Rules ${Date.now()}`;
  const { id, stop } = await addProvider(bench, { name, groups_claim: 'groups' });
  const client = new pg.Client({ connectionString: bench.database });
  await client.connect();
  try {
    await linkPeople(client, bench, id);
    const role_id = await addRole(bench, 'Grouped', ['employees.view']);
    const rules = Array.from({ length: rulesOfProvider }, (_, n) => ({ value: `group ${n}`, role_id }));
    const path = `/identity-providers/${id}`;
    const looked = performance.now();
    const { data: impact } = await call<Impact>(bench, 'POST', `${path}/role-rules/preview`, { rules });
    const preview = (performance.now() - looked) / 1_000;
    const { data: provider } = await call<Made>(bench, 'GET', path);
    const [started, worked] = [performance.now(), countWork(bench)];
    const confirmed = impact.confirm === null ? {} : { confirm: impact.confirm };
    await call(bench, 'PUT', `${path}/role-rules`, { rules, revision: provider.revision, ...confirmed });
    await untilGiven(client, id, impact.people);
    const seconds = (performance.now() - started) / 1_000;
    return [
      boundRow(`preview of role rules for ${impact.people} people`, preview, 's', 1),
      { ...boundRow(`role rules applied to ${impact.people} people`, seconds, 's', 10), cpu: worked() },
    ];
  } finally {
    await client.end();
    stop();
  }
}
