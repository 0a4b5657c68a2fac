import { permissionNames } from '@tenure/contract';
import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { runningExports } from '../testing/running-exports.ts';

/** Exports of all kinds end with the rights of their user; exports of people have a separate test. */

const started = await startApp();
const { make, owner } = started;
const { roleWith, give, takeAway, begun } = runningExports(started);

const many = 3_500;
const alpha = await make.entity({ name: 'Alpha', code: 'ALPHA' });
const buying = await make.department({ entity_id: alpha.id, name: 'Buying' });
const there = await make.department({ name: 'There' });
const first = await make.employee({ department_id: buying.id, last_name: 'Many' });
const evaluation = await kpiMaker(started).evaluation({ employee: first, status: 'completed' });
const review = await probationMaker(started).review({ employee: first, status: 'pending' });

/** Copies a row of the first person for each of the others. */
async function copy(table: 'kpi_evaluations' | 'probation_reviews', id: number) {
  const { rows } = await owner.query<{ column: string }>(
    `select column_name as column from information_schema.columns
     where table_name = $1 and column_name <> all ('{id,employee_id,person_sort}') and is_generated = 'NEVER'`,
    [table],
  );
  const columns = rows.map(({ column }) => `"${column}"`);
  await owner.query(
    `insert into ${table} (employee_id, person_sort, ${columns.join(', ')})
     select e.id, e.employee_number, ${columns.map((column) => `t.${column}`).join(', ')}
     from ${table} t, employees e where t.id = $1 and e.employee_number like 'M-%'`,
    [id],
  );
}

beforeAll(async () => {
  await owner.query(
    `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(2, ${many}) n returning id, email)
     insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle)
     select id, 'M-' || id, email, 'Many', 'Many', $1, $2, 'confirmed' from made`,
    [alpha.id, buying.id],
  );
  await copy('kpi_evaluations', evaluation.id);
  await copy('probation_reviews', review.id);
  await owner.query(
    `insert into audit_log (actor_name, action, subject_type, subject_id, entity_id)
     select 'Tenure', 'employee.updated', 'employee', id, $1 from employees, generate_series(1, 2)
     where entity_id = $1`,
    [alpha.id],
  );
  await owner.query('analyze');
});

const exports = [
  ['kpi-cycle.export', `/kpi-evaluations/export?cycle_id=${evaluation.cycle_id}`],
  ['kpi-cycle.export', `/kpi-cycles/${evaluation.cycle_id}/export`],
  ['probation-review.export', '/probation-reviews/export'],
  ['audit.view', '/audit-log/export?action=employee.updated'],
] as const;

let roles = 0;
/** A person outside Alpha with all rights there. */
async function exporter() {
  const roleId = await roleWith(`Exporter ${(roles += 1)}`, 'all', permissionNames);
  const person = await make.employee({ roles: [], department_id: there.id });
  await give(person.user_id, roleId, [alpha.id]);
  return { ...person, roleId };
}

test.each(exports)('left alone, an export with %s is whole: %s', async (_permission, path) => {
  const { user_id } = await exporter();
  const { rest } = await begun(user_id, path);
  const { isWhole, rows, lines } = await rest();
  expect(isWhole, lines).toBe(true);
  expect(rows.length).toBeGreaterThanOrEqual(many);
});

test.each(exports)('%s taken away between two parts ends %s', async (permission, path) => {
  const { user_id, roleId } = await exporter();
  const { rest } = await begun(user_id, path);
  await takeAway(roleId, permission);
  const { isWhole, rows } = await rest();
  expect(isWhole).toBe(false);
  expect(rows.length).toBeLessThan(many - 1_000);
});

test.each(exports)('a session that ends between two parts ends the export with %s of %s', async (_permission, path) => {
  const { user_id } = await exporter();
  const { rest } = await begun(user_id, path);
  await owner.query('update session_register set revoked_at = now() where user_id = $1', [user_id]);
  expect((await rest()).isWhole).toBe(false);
});

test.each(exports)('companies taken away between two parts leave the rest empty: %s, %s', async (_permission, path) => {
  const { user_id } = await exporter();
  const { rest } = await begun(user_id, path);
  await owner.query('update role_assignments set entity_ids = $2 where user_id = $1', [user_id, [there.entity_id]]);
  const { rows } = await rest();
  expect(rows.length).toBeLessThan(many - 1_000);
});
