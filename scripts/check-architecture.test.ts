import { expect, test } from 'vitest';
import { breaches, unused } from './check-architecture.ts';
import { allSources } from './sources.ts';

const of = (path: string, text: string) => breaches([{ path, text }]);

test('what the rules allow passes', () => {
  expect(of('server/src/features/search/queries.ts', "import { x } from '../kpi-cycles/policy.ts';\n")).toEqual([]);
  expect(of('server/src/features/search/queries.ts', "import { x } from '../../people/policy.ts';\n")).toEqual([]);
  expect(of('server/src/jobs/schedule.ts', "import { x } from '../features/employees/lifecycle.ts';\n")).toEqual([]);
  expect(of('web/src/features/home/a.tsx', "import { x } from '../roles/search.ts';\n")).toEqual([]);
  expect(of('web/src/features/home/a.tsx', "import { x } from '../../ui/Pager.tsx';\n")).toEqual([]);
  for (const statement of [
    'select count(*) from roles',
    // columns of a query inside the statement that are named
    'select p.id from (select * from employees offset 0) as p',
    'with found as (select id from roles) select found.* from found',
    'select page.* from (${rows} limit 10) as page',
  ])
    expect(of('server/src/db/a.ts', `sql\`${statement}\`;`)).toEqual([]);
  expect(of('server/src/security/a.ts', "import { x } from '../testing/app.ts';\n")).toEqual([]);
  expect(of('scripts/generate.ts', "import { x } from '../server/src/testing/cluster.ts';\n")).toEqual([]);
  expect(of('server/src/config.ts', 'const env = process.env;\n')).toEqual([]);
  expect(of('contract/src/a.ts', "const label = 'Somebody';\n")).toEqual([]);
  expect(of('docs/interface.md', '| users | `a.ts` | `a.test.ts` “nobody reads it” |\n')).toEqual([]);
  expect(of('STYLE.md', 'Say the person, not "somebody".\n'.repeat(301))).toEqual([]);
  expect(of('contract/src/a.ts', "import * as z from 'zod';\nimport { b } from './b.ts';\n")).toEqual([]);
});

test.each([
  ['contract/src/a.ts', "import pg from 'pg';", 'zod only'],
  ['web/src/a.tsx', "import { x } from '../../server/src/audit.ts';", 'not the server'],
  ['web/src/features/home/a.tsx', "import { x } from '../roles/RoleForm.tsx';", 'not opened to home'],
  ['web/src/features/home/a.tsx', "const x = lazyPart(() => import('../roles/RoleForm.tsx'));", 'not opened to home'],
  ['web/src/workflow/a.tsx', "import { x } from '../features/roles/RoleForm.tsx';", 'stands below'],
  ['web/src/ui/a.tsx', "import { x } from '../layout/Shell.tsx';", 'above it'],
  ['web/src/ui/a.tsx', "import { x } from '../features/roles/search.ts';", 'above it'],
  ['server/src/http/a.ts', "import { x } from '../features/employees/list.ts';", 'own layer'],
  ['server/src/http/a.ts', "import type { X } from '../people/record.ts';", 'own layer'],
  ['server/src/people/a.ts', "import type { X } from '../features/probation-reviews/queries.ts';", 'own layer'],
  ['server/src/features/employees/a.ts', "import { buildApp } from '../../app.ts';", 'own layer'],
  ['server/src/features/entities/a.ts', "import { x } from '../kpi-cycles/policy.ts';", 'not opened to entities'],
  ['server/src/features/search/a.ts', "import { x } from '../kpi-cycles/routes.ts';", 'not opened to search'],
  ['scripts/restore.ts', "import { x } from '../server/src/testing/invariants.ts';", 'no helpers of tests'],
  ['server/src/backup/a.ts', "import { x } from '../testing/invariants.ts';", 'no helpers of tests'],
  ['server/src/backup/a.ts', "import { x } from '../resilience/ledger.ts';", 'no helpers of tests'],
  ['server/src/db/a.ts', 'const url = process.env.DATABASE_URL;', 'process.env'],
  ['server/src/db/a.ts', 'const threads = availableParallelism();', 'this process may use'],
  ['server/src/db/a.ts', 'const threads = os.cpus().length;', 'this process may use'],
  ['server/src/db/a.ts', 'const pool = new pg.Pool({});\n', 'module level'],
  ['server/src/db/a.ts', "import { createHash } from 'node:crypto';", 'only crypto/'],
  ['server/src/features/search/a.ts', 'await sql`update employees e set grade = 1`.execute(db);', 'guards the rows'],
  ['server/src/features/search/a.ts', 'await sql`DELETE\n  FROM employees`.execute(db);', 'guards the rows'],
  ['server/src/features/search/a.ts', 'await sql`insert into employees (id)`.execute(db);', 'guards the rows'],
  ['server/src/features/search/a.ts', "db.updateTable('employees').set(x)", 'guards the rows'],
  ['server/src/features/search/a.ts', "db.updateTable(['employees as e']).set(x)", 'guards the rows'],
  ['server/src/features/search/a.ts', "await transition(db, { table: 'employees', id })", 'guards the rows'],
  ['server/src/features/search/a.ts', 'await sql`update users u set email = t.email`.execute(db);', 'guards the rows'],
  ['server/src/features/search/a.ts', "db.updateTable('users').set({ email }).execute();", 'guards the rows'],
  ['server/src/features/search/a.ts', "db.updateTable('departments').set(x)", 'others gain'],
  ['server/src/features/search/a.ts', 'await sql`update departments set manager_id = 1`.execute(db);', 'others gain'],
  ['server/src/db/a.ts', 'sql`select e.* from employees e where e.id = 1`;', 'all columns of a table'],
  ['server/src/db/a.ts', 'sql`select * from only employees`;', 'all columns of a table'],
  ['server/src/db/a.ts', 'sql`select 1 as x, * from employees`;', 'all columns of a table'],
  ['server/src/db/a.ts', 'sql`update roles set name = ${name} returning *`;', 'all columns of a table'],
  ['server/src/db/a.ts', 'sql`select v.*, ${columns} from ${tables} for update of v`;', 'all columns of a table'],
  [
    'server/src/db/a.ts',
    'sql`with seen as (select r.* from roles r) select seen.* from seen`;',
    'all columns of a table',
  ],
  ['server/src/db/a.ts', "db.selectFrom('roles').selectAll()", 'all columns of a table'],
  ['e2e/people.e2e.ts', "await page.getByRole('button').click();", 'uses no pointer'],
  ['contract/src/a.ts', '/** Whoever reads it. */', 'name the user'],
  ['bench/a.ts', "test('what waits for HR', run);", 'name the user'],
  ['docs/roles.md', 'A role is given to somebody.', 'docs/roles.md:1: says "somebody"'],
  ['docs/decisions/0001-a.md', '# 1.\n\nThe owner is told.', ':3: says "is told"'],
  ['SECURITY.md', 'Users read the own record.', 'says "the own"'],
  ['server/src/db/a.ts', 'x;\n'.repeat(301), '301 lines'],
])('%s with %j is refused', (path, text, reason) => {
  expect(of(path, text).join()).toContain(reason);
});

test('a module is opened only to those who use it', () => {
  expect(unused(allSources())).toEqual([]);
  expect(unused([])).toContain('scripts/check-architecture.ts: nothing uses kpi-cycles/policy by search; close it');
});
