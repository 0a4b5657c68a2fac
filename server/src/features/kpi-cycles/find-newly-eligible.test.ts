import { beforeEach, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { findNewlyEligible } from './find-newly-eligible.ts';

/** The daily job finds newly eligible people; the owner of the cycle, or HR, gets one notification and a task. */

const testApp = await startApp();
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const department = await make.department({ entity_id: here.id });
const far = await make.department({ entity_id: elsewhere.id });
const template = await kpi.template();
const hrIn = (entityId: number) =>
  make.employee({ entity_id: entityId, roles: [{ role: 'HR', entity_ids: [entityId] }] });
const [lead, hr, otherHr, wideHr, admin, plain] = [
  await hrIn(here.id),
  await hrIn(here.id),
  await hrIn(elsewhere.id),
  await make.employee({ entity_id: elsewhere.id, roles: ['HR'] }),
  await make.employee({ entity_id: here.id, roles: ['Admin'] }),
  await make.employee({ entity_id: here.id, roles: ['Manager'] }),
];
const reason = 'Starts with the next cycle.';

beforeEach(() =>
  owner.query(`
    delete from kpi_evaluations; delete from kpi_cycles; delete from notifications;
    update employees set activity_status = 'active', deleted_at = null`),
);

const cycleOf = (fields: object = {}) =>
  kpi.cycle({
    entity_id: here.id,
    owner_id: lead.id,
    departments: [
      { department_id: department.id, template_id: template.id, is_published: true },
      { department_id: far.id, template_id: template.id, is_published: true },
    ],
    ...fields,
  });
const newcomer = (department_id = department.id) => make.employee({ department_id });
const find = (day: string) => findNewlyEligible({ deps, now: Temporal.Instant.from(`${day}T05:00:00Z`) });
const noticesOf = async ({ user_id }: MadeEmployee) =>
  (await (await as(user_id)).get('/api/notifications?event=kpi_newly_eligible')).body.data as {
    title: string;
    data: { url: string };
  }[];
const tasksOf = async ({ user_id }: MadeEmployee) => {
  const client = await as(user_id);
  const { body } = await client.get('/api/actionable-items?kind=kpi_newly_eligible');
  const { body: counts } = await client.get('/api/actionable-items/counts');
  expect(counts.data.by_kind.kpi_newly_eligible ?? 0).toBe(body.meta.total);
  return body.data as Record<string, unknown>[];
};
const everyone = [lead, hr, otherHr, wideHr, admin, plain];
const withTask = async () => {
  const found = await Promise.all(everyone.map(async (one) => ((await tasksOf(one)).length > 0 ? [one.id] : [])));
  return found.flat();
};
const notified = async () => {
  const found = await Promise.all(everyone.map(async (one) => ((await noticesOf(one)).length > 0 ? [one.id] : [])));
  return found.flat();
};
/** Members who belong to the fixtures of every test. */
const settle = async () => {
  await owner.query(`update employees set activity_status = 'inactive' where department_id = any($1)`, [
    [department.id, far.id],
  ]);
};

test('the owner is notified once of new people and has a task until all are decided', async () => {
  await settle();
  const cycle = await cycleOf();
  expect(await find('2027-03-01')).toBe(0);
  const [one, two] = [await newcomer(), await newcomer()];
  expect(await find('2027-03-02')).toBe(2);
  expect(await find('2027-03-03')).toBe(0);
  expect(await noticesOf(lead)).toMatchObject([
    {
      title: `${cycle.name}: 2 people are newly eligible`,
      data: { url: `/kpi/cycles/${cycle.id}?tab=eligible` },
    },
  ]);
  expect([await notified(), await withTask()]).toEqual([[lead.id], [lead.id]]);
  expect(await tasksOf(lead)).toMatchObject([
    {
      id: `kpi_newly_eligible:${cycle.id}`,
      title: `Decide on newly eligible people (${cycle.name})`,
      url: `/kpi/cycles/${cycle.id}?tab=eligible`,
      due_date: '2027-03-09',
      created_at: '2027-03-02T05:00:00.000Z',
      allowed_actions: ['people', 'left-out'],
    },
  ]);
  const client = await as(lead.user_id);
  const url = `/api/kpi-cycles/${cycle.id}`;
  await client.post(`${url}/people`, { employee_ids: [one.id], allow_missing_reviewer: true });
  expect(await withTask()).toEqual([lead.id]);
  await client.post(`${url}/left-out`, { employee_ids: [two.id], reason });
  expect(await withTask()).toEqual([]);
  await find('2027-03-04');
  await client.delete(`${url}/left-out/${two.id}`);
  expect(await tasksOf(lead)).toMatchObject([{ due_date: '2027-03-09' }]);
  await newcomer();
  expect(await find('2027-03-05')).toBe(1);
  expect((await noticesOf(lead)).map(({ title }) => title)).toEqual([
    `${cycle.name}: 1 person is newly eligible`,
    `${cycle.name}: 2 people are newly eligible`,
  ]);
  const { body } = await client.post(`${url}/publish`, { allow_missing_reviewer: true });
  expect([body.result.created, await withTask()]).toEqual([2, []]);
});

test('without an owner who can publish, HR of the company decides; without HR, administrators', async () => {
  await settle();
  for (const fields of [{ owner_id: null }, { owner_id: plain.id }]) {
    await cycleOf(fields);
    await newcomer();
    await find('2027-03-02');
    const pool = [lead.id, hr.id, wideHr.id];
    expect([await notified(), await withTask()]).toEqual([pool, pool]);
    await owner.query('delete from kpi_cycles; delete from notifications');
    await settle();
  }
  await owner.query(`update employees set activity_status = 'inactive' where id = any($1)`, [
    [lead.id, hr.id, wideHr.id],
  ]);
  await cycleOf();
  await newcomer();
  await find('2027-03-02');
  expect(await noticesOf(admin)).toHaveLength(1);
  expect(await tasksOf(admin)).toHaveLength(1);
});

test('of a cycle of all companies, each decides about the people of their own', async () => {
  await settle();
  const cycle = await cycleOf({ entity_id: null });
  await newcomer();
  await newcomer(far.id);
  await newcomer(far.id);
  await find('2027-03-02');
  const pool = [lead.id, otherHr.id, wideHr.id];
  expect([await notified(), await withTask()]).toEqual([pool, pool]);
  const titleOf = async (one: MadeEmployee) => (await noticesOf(one))[0]?.title;
  expect(await titleOf(lead)).toBe(`${cycle.name}: 1 person is newly eligible`);
  expect(await titleOf(otherHr)).toBe(`${cycle.name}: 2 people are newly eligible`);
  expect(await tasksOf(otherHr)).toHaveLength(1);
});

test('a person who leaves the list is forgotten, and found anew', async () => {
  await settle();
  const cycle = await cycleOf();
  const person = await newcomer();
  expect(await find('2027-03-02')).toBe(1);
  await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [person.id]);
  expect(await withTask()).toEqual([]);
  await find('2027-03-03');
  await owner.query(`update employees set activity_status = 'active' where id = $1`, [person.id]);
  expect(await find('2027-03-04')).toBe(1);
  expect(await noticesOf(lead)).toHaveLength(2);
  await owner.query(`update kpi_cycles set status = 'closed', closed_at = now() where id = $1`, [cycle.id]);
  expect([await withTask(), await find('2027-03-05')]).toEqual([[], 0]);
});

test('nothing is found while a cycle is being published or in departments that are not', async () => {
  await settle();
  const cycle = await cycleOf({ publishing_total: 3, publishing_processed: 0 });
  await newcomer();
  expect(await find('2027-03-02')).toBe(0);
  await owner.query('update kpi_cycles set publishing_total = null, publishing_processed = null where id = $1', [
    cycle.id,
  ]);
  await owner.query('update kpi_cycle_departments set is_published = false where cycle_id = $1', [cycle.id]);
  expect(await find('2027-03-02')).toBe(0);
  expect(await notified()).toEqual([]);
});
