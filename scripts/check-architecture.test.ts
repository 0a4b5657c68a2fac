import { expect, test } from 'vitest';
import { breaches } from './check-architecture.ts';

const of = (path: string, text: string) => breaches([{ path, text }]);

test('what the rules allow passes', () => {
  expect(of('server/src/features/search/queries.ts', "import { x } from '../employees/policy.ts';\n")).toEqual([]);
  expect(of('server/src/config.ts', 'const env = process.env;\n')).toEqual([]);
  expect(of('contract/src/a.ts', "import * as z from 'zod';\nimport { b } from './b.ts';\n")).toEqual([]);
});

test.each([
  ['contract/src/a.ts', "import pg from 'pg';", 'zod only'],
  ['web/src/a.tsx', "import { x } from '../../server/src/audit.ts';", 'not the server'],
  ['server/src/http/a.ts', "import { x } from '../features/employees/policy.ts';", 'nothing of HR'],
  ['server/src/features/entities/a.ts', "import { x } from '../employees/policy.ts';", 'may not look into'],
  ['server/src/features/search/a.ts', "import { x } from '../employees/routes.ts';", 'policy, queries or rules'],
  ['server/src/features/employees/a.ts', "import { buildApp } from '../../app.ts';", 'nobody imports'],
  ['server/src/db/a.ts', 'const url = process.env.DATABASE_URL;', 'process.env'],
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
  ['e2e/people.e2e.ts', "await page.getByRole('button').click();", 'uses no pointer'],
  ['server/src/db/a.ts', 'x;\n'.repeat(301), '301 lines'],
])('%s with %j is refused', (path, text, reason) => {
  expect(of(path, text).join()).toContain(reason);
});
