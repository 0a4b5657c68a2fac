import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { probationMaker } from '../../../testing/make-probation.ts';

/** A change of the probation end without a review: an extension with a reason, or a correction soon after its entry. */

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);

const entity = await make.entity({ probation_max_extensions: 1 });
const inCompany = { role: 'HR', entity_ids: [entity.id] };
const hr = await as((await make.employee({ entity_id: entity.id, roles: [inCompany] })).user_id);
const elsewhere = await make.entity();
const stranger = await as(
  (await make.employee({ entity_id: elsewhere.id, roles: [{ role: 'HR', entity_ids: [elsewhere.id] }] })).user_id,
);

const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const reason = 'As agreed with the team.';
const onProbation = (fields: object = {}) =>
  probation.person({ entity_id: entity.id, probation_end_date: dayFromNow(60), ...fields });
const at = (id: number, step = '') => `/api/employees/${id}${step}`;
const extend = (id: number, days: number, client = hr) =>
  client.post(at(id, '/extend-probation'), { probation_end_date: dayFromNow(days), reason });
const correct = (id: number, days: number | null, client = hr) =>
  client.post(at(id, '/correct-probation'), {
    probation_end_date: days === null ? null : dayFromNow(days),
    reason,
  });
const trail = async (id: number) =>
  (
    await owner.query(
      `select action, changes, reason from audit_log where subject_type = 'employee' and subject_id = $1
       and action like 'employee.probation%' order by id`,
      [id],
    )
  ).rows;

test('an extension moves the end to a later day, is counted, and is in the audit log with its reason', async () => {
  const { id } = await onProbation();
  expect((await hr.get(at(id))).body.data.allowed_actions).toContain('extend-probation');
  const { status, body } = await extend(id, 90);
  expect([status, body.message]).toEqual([200, 'Probation extended successfully.']);
  expect(body.data).toMatchObject({ probation_end_date: dayFromNow(90), extension_count: 1 });
  expect(body.data.allowed_actions).not.toContain('extend-probation');
  expect(await trail(id)).toEqual([
    {
      action: 'employee.probation_extended',
      changes: {
        probation_end_date: { from: dayFromNow(60), to: dayFromNow(90) },
        extension_count: { from: 0, to: 1 },
      },
      reason,
    },
  ]);
});

test('the company limits extensions, by hand as by a review', async () => {
  const { id } = await onProbation();
  await extend(id, 90);
  const again = await extend(id, 120);
  expect([again.status, again.body.errors]).toEqual([
    422,
    { probation_end_date: ['This probation can’t be extended any further.'] },
  ]);
});

test('an extension goes to a later day that is ahead', async () => {
  const { id } = await onProbation();
  for (const days of [60, 30, -5]) expect((await extend(id, days)).status).toBe(422);
  const over = await onProbation({ probation_start_date: dayFromNow(-100), probation_end_date: dayFromNow(-10) });
  expect((await extend(over.id, -1)).body.errors.probation_end_date).toHaveLength(1);
  expect((await extend(over.id, 20)).status).toBe(200);
});

test('a later day or none is refused as a field, in the form and in a file; an earlier one is not', async () => {
  const { id, employee_number } = await onProbation();
  const text =
    'The probation end date field can’t be moved to a later day or cleared here. Extend the probation instead, with a reason.';
  for (const probation_end_date of [dayFromNow(90), null])
    expect((await hr.put(at(id), { probation_end_date })).body.errors).toEqual({ probation_end_date: [text] });
  expect(employee_number).toBeDefined();
  expect((await hr.put(at(id), { probation_end_date: dayFromNow(50) })).status).toBe(200);
});

test('a probation without an end gets its first as a field', async () => {
  const { id } = await onProbation({ probation_end_date: null });
  expect((await extend(id, 90)).body.errors.status).toEqual(['This probation has no end date.']);
  expect((await hr.put(at(id), { probation_end_date: dayFromNow(90) })).body.data.extension_count).toBe(0);
});

test('a mistyped end is corrected to any day or none, which is no extension', async () => {
  const { id } = await onProbation();
  expect((await hr.get(at(id))).body.data.allowed_actions).toContain('correct-probation');
  for (const days of [90, 45, null]) {
    const { status, body } = await correct(id, days);
    expect([status, body.data.probation_end_date]).toEqual([200, days === null ? null : dayFromNow(days)]);
    expect(body.data.extension_count).toBe(0);
  }
  expect((await trail(id)).map(({ action }) => action)).toEqual(Array(3).fill('employee.probation_corrected'));
});

test('the day itself is no correction, nor one before the start', async () => {
  const { id } = await onProbation({ probation_start_date: dayFromNow(-5) });
  expect((await correct(id, 60)).body.errors).toEqual({
    probation_end_date: ['The probation already ends on this day.'],
  });
  expect((await correct(id, -5)).body.errors.probation_end_date).toHaveLength(1);
});

test('a correction names the day', async () => {
  const { id } = await onProbation();
  expect((await hr.post(at(id, '/correct-probation'), { reason })).body.errors).toEqual({
    probation_end_date: ['The probation end date field is required.'],
  });
});

test('14 days after its entry the end is corrected no more', async () => {
  const { id } = await onProbation();
  const aged = (days: number) =>
    owner.query(`update employees set probation_end_entered_at = now() - make_interval(days => $2) where id = $1`, [
      id,
      days,
    ]);
  await aged(13);
  expect((await correct(id, 70)).status).toBe(200);
  await aged(14);
  expect((await hr.get(at(id))).body.data.allowed_actions).not.toContain('correct-probation');
  const late = await correct(id, 80);
  expect([late.status, late.body.errors.status]).toEqual([
    422,
    ['The end of a probation can be corrected for 14 days after it was entered. Extend the probation instead.'],
  ]);
});

test('while a review is open, and once one has decided, the end is its matter', async () => {
  const employee = await onProbation();
  await probation.review({ employee, status: 'pending' });
  for (const answer of [await extend(employee.id, 90), await correct(employee.id, 70)])
    expect(answer.body.errors.status).toEqual(['This employee has an open probation review. Its outcome will decide.']);
});

test('a person who is not on probation has no end to change', async () => {
  const { id } = await make.employee({ entity_id: entity.id, employment_lifecycle: 'confirmed' });
  for (const answer of [await extend(id, 90), await correct(id, 70)])
    expect(answer.body.errors.status).toEqual(['This employee is not on probation.']);
});

test('of two who extend at the same moment, one succeeds', async () => {
  const { id } = await onProbation();
  const answers = await Promise.all([extend(id, 90), extend(id, 120)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
});

test('people elsewhere are not found, the own probation is not changed, and a correction needs the company', async () => {
  const person = await onProbation({ roles: [inCompany] });
  expect((await extend(person.id, 90, stranger)).status).toBe(404);
  const own = await as(person.user_id);
  expect((await extend(person.id, 90, own)).status).toBe(403);
  expect((await correct(person.id, 70, own)).status).toBe(403);
  const { rows: roles } = await owner.query<{ id: string }>(
    `insert into roles (name, scope) values ('Edits the team', 'managed') returning id`,
  );
  await owner.query(
    `insert into role_permissions (role_id, permission) values ($1, 'employees.view'), ($1, 'employees.update')`,
    [roles[0]?.id],
  );
  const lead = await make.employee({
    entity_id: entity.id,
    roles: [{ role: 'Edits the team', entity_ids: [entity.id] }],
  });
  const report = await onProbation({ reporting_manager_id: lead.id });
  const manager = await as(lead.user_id);
  expect((await manager.get(at(report.id))).body.data.allowed_actions).not.toContain('correct-probation');
  expect((await correct(report.id, 70, manager)).status).toBe(403);
  expect((await extend(report.id, 90, manager)).status).toBe(200);
});
