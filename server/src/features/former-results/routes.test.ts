import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const app = await startApp();
const { as, make, owner } = app;
const [acme, borg] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Borg' })];
const office = await make.department({ entity_id: acme.id, name: 'Office' });
const board = await make.department({ entity_id: acme.id, name: 'Board' });
const head = await make.employee({ department_id: office.id, roles: ['Manager'] });
const lead = await make.employee({ department_id: office.id, roles: ['TeamLead'], reporting_manager_id: head.id });
await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
  head.id,
  lead.id,
  office.id,
]);
const manager = await make.employee({ department_id: board.id, roles: ['Manager'] });
const anna = await make.employee({ department_id: office.id, reporting_manager_id: manager.id });
const colleague = await make.employee({ department_id: office.id, reporting_manager_id: manager.id });
const hana = await make.employee({ department_id: board.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const harry = await make.employee({ entity_id: borg.id, roles: [{ role: 'HR', entity_ids: [borg.id] }] });
const [hr, otherHr] = [await as(hana.user_id), await as(harry.user_id)];

async function store(person: { id: number }, period_to: string, extra: Record<string, unknown> = {}): Promise<number> {
  const values = { unit: 'points', result: 4, scale_from: 1, scale_to: 5, percentage: 80, ...extra };
  const { rows } = await owner.query(
    `insert into former_results (employee_id, period_to, unit, result, scale_from, scale_to, percentage, source, created_by_name)
     values ($1, $2, $3, $4, $5, $6, $7, 'Old HR', 'Import') returning id`,
    [person.id, period_to, ...Object.values(values)],
  );
  return Number(rows[0]?.id);
}
const of = (person: { id: number }) => `/api/employees/${person.id}/former-results`;
const reason = 'The personnel file says otherwise';

describe('readers', async () => {
  const [hers, leads, heads] = [
    await store(anna, '2020-12-31'),
    await store(lead, '2020-12-31'),
    await store(head, '2020-12-31'),
  ];

  test.each([
    ['the person', anna],
    ['the manager', manager],
    ['the head of the department', head],
    ['the team lead', lead],
    ['HR of the company', hana],
  ])('%s sees the result of a person', async (_who, reader) => {
    const client = await as(reader.user_id);
    const list = await client.get(of(anna));
    expect([list.status, list.body.meta.total, list.body.data[0]]).toEqual([
      200,
      1,
      expect.objectContaining({ id: hers, result: 4, percentage: 80, source: 'Old HR' }),
    ]);
    expect((await client.get(`${of(anna)}/${hers}`)).status).toBe(200);
    expect(list.body.data[0].allowed_actions).toEqual(reader === hana ? ['update', 'delete'] : []);
  });

  test.each([
    ['a colleague', colleague, anna, hers],
    ['a report', lead, head, heads],
    ['a person who reports to the lead', anna, lead, leads],
    ['HR of another company', harry, anna, hers],
  ])('%s does not', async (_who, reader, person, id) => {
    const client = await as(reader.user_id);
    for (const path of [of(person), `${of(person)}/${id}`]) expect((await client.get(path)).status).toBe(404);
    for (const [method, body] of [
      ['put', { result: 1, reason }],
      ['delete', { reason }],
    ] as const)
      expect([403, 404]).toContain((await client[method](`${of(person)}/${id}`, body)).status);
    expect(await as(reader.user_id).then((one) => one.get(of(reader)))).toMatchObject({ status: 200 });
  });

  test('a result is found below its own person only', async () => {
    expect((await hr.get(`${of(colleague)}/${hers}`)).status).toBe(404);
  });
});

describe('a correction', () => {
  test('needs a reason, and is in the audit log for HR and the person', async () => {
    const id = await store(anna, '2019-12-31');
    expect((await hr.put(`${of(anna)}/${id}`, { result: 3 })).body.errors).toHaveProperty('reason');
    const done = await hr.put(`${of(anna)}/${id}`, { result: 3, band: 'b', revision: 1, reason });
    expect(done.body).toMatchObject({
      message: 'Former result updated successfully.',
      data: { result: 3, percentage: 60, band: 'B' },
    });
    const { rows } = await owner.query(
      `select changes, reason, about_employee_id::int as about from audit_log where action = 'former_result.updated' and subject_id = $1`,
      [id],
    );
    expect(rows).toEqual([
      { changes: { result: { from: 4, to: 3 }, band: { from: null, to: 'B' } }, reason, about: anna.id },
    ]);
    const stale = await hr.put(`${of(anna)}/${id}`, { result: 2, revision: 1, reason });
    expect([stale.status, stale.body.revision]).toEqual([422, 2]);
  });

  test.each([
    [{ result: 6 }, 'result'],
    [{ result: null }, 'result'],
    [{ unit: 'percent', result: 101 }, 'result'],
    [{ scale_to: 1 }, 'scale_to'],
    [{ scale_to: null }, 'scale_to'],
    [{ period_from: '2018-12-31', period_to: '2018-12-30' }, 'period_to'],
    [{ period_to: '2999-01-01' }, 'period_to'],
    [{ band: 'Superb' }, 'band'],
    [{ period_to: '2017-12-31' }, 'period_to'],
    [{ source: null }, 'source'],
    [{ result: 1.2345 }, 'result'],
  ])('%j is refused on %s, and nothing changes', async (body, field) => {
    await owner.query(`delete from former_results where employee_id = $1`, [colleague.id]);
    await store(colleague, '2017-12-31');
    const id = await store(colleague, '2018-12-31');
    const { status, body: answer } = await hr.put(`${of(colleague)}/${id}`, { ...body, reason });
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]]);
    expect((await hr.get(`${of(colleague)}/${id}`)).body.data).toMatchObject({
      result: 4,
      period_to: '2018-12-31',
      revision: 1,
    });
  });

  test('a percentage has its scale by itself, a band alone has none', async () => {
    const id = await store(anna, '2016-12-31');
    const percent = await hr.put(`${of(anna)}/${id}`, { unit: 'percent', result: 87.455, reason });
    expect(percent.body.data).toMatchObject({ scale_from: 0, scale_to: 100, percentage: 87.46 });
    const band = await hr.put(`${of(anna)}/${id}`, { result: null, band: 'A', reason });
    expect(band.body.data).toMatchObject({ unit: null, scale_to: null, percentage: null, band: 'A' });
  });

  test('is not for oneself, and not for another company', async () => {
    const own = await store(hana, '2020-12-31');
    expect((await hr.put(`${of(hana)}/${own}`, { result: 5, reason })).status).toBe(403);
    expect((await hr.delete(`${of(hana)}/${own}`, { reason })).status).toBe(403);
    const id = await store(anna, '2015-12-31');
    expect((await otherHr.put(`${of(anna)}/${id}`, { result: 5, reason })).status).toBe(404);
  });
});

test('a deletion needs a reason and keeps what was deleted in the audit log', async () => {
  const id = await store(anna, '2014-12-31');
  expect((await hr.delete(`${of(anna)}/${id}`, {})).status).toBe(422);
  expect((await hr.delete(`${of(anna)}/${id}`, { reason })).status).toBe(204);
  expect((await hr.get(`${of(anna)}/${id}`)).status).toBe(404);
  const { rows } = await owner.query(
    `select changes -> 'result' as result, reason from audit_log where action = 'former_result.deleted' and subject_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ result: { from: 4, to: null }, reason }]);
});

test('the audit log hides results from readers who may not see them', async () => {
  const id = await store(anna, '2013-12-31');
  await hr.put(`${of(anna)}/${id}`, { result: 2.125, reason });
  const { rows } = await owner.query(
    `insert into roles (name, description, scope) values ('Auditor', 'x', 'all') returning id`,
  );
  await owner.query(`insert into role_permissions (role_id, permission) values ($1, 'audit.view')`, [rows[0]?.id]);
  const auditor = await make.employee({ entity_id: acme.id, roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [auditor.user_id, rows[0]?.id]);
  const path = `/api/audit-log?subject_type=former_result&subject_id=${id}`;
  const seen = await (await as(auditor.user_id)).get(path);
  expect(seen.body.meta.total).toBe(1);
  expect(JSON.stringify(seen.body)).not.toContain('2.125');
  expect(JSON.stringify(seen.body)).not.toContain(reason);
  expect(JSON.stringify((await hr.get(path)).body)).toContain('2.125');
});

test('former results are no evaluations', async () => {
  await store(anna, '2012-12-31');
  expect((await hr.get(`/api/kpi-evaluations?employee_id=${anna.id}`)).body.meta.total).toBe(0);
});
