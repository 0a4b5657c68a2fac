import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { startApp } from '../../testing/app.ts';
import { branchesOf, countsOf, rowsOf, withFew } from './branches.ts';
import { kinds, poolPermissions } from './kinds.ts';
import { sharesOf } from './pool.ts';

const { deps, make } = await startApp();
const { user_id } = await make.admin();
const actor = {
  user_id,
  employee_id: 1,
  grants: [],
  managed_departments: [],
  superiors: [],
  is_admin: true,
} as unknown as Actor;
const shares = await sharesOf(deps.db, actor, poolPermissions);
const pools = kinds.filter(({ assignee }) => 'by_company' in assignee);
const order = { whole: sql`rank, due_date, created_at, kind, subject_id`, isDefault: true };

/** The plan when the planner uses sorts and full scans only for lack of a suitable index. */
const planOf = (query: ReturnType<typeof withFew>) =>
  deps.db.transaction().execute(async (db) => {
    for (const off of ['enable_seqscan', 'enable_bitmapscan', 'enable_sort'])
      await sql`set local ${sql.raw(off)} = off`.execute(db);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${query}`.execute(db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

test.each(pools.map((kind) => [kind.kind, kind] as const))(
  'an index alone returns %s of a company in order, and their number',
  async (_name, kind) => {
    const branches = branchesOf(actor, kind, shares).filter(({ companies }) => companies);
    expect(branches).toHaveLength(1);
    const few = withFew([]);
    for (const query of [
      sql`with ${few} select * from (${rowsOf(branches, order, 15)}) as found`,
      sql`with ${few} select * from (${countsOf(branches)}) as counted`,
    ]) {
      const plan = await planOf(query);
      expect(plan).toMatch(
        /Index Only Scan using (kpi_evaluations_(open|disputed|extension|missing_reviewer)|kpi_folded_counts_open|probation_reviews_(decision|missing_reviewer))_idx/,
      );
      expect(plan).not.toMatch(/Sort|Seq Scan on (kpi|probation)/);
    }
  },
);

test('emergency accounts are found without reading all accounts', async () => {
  const kind = kinds.find((one) => one.kind === 'emergency_account_unused') as (typeof kinds)[number];
  const manager = { ...actor, permissions: new Set(['identity.manage']) } as unknown as Actor;
  const branches = branchesOf(manager, kind, shares);
  const plan = await planOf(sql`with ${withFew(branches)} select * from (${countsOf(branches)}) as counted`);
  expect(plan).toContain('Index Scan using users_break_glass_idx');
  expect(plan).not.toContain('Seq Scan on users');
});

test.each([
  ['token_ending', 'api_tokens_user_id_idx', 'api_tokens'],
  ['token_unused', 'api_tokens_user_id_idx', 'api_tokens'],
  ['recovery_codes_low', 'recovery_codes_hash_key', 'recovery_codes'],
])('%s is found without reading the rows of everyone', async (name, index, table) => {
  const kind = kinds.find((one) => one.kind === name) as (typeof kinds)[number];
  const branches = branchesOf(actor, kind, shares);
  const plan = await planOf(sql`with ${withFew(branches)} select * from (${countsOf(branches)}) as counted`);
  expect(plan).toContain(index);
  expect(plan).not.toMatch(new RegExp(`Seq Scan on (users|service_accounts|authenticators|${table})`));
});
