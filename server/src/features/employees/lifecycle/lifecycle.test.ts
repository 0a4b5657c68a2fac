import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd', code: 'ACME' });
const purchasing = await make.department({ entity_id: acme.id });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const reason = 'Agreed with the works council';
const because = { reason };
/** The reason of a departure, as HR sees it among the private details. */
const whyGone = async (id: number) => (await hr.get(`/api/employees/${id}?reveal=private`)).body.data.separation_reason;

const today = () => Temporal.Now.plainDateISO('UTC');
const day = (offset: number) => today().add({ days: offset }).toString();
const person = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: purchasing.id, ...fields });
const stored = (id: number) =>
  deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const history = (id: number) =>
  deps.db.selectFrom('job_history').selectAll().where('employee_id', '=', id).orderBy('id').execute();
const traces = (id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select(['action', 'reason', 'changes'])
    .where('subject_type', '=', 'employee')
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
/** All rows that a refused action could change. */
const everything = async () => {
  const { rows } = await owner.query(
    `select (select md5(string_agg(e::text, '|' order by id)) from employees e) as people,
            (select md5(string_agg(u::text, '|' order by id)) from users u) as users,
            (select count(*) from job_history) as jobs, (select count(*) from audit_log) as traces,
            (select md5(string_agg(d::text, '|' order by id)) from departments d) as departments`,
  );
  return rows[0] as unknown;
};

/** People in each start state. */
const states = {
  probationary: { employment_lifecycle: 'probationary' },
  confirmed: { employment_lifecycle: 'confirmed' },
  joining: { employment_lifecycle: 'confirmed', joining_date: day(20) },
  suspended: { employment_lifecycle: 'confirmed', activity_status: 'inactive' },
  leaving: {
    employment_lifecycle: 'resigned',
    last_working_date: day(10),
    lifecycle_before_separation: 'confirmed',
  },
  left: {
    employment_lifecycle: 'terminated',
    last_working_date: day(-10),
    activity_status: 'inactive',
    lifecycle_before_separation: 'confirmed',
  },
  'leaving some day': { employment_lifecycle: 'resigned', lifecycle_before_separation: 'probationary' },
  'gone since nobody knows when': { employment_lifecycle: 'terminated', activity_status: 'inactive' },
  deleted: { employment_lifecycle: 'confirmed', deleted_at: '2026-01-01T00:00:00Z' },
} as const;
type State = keyof typeof states;

const verbs = {
  confirm: { body: { ...because, confirmation_date: day(0) }, from: ['probationary'] },
  deactivate: { body: because, from: ['probationary', 'confirmed', 'joining', 'leaving', 'leaving some day'] },
  reactivate: { body: because, from: ['suspended'] },
  separate: {
    body: { ...because, type: 'resigned', last_working_date: day(30) },
    from: ['probationary', 'confirmed', 'joining', 'suspended'],
  },
  'withdraw-separation': { body: because, from: ['leaving', 'leaving some day'] },
  rehire: { body: { joining_date: day(3) }, from: ['left', 'gone since nobody knows when'] },
  restore: { body: because, from: ['deleted'] },
} as const satisfies Record<string, { body: object; from: State[] }>;

const cases = Object.entries(verbs).flatMap(([verb, { body, from }]) =>
  (Object.keys(states) as State[]).map((state) => ({ verb, body, state, allowed: (from as State[]).includes(state) })),
);

test.each(cases.filter(({ allowed }) => allowed))(
  '$verb of a person $state succeeds',
  async ({ verb, body, state }) => {
    const { id } = await person(states[state]);
    const answer = await hr.post(`/api/employees/${id}/${verb}`, body);
    expect([answer.status, answer.body.data?.id]).toEqual([200, id]);
    expect((await stored(id)).revision).toBe(2);
    expect(await traces(id)).toHaveLength(1);
  },
);

test.each((Object.keys(states) as State[]).filter((state) => state !== 'deleted'))(
  'somebody %s shows just the actions that would succeed',
  async (state) => {
    const { id } = await person(states[state]);
    const { allowed_actions } = (await hr.get(`/api/employees/${id}`)).body.data;
    const shown = Object.keys(verbs).filter((verb) => allowed_actions.includes(verb));
    expect(shown).toEqual(cases.filter((one) => one.allowed && one.state === state).map(({ verb }) => verb));
  },
);

const refused = cases.filter(({ allowed }) => !allowed);

test.each(refused.filter(({ state }) => state !== 'deleted'))(
  '$verb of somebody $state is refused with the state of now',
  async ({ verb, body, state }) => {
    const { id } = await person(states[state]);
    const before = await everything();
    const answer = await hr.post(`/api/employees/${id}/${verb}`, body);
    expect([answer.status, Object.keys(answer.body.errors), answer.body.revision]).toEqual([422, ['status'], 1]);
    const { employment_lifecycle, activity_status } = await stored(id);
    expect([employment_lifecycle, activity_status]).toContain(answer.body.status);
    expect(await everything()).toEqual(before);
  },
);

test.each(refused.filter(({ state }) => state === 'deleted'))('$verb of a deleted person is 404', async (one) => {
  const { id } = await person(states.deleted);
  const before = await everything();
  expect((await hr.post(`/api/employees/${id}/${one.verb}`, one.body)).status).toBe(404);
  expect(await everything()).toEqual(before);
});

test('confirming writes the date, a row of job history and the reason', async () => {
  const { id } = await person({ employment_lifecycle: 'probationary' });
  const future = await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(2) });
  expect(future.body.errors).toEqual({
    confirmation_date: ['The confirmation date can’t be in the future.'],
  });
  const answer = await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(-1) });
  expect(answer.body.data).toMatchObject({ employment_lifecycle: 'confirmed', confirmation_date: day(-1) });
  expect(await history(id)).toMatchObject([
    { status: 'current', changed_fields: ['employment_lifecycle'], employment_lifecycle: 'confirmed', reason },
  ]);
  expect(await traces(id)).toMatchObject([
    {
      action: 'employee.confirmed',
      reason,
      changes: { employment_lifecycle: { from: 'probationary', to: 'confirmed' } },
    },
  ]);
});

test('a person is not confirmed from a day before joining', async () => {
  const { id } = await person({ employment_lifecycle: 'probationary', joining_date: day(-40) });
  const before = await everything();
  const answer = await hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(-41) });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { confirmation_date: [`The confirmation date field must be a date after or equal to ${day(-40)}.`] },
  ]);
  expect(await everything()).toEqual(before);
});

test('a stale form is refused with the current revision', async () => {
  const { id } = await person({ employment_lifecycle: 'probationary' });
  const before = await everything();
  const answer = await hr.post(`/api/employees/${id}/confirm`, {
    ...because,
    confirmation_date: day(0),
    revision: 7,
  });
  expect([answer.status, answer.body.status, answer.body.revision]).toEqual([422, 'probationary', 1]);
  expect(await everything()).toEqual(before);
});

test('of several simultaneous confirmations of a person one succeeds', async () => {
  const { id } = await person({ employment_lifecycle: 'probationary' });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => hr.post(`/api/employees/${id}/confirm`, { ...because, confirmation_date: day(0) })),
  );
  const succeeded = answers.filter((answer) => answer.status === 200);
  expect(succeeded).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 422)).toHaveLength(7);
  expect(await history(id)).toHaveLength(1);
});

test('a person with duties is deactivated only when a successor takes them all', async () => {
  const boss = await person();
  const heir = await person();
  const reports = [await person({ reporting_manager_id: boss.id }), await person({ reporting_manager_id: boss.id })];
  const unfit = await person({ activity_status: 'inactive' });
  const managed = await make.department({ entity_id: acme.id, manager_id: boss.id });
  const led = await make.department({ entity_id: acme.id, team_lead_id: boss.id });
  const before = await everything();
  const bare = await hr.post(`/api/employees/${boss.id}/deactivate`, because);
  expect(bare.body).toEqual({
    message: 'Someone else must take these over first: 2 departments and 2 direct reports.',
    errors: { status: ['Someone else must take these over first: 2 departments and 2 direct reports.'] },
    status: 'active',
    revision: 1,
  });
  const elsewhere = [boss.id, unfit.id, 999_999, reports[0]?.id];
  for (const reassign_to of elsewhere) {
    const answer = await hr.post(`/api/employees/${boss.id}/deactivate`, { ...because, reassign_to });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['reassign_to']]);
  }
  expect(await everything()).toEqual(before);
  const done = await hr.post(`/api/employees/${boss.id}/deactivate`, { ...because, reassign_to: heir.id });
  expect(done.status).toBe(200);
  expect(done.body.data.responsibilities).toMatchObject({
    departments_managed: 0,
    departments_led: 0,
    direct_reports: 0,
  });
  const handedOver = 'Responsibilities were reassigned.';
  for (const report of reports) {
    expect((await stored(report.id)).reporting_manager_id).toBe(heir.id);
    expect(await history(report.id)).toMatchObject([{ reporting_manager_id: heir.id, reason: handedOver }]);
    expect(await traces(report.id)).toMatchObject([{ action: 'employee.updated', reason: handedOver }]);
  }
  const departments = await deps.db
    .selectFrom('departments')
    .selectAll()
    .where('id', 'in', [managed.id, led.id])
    .execute();
  expect(departments.find(({ id }) => id === managed.id)?.manager_id).toBe(heir.id);
  expect(departments.find(({ id }) => id === led.id)?.team_lead_id).toBe(heir.id);
});

test('no person becomes manager and team lead of one department by reassignment', async () => {
  const [boss, lead] = [await person(), await person()];
  const both = await make.department({ entity_id: acme.id, manager_id: boss.id, team_lead_id: lead.id });
  const before = await everything();
  const answer = await hr.post(`/api/employees/${boss.id}/deactivate`, { ...because, reassign_to: lead.id });
  expect(answer.body.errors).toEqual({
    reassign_to: [`The selected successor can’t take over the department ${both.name}.`],
  });
  expect(await everything()).toEqual(before);
});

test('HR of one company reassigns nothing of another one', async () => {
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
  const heir = await person();
  const elsewhere = await make.department();
  const [withReport, withDepartment] = [await person(), await person()];
  await make.employee({ department_id: elsewhere.id, reporting_manager_id: withReport.id });
  await make.department({ entity_id: elsewhere.entity_id, manager_id: withDepartment.id });
  const before = await everything();
  for (const { id } of [withReport, withDepartment]) {
    const answer = await limited.post(`/api/employees/${id}/deactivate`, { ...because, reassign_to: heir.id });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['reassign_to']]);
  }
  expect(await everything()).toEqual(before);
  const wide = await hr.post(`/api/employees/${withReport.id}/deactivate`, { ...because, reassign_to: heir.id });
  expect(wide.status).toBe(200);
});

test("HR cannot act on the own record or an Admin's, and people out of scope are 404", async () => {
  const self = await make.employee({ department_id: purchasing.id, roles: ['HR'] });
  const admin = await person({ roles: ['Admin'] });
  const limited = await as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id);
  const elsewhere = await make.employee();
  const manager = await as((await person({ roles: ['Manager'] })).user_id);
  const [own, root] = [await as(self.user_id), await as((await person({ roles: ['Admin'] })).user_id)];
  const before = await everything();
  for (const [verb, { body }] of Object.entries(verbs)) {
    expect([verb, (await own.post(`/api/employees/${self.id}/${verb}`, body)).status]).toEqual([verb, 403]);
    expect([verb, (await hr.post(`/api/employees/${admin.id}/${verb}`, body)).status]).toEqual([verb, 403]);
    expect([verb, (await limited.post(`/api/employees/${elsewhere.id}/${verb}`, body)).status]).toEqual([verb, 404]);
    expect([verb, (await manager.post(`/api/employees/${elsewhere.id}/${verb}`, body)).status]).toEqual([verb, 403]);
  }
  for (const [client, id, status] of [
    [own, self.id, 403],
    [hr, admin.id, 403],
    [limited, elsewhere.id, 404],
    [manager, elsewhere.id, 403],
  ] as const)
    expect((await client.delete(`/api/employees/${id}`)).status).toBe(status);
  expect(await everything()).toEqual(before);
  expect((await root.post(`/api/employees/${admin.id}/deactivate`, because)).status).toBe(200);
});

test('a separation keeps what its withdrawal needs, and the field log hides its reason', async () => {
  const { id } = await person({ employment_lifecycle: 'probationary' });
  const early = await hr.post(`/api/employees/${id}/separate`, {
    ...because,
    type: 'resigned',
    notice_date: day(5),
    last_working_date: day(4),
  });
  expect(early.body.errors).toEqual({
    last_working_date: ['The last working day field must be a date after or equal to notice date.'],
  });
  const answer = await hr.post(`/api/employees/${id}/separate`, {
    ...because,
    type: 'terminated',
    notice_date: day(0),
    last_working_date: day(20),
  });
  expect(answer.body.data).toMatchObject({
    employment_lifecycle: 'terminated',
    activity_status: 'active',
    notice_date: day(0),
    last_working_date: day(20),
  });
  expect(await whyGone(id)).toBe(reason);
  const back = await hr.post(`/api/employees/${id}/withdraw-separation`, because);
  expect(back.body.data).toMatchObject({
    employment_lifecycle: 'probationary',
    notice_date: null,
    last_working_date: null,
  });
  expect(await whyGone(id)).toBeNull();
  const rows = await history(id);
  expect(rows.map((row) => [row.status, row.employment_lifecycle])).toEqual([
    ['past', 'terminated'],
    ['current', 'probationary'],
  ]);
});

test('a separation whose last day is past ends access at once', async () => {
  const { id, user_id } = await person();
  const browser = await as(user_id);
  expect((await browser.get('/api/me')).status).toBe(200);
  const answer = await hr.post(`/api/employees/${id}/separate`, {
    ...because,
    type: 'terminated',
    last_working_date: day(-1),
  });
  expect(answer.body.data.activity_status).toBe('inactive');
  expect((await browser.get('/api/me')).status).toBe(401);
});

test.each([
  ['on probation by their dates', { probation_end_date: day(30) }, 'probationary'],
  ['whose probation is over', { probation_end_date: day(-30) }, 'confirmed'],
  ['confirmed before', { probation_end_date: day(30), confirmation_date: day(-1) }, 'confirmed'],
  ['without dates', {}, 'confirmed'],
])('a separation of a person imported %s can be withdrawn', async (_who, dates, lifecycle) => {
  const { id } = await person({ employment_lifecycle: 'resigned', last_working_date: day(5), ...dates });
  const answer = await hr.post(`/api/employees/${id}/withdraw-separation`, because);
  expect([answer.status, answer.body.data?.employment_lifecycle]).toEqual([200, lifecycle]);
  expect((await history(id)).map((row) => row.employment_lifecycle)).toEqual([lifecycle]);
});

test('a rehire starts with the old number and account, without password', async () => {
  const former = await person({
    ...states.left,
    extension_count: 1,
    separation_reason: reason,
    password: 'Str0ng!Passw0rd',
  });
  const other = await make.department({ entity_id: acme.id });
  const early = await hr.post(`/api/employees/${former.id}/rehire`, { joining_date: day(-10) });
  expect(early.body.errors).toEqual({ joining_date: [`The start date field must be a date after ${day(-10)}.`] });
  const missing = await hr.post(`/api/employees/${former.id}/rehire`, {});
  expect(missing.body.errors).toEqual({ joining_date: ['The start date field is required.'] });
  const first = `${today().year + 1}-11-30`;
  const answer = await hr.post(`/api/employees/${former.id}/rehire`, {
    joining_date: first,
    department_id: other.id,
    job_title: 'Buyer',
    employee_number: 'OTHER-1',
  });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    employee_number: former.employee_number,
    email: former.email,
    department_id: other.id,
    job_title: 'Buyer',
    activity_status: 'joining',
    employment_lifecycle: 'probationary',
    probation_start_date: first,
    probation_end_date: Temporal.PlainDate.from(first).add({ months: 3 }).toString(),
    extension_count: 0,
    last_working_date: null,
    user: { id: former.user_id, has_password: false },
  });
  expect(await whyGone(former.id)).toBeNull();
  expect(await history(former.id)).toMatchObject([{ status: 'current', department_id: other.id }]);
});

test('only mistakes are deleted; the refusal lists what depends on the person', async () => {
  const boss = await person();
  await person({ reporting_manager_id: boss.id });
  await make.department({ entity_id: acme.id, manager_id: boss.id });
  const before = await everything();
  const refused = await hr.delete(`/api/employees/${boss.id}`);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['employee']]);
  expect(refused.body.message).toContain('1 department led and 1 direct report');
  expect(await everything()).toEqual(before);

  const mistake = await person();
  const gone = await hr.delete(`/api/employees/${mistake.id}`);
  expect([gone.status, gone.body]).toEqual([204, undefined]);
  expect((await hr.get(`/api/employees/${mistake.id}`)).status).toBe(404);
  expect((await hr.delete(`/api/employees/${mistake.id}`)).status).toBe(404);
  const back = await hr.post(`/api/employees/${mistake.id}/restore`, because);
  expect([back.status, back.body.data.deleted_at]).toEqual([200, null]);
  expect((await traces(mistake.id)).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['employee.deleted', 'employee.restored']),
  );
});

test('no person is restored into a closed department', async () => {
  const closed = await make.department({ entity_id: acme.id, status: 'inactive' });
  const { id } = await person({ ...states.deleted, department_id: closed.id });
  const answer = await hr.post(`/api/employees/${id}/restore`, because);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['status']]);
  expect((await stored(id)).deleted_at).not.toBeNull();
});

test('no person is restored into an inactive department', async () => {
  const closed = await make.department({ entity_id: acme.id });
  const { id } = await person({ department_id: closed.id, activity_status: 'inactive' });
  const shown = async () => (await hr.get(`/api/employees/${id}`)).body.data.allowed_actions;
  expect(await shown()).toContain('reactivate');
  await deps.db.updateTable('departments').set({ status: 'inactive' }).where('id', '=', closed.id).execute();
  expect(await shown()).not.toContain('reactivate');
  const before = await everything();
  const answer = await hr.post(`/api/employees/${id}/reactivate`, because);
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { status: ['This person’s department is inactive. Move them to another department first.'] },
  ]);
  expect(await everything()).toEqual(before);
});
