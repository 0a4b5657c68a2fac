import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrPerson = await make.employee({ entity_id: here.id, roles: ['HR'] });
const hr = await as(hrPerson.user_id);
const local = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
const localHr = await as(local.user_id);

const alpha = await make.department({ entity_id: here.id, name: 'Alpha' });
const beta = await make.department({ entity_id: elsewhere.id, name: 'Beta' });
const reviewer = await make.employee({ entity_id: here.id, roles: ['Manager'], display_name: 'Omar Diaz' });
const template = await kpi.template({ name: 'Buyer KPIs' });
const cycle = await kpi.cycle({
  name: 'Q1 2026',
  self_assessment_closes_on: dayFromNow(-3),
  manager_review_closes_on: dayFromNow(4),
  band_caps: JSON.stringify({ a: 20, b: 40, c: 30, d: 10 }),
  departments: [alpha, beta].map(({ id }) => ({ department_id: id, template_id: template.id, is_published: true })),
});
const url = `/api/kpi-cycles/${cycle.id}`;

type Fields = NonNullable<Parameters<typeof kpi.evaluation>[0]>;
const add = async (department: { id: number }, fields: Fields) => {
  const employee = fields.employee ?? (await make.employee({ department_id: department.id }));
  return kpi.evaluation({ cycle_id: cycle.id, template, department_id: department.id, ...fields, employee });
};
const completed = (percentage: number, flag: string): Fields => ({
  status: 'completed',
  overall_percentage: percentage,
  overall_score: percentage / 20,
  performance_flag: flag,
});
await add(alpha, { status: 'self_assessment' });
await add(alpha, { status: 'manager_review', reviewer });
await add(alpha, { status: 'cancelled' });
await add(alpha, { ...completed(95, 'hipo'), reviewer });
await add(alpha, { ...completed(89.99, 'standard'), reviewer });
await add(beta, { ...completed(40, 'pip'), entity_id: elsewhere.id });
await add(beta, { status: 'disputed', entity_id: elsewhere.id });
// the reader's own result
await add(alpha, { ...completed(10, 'pip'), employee: local, reviewer });

test("the summary shows the progress of a cycle, in the reader's scope and without the own result", async () => {
  const { body } = await hr.get(`${url}/summary`);
  expect(body.data).toMatchObject({
    cycle: { id: cycle.id, name: 'Q1 2026' },
    total: 8,
    by_status: {
      self_assessment: 1,
      manager_review: 1,
      hr_review: 0,
      pending_acceptance: 0,
      accepted: 0,
      disputed: 1,
      completed: 4,
      cancelled: 1,
    },
    completion_pct: 57.14,
    overdue: { self: 1, manager: 0, hr: 0, acceptance: 0 },
    average_percentage: 58.75,
    flags: { pip: 2, standard: 1, hipo: 1 },
    disputes_open: 1,
    departments: [
      { id: alpha.id, name: 'Alpha', total: 6, completed: 3, overdue: 1 },
      { id: beta.id, name: 'Beta', total: 2, completed: 1, overdue: 0 },
    ],
  });
  const own = (await localHr.get(`${url}/summary`)).body.data;
  expect([own.total, own.by_status.completed, own.completion_pct]).toEqual([6, 3, 60]);
  expect([own.average_percentage, own.flags]).toEqual([92.5, { pip: 0, standard: 1, hipo: 1 }]);
  expect(own.departments.map(({ name }: { name: string }) => name)).toEqual(['Alpha']);
  expect(own.bands).toEqual([
    { band: 'A', name: 'A', count: 1, share_pct: 50, cap_pct: 20, over_limit: false },
    { band: 'B', name: 'B', count: 1, share_pct: 50, cap_pct: 40, over_limit: false },
    { band: 'C', name: 'C', count: 0, share_pct: 0, cap_pct: 30, over_limit: false },
    { band: 'D', name: 'D', count: 0, share_pct: 0, cap_pct: 10, over_limit: false },
  ]);
  await owner.query('select fold_kpi_evaluation_counts()');
  const folded = (await localHr.get(`${url}/summary`)).body.data;
  expect({ ...folded, as_of: null }).toEqual({ ...own, as_of: null });
});

test('a cycle without evaluations does not divide by zero', async () => {
  const empty = await kpi.cycle();
  const { data } = (await hr.get(`/api/kpi-cycles/${empty.id}/summary`)).body;
  expect([data.total, data.completion_pct, data.average_percentage, data.departments]).toEqual([0, null, null, []]);
  expect(data.bands[0]).toEqual({ band: 'A', name: 'A', count: 0, share_pct: null, cap_pct: null, over_limit: false });
  expect(Object.values(data.median_days_per_stage)).toEqual([null, null, null, null]);
});

test('the median of a step is the median of the time evaluations stayed in it', async () => {
  const timed = await kpi.cycle();
  for (const days of [2, 5, 6, 30]) {
    const { id } = await kpi.evaluation({ cycle_id: timed.id });
    await owner.query(
      `update kpi_evaluations set status_changed_at = now() - make_interval(days => $1) where id = $2`,
      [days, id],
    );
    await owner.query(`update kpi_evaluations set status = 'manager_review', status_changed_at = now() where id = $1`, [
      id,
    ]);
  }
  const { rows } = await owner.query('select min(id)::int as id from kpi_evaluations where cycle_id = $1', [timed.id]);
  await owner.query(
    `update kpi_evaluations set status = 'cancelled', status_changed_at = now() + interval '90 days' where id = $1`,
    [rows[0].id],
  );
  const read = async () => (await hr.get(`/api/kpi-cycles/${timed.id}/summary`)).body.data.median_days_per_stage;
  expect(await read()).toMatchObject({ self_assessment: 5.5, manager_review: null });
  await owner.query('select fold_kpi_evaluation_counts()');
  expect(await read()).toMatchObject({ self_assessment: 5.5, manager_review: null });
});

test("results are grouped by band and department or reviewer, without the reader's own", async () => {
  const { body } = await localHr.get(`${url}/distribution`);
  expect(body.data).toMatchObject({
    by: 'department',
    overall: { count: 2, average_percentage: 92.5 },
    groups: [{ id: alpha.id, name: 'Alpha', count: 2, average_percentage: 92.5 }],
  });
  // with two results, a single one decides the share, so no limit applies
  expect(body.data.groups[0].bands[0]).toEqual({
    band: 'A',
    name: 'A',
    count: 1,
    share_pct: 50,
    cap_pct: 20,
    over_limit: false,
  });
  const all = (await hr.get(`${url}/distribution?by=reviewer`)).body.data;
  expect(all.overall.count).toBe(4);
  expect(all.groups.map(({ name, count }: { name: string; count: number }) => [name, count])).toEqual([
    ['Omar Diaz', 3],
    [null, 1],
  ]);
  expect((await hr.get(`${url}/distribution?by=moon`)).status).toBe(422);
});

const cells = (text: string) =>
  text
    .replace('\uFEFF', '')
    .trim()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));

test('the export has the columns for finance, and no unfinished result hidden from its reader', async () => {
  const round = await kpi.cycle({ name: 'Q2 2026' });
  const person = (first_name: string) =>
    make.employee({ department_id: alpha.id, first_name, last_name: 'Reed', grade: 'T2', job_title: 'Buyer' });
  const made = [];
  for (const [name, status] of [
    ['Ann', 'self_assessment'],
    ['Ben', 'hr_review'],
    ['Cay', 'completed'],
  ] as const)
    made.push(await kpi.evaluation({ cycle_id: round.id, template, employee: await person(name), reviewer, status }));
  await kpi.evaluation({ cycle_id: round.id, template, status: 'hr_review', employee: hrPerson, reviewer });
  const { rows } = await owner.query(`insert into roles (name, scope) values ('Finance', 'all') returning id`);
  await owner.query(`insert into role_permissions select $1, unnest($2::text[])`, [
    rows[0].id,
    ['kpi-cycle.view', 'kpi-cycle.export'],
  ]);
  const finance = await make.employee({ roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [finance.user_id, rows[0].id]);
  const columns = 'employee_name,grade,status,self_score,overall_percentage,performance_flag';
  const read = async (client: typeof hr) =>
    cells((await client.get(`/api/kpi-cycles/${round.id}/export?columns=${columns}`)).bytes.toString('utf8')).slice(1);
  expect((await read(hr)).slice(0, 3)).toEqual([
    ['Ann Reed', 'T2', 'self_assessment', '', '', ''],
    ['Ben Reed', 'T2', 'hr_review', '4.4', '80', ''],
    ['Cay Reed', 'T2', 'completed', '4.4', '80', 'standard'],
  ]);
  // for one's own evaluation, every reader is only its subject
  expect((await read(hr))[3]?.slice(2)).toEqual(['hr_review', '4.4', '', '']);
  expect((await read(await as(finance.user_id))).slice(0, 3)).toEqual([
    ['Ann Reed', '', 'self_assessment', '', '', ''],
    ['Ben Reed', '', 'hr_review', '4.4', '', ''],
    ['Cay Reed', '', 'completed', '4.4', '80', 'standard'],
  ]);
  const whole = await hr.get(`/api/kpi-cycles/${round.id}/export?status=completed`);
  expect(whole.headers['content-disposition']).toMatch(/kpi-results-\d{8}-\d{4}\.csv/);
  const [header, row, ...more] = cells(whole.bytes.toString('utf8'));
  expect(header).toEqual([
    'employee_number',
    'employee_name',
    'entity',
    'department',
    'job_title',
    'grade',
    'cycle',
    'template',
    'reviewer',
    'status',
    'self_score',
    'overall_score',
    'overall_percentage',
    'performance_flag',
    'completed_at',
    'disputed',
    'part',
    'part_from',
    'part_until',
    'part_days',
    'person_percentage',
  ]);
  expect(row?.slice(1, 9)).toEqual(
    ['Cay Reed', here.name, 'Alpha', null, 'T2', 'Q2 2026', 'Buyer KPIs', 'Omar Diaz'].map(
      (cell) => cell ?? expect.any(String),
    ),
  );
  expect(more).toEqual([]);
  const { rows: audit } = await owner.query(
    `select changes -> 'rows' -> 'to' as n from audit_log where action = 'export.created' order by id desc limit 1`,
  );
  expect(audit[0].n).toBe(1);
});

test('people read the export in their language, with the time of the company', async () => {
  const round = await kpi.cycle({ name: 'Q3 2026' });
  const tokyo = await make.entity({ timezone: 'Asia/Tokyo' });
  const employee = await make.employee({ entity_id: tokyo.id });
  const { id } = await kpi.evaluation({ cycle_id: round.id, template, employee, reviewer, ...completed(90, 'hipo') });
  await owner.query("update kpi_evaluations set completed_at = '2026-07-14T16:20:03.123Z' where id = $1", [id]);
  const columns = 'status,performance_flag,completed_at,disputed,overall_percentage';
  const read = async (path: string, language: string) => {
    const query = `?columns=${columns}&headings=words&cycle_id=${round.id}`;
    return cells((await hr.get(`/api${path}${query}`, { 'accept-language': language })).bytes.toString('utf8'));
  };
  const german = [
    ['Status', 'Ergebnis in Prozent', 'Einstufung', 'Abgeschlossen am', 'Widerspruch'],
    ['Abgeschlossen', '90', 'Hohes Potenzial', '2026-07-15 01:20', 'Nein'],
  ];
  expect(await read(`/kpi-cycles/${round.id}/export`, 'de')).toEqual(german);
  expect(await read('/kpi-evaluations/export', 'de')).toEqual(german);
  expect(await read('/kpi-evaluations/export', 'en')).toEqual([
    ['Status', 'Result in percent', 'Flag', 'Completed on', 'Disputed'],
    ['Completed', '90', 'High potential', '2026-07-15 01:20', 'No'],
  ]);
  expect((await hr.get('/api/kpi-evaluations/export?headings=shouted')).status).toBe(422);
});

test("the export contains the reader's companies, also as a spreadsheet", async () => {
  const { bytes } = await localHr.get(`${url}/export?columns=entity`);
  expect(new Set(cells(bytes.toString('utf8')).slice(1).flat())).toEqual(new Set([here.name]));
  const sheet = await localHr.get(`${url}/export?format=xlsx`);
  expect([sheet.status, sheet.bytes.subarray(0, 2).toString('latin1')]).toEqual([200, 'PK']);
  expect((await localHr.get(`${url}/export?columns=salary`)).status).toBe(422);
  expect((await (await as(reviewer.user_id)).get(`${url}/export`)).status).toBe(403);
});
