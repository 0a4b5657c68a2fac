import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { applyDueJobChanges } from '../../job-history/apply.ts';

/** Parts of a former employment that a rehire does not restore. */

const { as, make, deps } = await startApp();
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const open = await make.department();
const closed = await make.department({ entity_id: open.entity_id, status: 'inactive' });
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();
const inDays = (days: number) => ({ deps, now: Temporal.Now.instant().add({ hours: 24 * days }) });
const someone = () => make.employee({ joining_date: '2020-01-01', job_title: 'Clerk' });

const ask = async (path: string, body: object, status = 200) => {
  const answer = await hr.post(path, body);
  expect([path, answer.status, answer.body.errors]).toEqual([path, status, undefined]);
  return answer.body.data as { id: number };
};
/** The employment ended yesterday, and a new one begins today. */
async function leaveAndReturn(person: string) {
  await ask(`${person}/separate`, { type: 'resigned', last_working_date: day(-1), reason: 'Another job' });
  await ask(`${person}/rehire`, { joining_date: day(0), job_title: 'Buyer' });
}
const traces = async (action: string, id: number) =>
  deps.db
    .selectFrom('audit_log')
    .select('changes')
    .where('action', '=', action as 'employee.absence_ended')
    .where('subject_id', '=', id)
    .execute();

test('absences end with the last working day', async () => {
  const { id } = await someone();
  const person = `/api/employees/${id}`;
  const over = await ask(`${person}/absences`, { first_day: day(-90), last_day: day(-80) }, 201);
  const open = await ask(`${person}/absences`, { first_day: day(-30), last_day: day(19) }, 201);
  await ask(`${person}/absences`, { first_day: day(20), last_day: null }, 201);
  await leaveAndReturn(person);
  expect((await hr.get(person)).body.data).toMatchObject({ activity_status: 'active', absence: null });
  expect((await hr.get(`${person}/absences`)).body.data).toMatchObject([
    { id: open.id, first_day: day(-30), last_day: day(-1), state: 'past' },
    { id: over.id, first_day: day(-90), last_day: day(-80), state: 'past' },
  ]);
  expect(await traces('employee.absence_ended', id)).toEqual([
    { changes: { last_day: { from: day(19), to: day(-1) } } },
  ]);
  expect(await traces('employee.absence_deleted', id)).toEqual([
    { changes: { first_day: { from: day(20), to: null } } },
  ]);
});

test('the new employment begins after the last day of the former one, also once it is corrected', async () => {
  // recorded as a leaver: no row of the history says when
  const { entity_id, department_id } = await someone();
  const left = { joining_date: '2020-01-01', employment_lifecycle: 'resigned', last_working_date: day(-20) };
  const named = { first_name: 'Lena', last_name: 'Park', email: 'lena.park@former.example' };
  const { id } = await ask('/api/employees', { ...named, ...left, entity_id, department_id }, 201);
  const person = `/api/employees/${id}`;
  await ask(`${person}/rehire`, { joining_date: day(-5), job_title: 'Buyer' });
  const current = (await hr.get(`${person}/job-history?status=current`)).body.data[0];
  expect(current.effective_from).toBe(day(-5));
  const correct = async (days: number) => {
    const sent = { effective_from: day(days), reason: 'As the contract says' };
    const { status, body } = await hr.put(`${person}/job-history/${current.id}`, sent);
    return [status, Object.keys(body.errors ?? {})];
  };
  // the days of the former employment after the notice
  const former = (await hr.get(`${person}/job-history?sort_direction=asc`)).body.data.at(-2);
  const correctFormer = async (days: number) => {
    const sent = { effective_from: day(days), reason: 'As the contract says' };
    return (await hr.put(`${person}/job-history/${former.id}`, sent)).status;
  };
  for (const days of [-200, -21, -20])
    expect([days, ...(await correct(days))]).toEqual([days, 422, ['effective_from']]);
  expect(await correctFormer(-19)).toBe(422);
  expect(await correct(-19)).toEqual([200, []]);
  expect(await correctFormer(-21)).toBe(200);
  const join = async (days: number) => {
    const { status, body } = await hr.put(person, { joining_date: day(days) });
    return [status, Object.keys(body.errors ?? {})];
  };
  for (const days of [-200, -20]) expect([days, ...(await join(days))]).toEqual([days, 422, ['joining_date']]);
  expect(await join(-19)).toEqual([200, []]);
});

test('the end of the new employment lies after the former one, and changes nothing of its history', async () => {
  const { id } = await someone();
  const person = `/api/employees/${id}`;
  await ask(`${person}/separate`, { type: 'resigned', last_working_date: day(-20), reason: 'Another job' });
  await ask(`${person}/rehire`, { joining_date: day(-5), job_title: 'Buyer' });
  const history = async () => (await hr.get(`${person}/job-history`)).body.data;
  const before = await history();
  const separate = async (days: object) => {
    const sent = { type: 'resigned', reason: 'Another job', last_working_date: day(0), ...days };
    const { status, body } = await hr.post(`${person}/separate`, sent);
    return [status, Object.keys(body.errors ?? {})];
  };
  expect(await separate({ last_working_date: day(-20) })).toEqual([422, ['last_working_date']]);
  expect(await separate({ last_working_date: day(-400) })).toEqual([422, ['last_working_date']]);
  expect(await separate({ notice_date: day(-20) })).toEqual([422, ['notice_date']]);
  expect(await history()).toEqual(before);
  expect(await separate({ notice_date: day(-4) })).toEqual([200, []]);
});

test.each<[string, object, Record<string, string>]>([
  [
    'as one who leaves',
    { employment_lifecycle: 'resigned', last_working_date: day(30) },
    { employment_lifecycle: 'The selected employment status is invalid.' },
  ],
  ['without access', { activity_status: 'inactive' }, { activity_status: 'The selected account status is invalid.' }],
  [
    'to a closed department',
    { department_id: closed.id },
    { department_id: 'This department isn’t available. Select another one.' },
  ],
])('no one comes back %s', async (_name, sent, errors) => {
  const { id } = await make.employee({
    joining_date: '2020-01-01',
    employment_lifecycle: 'resigned',
    activity_status: 'inactive',
    last_working_date: day(-1),
    department_id: open.id,
  });
  const stored = () => deps.db.selectFrom('employees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const before = await stored();
  const answer = await hr.post(`/api/employees/${id}/rehire`, { joining_date: day(0), ...sent });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    Object.fromEntries(Object.entries(errors).map(([field, said]) => [field, [said]])),
  ]);
  expect(await stored()).toEqual(before);
  expect(await traces('employee.rehired', id)).toEqual([]);
});

test('changes of the job that were planned do not reach the new one', async () => {
  const { id } = await someone();
  const person = `/api/employees/${id}`;
  const planned = await ask(`${person}/job-history`, { job_title: 'Head clerk', effective_from: day(10) }, 201);
  await leaveAndReturn(person);
  const rows = (await hr.get(`${person}/job-history?status=scheduled,cancelled`)).body.data;
  expect(rows).toMatchObject([{ id: planned.id, status: 'cancelled', allowed_actions: [] }]);
  await applyDueJobChanges(inDays(11));
  expect((await hr.get(person)).body.data.job_title).toBe('Buyer');
  expect(await traces('job_history.cancelled', planned.id)).toEqual([
    { changes: { status: { from: 'scheduled', to: 'cancelled' } } },
  ]);
});
