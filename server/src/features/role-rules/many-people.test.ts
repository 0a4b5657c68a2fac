import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseNow } from '../../jobs/task.ts';
import { applyRoleRules } from '../../sso/apply-role-rules.ts';
import { setRulesOf, startCrowd } from '../../testing/crowd-of-provider.ts';
import { impactOfRules } from './preview.ts';

/** As many as the budgets are for with RULE_PEOPLE=5000. */
const size = Number(process.env['RULE_PEOPLE'] ?? 1_000);
/** For five thousand people, in seconds of the processor of this process: a preview, and the job. */
const budget = { preview: 1, job: 10 };
const crowd = await startCrowd(size);
const { deps, owner, provider, roles, companies } = crowd;

async function measured<T>(work: () => Promise<T>): Promise<{ done: T; seconds: number }> {
  const before = process.threadCpuUsage();
  const done = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { done, seconds: (user + system) / 1_000_000 };
}

test('rules are previewed and applied to thousands of people in few statements', { timeout: 120_000 }, async () => {
  // fifty groups each, of three hundred
  await sql`
    update user_identities i set groups = array(
      select 'group ' || (i.id * 7 + n * 13) % 300 from generate_series(1, 50) as n)`.execute(deps.db);
  await owner.query('analyze');
  const [reader = 0, helper = 0] = roles;
  const rules = Array.from({ length: 100 }, (_, index) => ({
    value: `group ${index}`,
    role_id: index % 2 ? reader : helper,
    entity_ids: index % 3 ? [companies[index % 2] ?? 0] : null,
    department_ids: null,
  }));
  const preview = await measured(() => impactOfRules(deps.db, provider, rules));
  expect(preview.done.people).toBe(size);
  await setRulesOf(deps.db, provider, rules);
  const now = await databaseNow(deps.db);
  const job = await measured(() => applyRoleRules({ deps, now }, { provider_id: provider.id }));
  expect(job.done).toBe(size);
  expect(preview.seconds).toBeLessThan(budget.preview);
  expect(job.seconds).toBeLessThan(budget.job);
  expect(await impactOfRules(deps.db, provider, rules)).toMatchObject({ gains: [], losses: [], people: 0 });
  const { rows } = await owner.query(
    "select count(*)::int as n from audit_log where action = 'employee.roles_changed'",
  );
  expect(rows).toEqual([{ n: size }]);
  expect(await applyRoleRules({ deps, now }, { provider_id: provider.id })).toBe(0);
});
