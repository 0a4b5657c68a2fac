import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity({ name: 'Here' });
const alpha = await make.department({ entity_id: here.id, name: 'Alpha' });
const person = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: alpha.id, ...fields });
const manager = await person({ roles: ['Manager'] });
const subject = await person({ reporting_manager_id: manager.id, employment_lifecycle: 'probationary' });
const old = await kpi.cycle({ name: 'Old', start_date: '2025-01-01', end_date: '2025-03-31', status: 'closed' });
const latest = await kpi.cycle({ name: 'Latest' });
const draft = await kpi.cycle({ name: 'Draft', status: 'draft' });
await kpi.evaluation({
  cycle_id: old.id,
  employee: subject,
  status: 'completed',
  overall_percentage: 84,
  performance_flag: 'standard',
});
const current = await kpi.evaluation({ cycle_id: latest.id, employee: subject, reviewer: manager });
await kpi.evaluation({ cycle_id: latest.id });

const blocksOf = async (userId: number, query = '') => {
  const { status, body } = await (await as(userId)).get(`/api/dashboard${query}`);
  expect(status).toBe(200);
  const { today, ...blocks } = body.data;
  expect(today).toBe(dayFromNow(0));
  return blocks;
};

const role = async (name: string, scope: string, permissions: string[]) => {
  const { rows } = await owner.query('insert into roles (name, scope) values ($1, $2) returning id', [name, scope]);
  await owner.query('insert into role_permissions select $1, unnest($2::text[])', [rows[0].id, permissions]);
  return person({ roles: [{ role: name, entity_ids: null as unknown as number[] }] });
};

test('a dashboard needs a session', async () => {
  expect((await (await as()).get('/api/dashboard')).status).toBe(401);
});

test('an employee sees own tasks and reviews, and no figure of others', async () => {
  const data = await blocksOf(subject.user_id);
  expect(Object.keys(data).toSorted()).toEqual(['filters', 'me', 'my_work']);
  expect(data.me).toMatchObject({
    evaluation: { id: current.id, status: 'self_assessment' },
    last_results: [{ cycle: { id: old.id, name: 'Old' }, overall_percentage: 84, performance_flag: 'standard' }],
    probation: { end_date: null, status: null },
  });
  expect(data.my_work).toMatchObject({ by_kind: { kpi_self_assessment: 1 }, unread_notifications: 0 });
  expect(data.filters).toEqual({
    entities: [{ id: here.id, name: 'Here' }],
    cycles: [latest, old].map(({ id, name }) => ({ id, name })),
  });
});

test('a manager sees the own team, and no figure of the whole company', async () => {
  const data = await blocksOf(manager.user_id);
  expect(Object.keys(data).toSorted()).toEqual(['filters', 'headcount', 'kpi_cycle', 'me', 'my_work', 'probation']);
  expect(data.headcount).toMatchObject({ total: 2, active: 2, probationary: 1, confirmed: 1 });
  expect(data.kpi_cycle).toMatchObject({ cycle: { name: 'Latest' }, total: 1 });
  expect(data.probation).toMatchObject({ on_probation: 1, no_end_date: 1 });
});

test('an account without a person has no block about a person', async () => {
  const data = await blocksOf((await make.admin()).user_id);
  expect(data).not.toHaveProperty('me');
  expect(data.headcount.total).toBe(3);
  expect(data.data_quality.departments_without_manager).toBeGreaterThan(0);
});

test('a requested published cycle is counted', async () => {
  const hr = await person({ roles: ['HR'] });
  expect((await blocksOf(hr.user_id)).kpi_cycle.cycle).toEqual({ id: latest.id, name: 'Latest' });
  const asked = await blocksOf(hr.user_id, `?cycle_id=${old.id}`);
  expect(asked.kpi_cycle).toMatchObject({
    cycle: { name: 'Old' },
    total: 1,
    completion_pct: 100,
    average_percentage: 84,
  });
  expect((await blocksOf(hr.user_id, `?cycle_id=${draft.id}`)).kpi_cycle).toBeNull();
  expect((await (await as(hr.user_id)).get('/api/dashboard?entity_id=x')).status).toBe(422);
});

test('where the employment of others is hidden, figures derived from it are absent', async () => {
  const reader = await role('Directory', 'own', ['employees.view', 'employees.view_all']);
  const data = await blocksOf(reader.user_id);
  expect(Object.keys(data.headcount).toSorted()).toEqual(['active', 'as_of', 'by_department', 'by_entity', 'total']);
  expect(Object.keys(data)).not.toContain('probation');
  expect(Object.keys(data)).not.toContain('kpi_cycle');
});

test('`dashboard.view_all` needs no permission to see people', async () => {
  const reader = await role('Figures', 'all', ['dashboard.view_all']);
  const data = await blocksOf(reader.user_id);
  expect(Object.keys(data).toSorted()).toEqual(
    [
      'data_quality',
      'filters',
      'headcount',
      'kpi_cycle',
      'me',
      'movement',
      'my_work',
      'probation',
      'tenure',
    ].toSorted(),
  );
  expect(data.kpi_cycle.total).toBe(2);
  expect((await (await as(reader.user_id)).get('/api/employees')).status).toBe(403);
});

test('the number of statements does not depend on the number of rows', async () => {
  const hr = await person({ roles: ['HR'] });
  const statements = async () => {
    let count = 0;
    const { pool } = testApp.deps;
    const listener = () => (count += 1);
    pool.on('acquire', listener);
    await blocksOf(hr.user_id);
    pool.off('acquire', listener);
    return count;
  };
  await statements();
  const few = await statements();
  for (let n = 0; n < 5; n += 1) await kpi.evaluation({ cycle_id: latest.id });
  expect(await statements()).toBe(few);
  expect(few).toBeLessThan(14);
});
