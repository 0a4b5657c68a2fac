import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { applyRoleRules } from '../../sso/apply-role-rules.ts';
import { setRulesOf, startCrowd } from '../../testing/crowd-of-provider.ts';
import { impactOfRules } from './preview.ts';

/** The number of people; the budgets are for RULE_PEOPLE=5000. */
const size = Number(process.env['RULE_PEOPLE'] ?? 1_000);
/** CPU seconds of this process for five thousand people: a preview, and the job. */
const budget = { preview: 1, job: 10 };
const crowd = await startCrowd(size);
const { deps, owner, provider, connection, roles, companies } = crowd;

async function measured<T>(work: () => Promise<T>): Promise<{ done: T; seconds: number }> {
  const before = process.threadCpuUsage();
  const done = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { done, seconds: (user + system) / 1_000_000 };
}

// fifty groups for each, with three hundred members
const known = {
  identity_provider: () =>
    sql`
      update user_identities i set groups = array(
        select 'group ' || (i.id * 7 + n * 13) % 300 from generate_series(1, 50) as n)`.execute(deps.db),
  scim_connection: () =>
    sql`
      with made as (
        insert into scim_groups (connection_id, display_name)
        select ${connection.id}, 'group ' || n from generate_series(0, 299) as n returning id, display_name)
      insert into scim_members (group_id, value, scim_user_id)
      select distinct m.id, s.id::text, s.id
      from scim_users s cross join generate_series(1, 50) as n
      join made m on m.display_name = 'group ' || (s.user_id * 7 + n * 13) % 300`.execute(deps.db),
};

test.each([
  ['a provider', provider, { provider_id: provider.id }],
  ['a connection', connection, { scim_connection_id: connection.id }],
])(
  'rules of %s are previewed and applied to thousands of people in few statements',
  async (_of, source, payload) => {
    await crowd.reset();
    await owner.query('delete from role_rules');
    await known[source.kind]();
    await owner.query('analyze');
    const [reader = 0, helper = 0] = roles;
    const rules = Array.from({ length: 100 }, (_, index) => ({
      value: `group ${index}`,
      role_id: index % 2 ? reader : helper,
      entity_ids: index % 3 ? [companies[index % 2] ?? 0] : null,
      department_ids: null,
    }));
    const preview = await measured(() => impactOfRules(deps.db, source, rules));
    expect(preview.done.people).toBe(size);
    await setRulesOf(deps.db, source, rules);
    const now = await databaseNow(deps.db);
    const newest = (await owner.query('select coalesce(max(id), 0) as id from audit_log')).rows[0].id;
    const job = await measured(() => applyRoleRules({ deps, now }, payload));
    expect(job.done).toBe(size);
    expect(preview.seconds).toBeLessThan(budget.preview);
    expect(job.seconds).toBeLessThan(budget.job);
    expect(await impactOfRules(deps.db, source, rules)).toMatchObject({ gains: [], losses: [], people: 0 });
    const { rows } = await owner.query(
      "select count(*)::int as n from audit_log where action = 'employee.roles_changed' and id > $1",
      [newest],
    );
    expect(rows).toEqual([{ n: size }]);
    expect(await applyRoleRules({ deps, now }, payload)).toBe(0);
  },
  120_000,
);
