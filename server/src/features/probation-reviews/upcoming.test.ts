import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';

const app = await startApp();
const { as, make } = app;
const probation = probationMaker(app);

const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const [inNorth, inSouth] = [
  await make.department({ entity_id: north.id, name: 'Sales' }),
  await make.department({ entity_id: south.id }),
];
const manager = await make.employee({ department_id: inNorth.id, roles: ['Manager'] });
const hr = await make.employee({ department_id: inSouth.id, roles: ['HR'] });
const hrNorth = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }] });
const person = (end: string | null, fields: Parameters<typeof probation.person>[0] = {}) =>
  probation.person({
    department_id: inNorth.id,
    probation_start_date: '2020-01-01',
    probation_end_date: end,
    ...fields,
  });

const reviewed = await person(dayFromNow(10), { first_name: 'Amy', reporting_manager_id: manager.id });
const review = await probation.review({ employee: reviewed, reviewer: manager });
const ended = await person(dayFromNow(-5), { first_name: 'Ben', extension_count: 1 });
const endless = await person(null, { first_name: 'Cleo' });
const unassigned = await person(dayFromNow(20), { first_name: 'Dan', department_id: inSouth.id });
await probation.review({ employee: unassigned, reviewer_missing_since: '2026-01-01T00:00:00Z' });
const later = await person(dayFromNow(50), { first_name: 'Eve' });
const far = await person(dayFromNow(200), { first_name: 'Fay' });
const decided = await person(dayFromNow(-1), { first_name: 'Gus' });
await probation.review({ employee: decided, status: 'approved' });
await person(dayFromNow(5), { activity_status: 'inactive' });
await person(dayFromNow(5), { employment_lifecycle: 'confirmed' });

type Row = { employee: { id: number }; problems: string[]; allowed_actions: string[] };
const listFor = async ({ user_id }: { user_id: number }, query = '') => {
  const { status, body } = await (await as(user_id)).get(`/api/probation-reviews/upcoming${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { data: Row[]; meta: { total: number } };
};
const idsFor = async (who: { user_id: number }, query = '') => {
  const { data, meta } = await listFor(who, query);
  expect(meta.total).toBe(data.length);
  return data.map(({ employee }) => employee.id);
};

describe('people whose probation ends', () => {
  test('are listed with their review and with what is wrong, the next end first and those without one last', async () => {
    const { data } = await listFor(hr);
    expect(data.map(({ employee, problems }) => [employee.id, problems])).toEqual([
      [ended.id, ['no_review', 'overdue']],
      [decided.id, []],
      [reviewed.id, []],
      [unassigned.id, ['no_reviewer']],
      [later.id, []],
      [endless.id, ['no_end_date']],
    ]);
    expect(data[2]).toMatchObject({
      entity: { id: north.id, name: 'North' },
      department: { id: inNorth.id, name: 'Sales' },
      probation_end_date: dayFromNow(10),
      days_left: 10,
      extension_count: 0,
      review: { id: review.id, status: 'pending' },
      reviewer: { id: manager.id },
    });
    expect(data[0]).toMatchObject({ days_left: -5, extension_count: 1, review: null, reviewer: null });
  });

  test('are those in scope, never oneself', async () => {
    expect(await idsFor(manager)).toEqual([reviewed.id]);
    expect(await idsFor(hrNorth)).toEqual([ended.id, decided.id, reviewed.id, later.id, endless.id]);
    expect(await idsFor(reviewed)).toEqual([]);
    const ofHr = await person(dayFromNow(2), { roles: ['HR'] });
    expect(await idsFor(ofHr)).not.toContain(ofHr.id);
    expect(await idsFor(hr)).toContain(ofHr.id);
    await app.owner.query(`update employees set employment_lifecycle = 'confirmed' where id = $1`, [ofHr.id]);
  });

  test('say whose end the reader may set', async () => {
    await app.owner.query(`with r as (insert into roles (name, scope) values ('Auditor', 'all') returning id)
      insert into role_permissions (role_id, permission) select id, 'probation-review.view' from r`);
    const auditor = { role: 'Auditor', entity_ids: [north.id, south.id] };
    const looks = await make.employee({ roles: [auditor, { role: 'HR', entity_ids: [south.id] }] });
    const { data } = await listFor(looks, '?problem=no_end_date,no_reviewer');
    expect(data.map(({ employee, allowed_actions }) => [employee.id, allowed_actions])).toEqual([
      [unassigned.id, ['extend']],
      [endless.id, []],
    ]);
  });

  test('are narrowed by days, place, problem and name, and sorted', async () => {
    expect(await idsFor(hr, '?days=15')).toEqual([ended.id, decided.id, reviewed.id, endless.id]);
    expect(await idsFor(hr, '?days=365')).toContain(far.id);
    expect(await idsFor(hr, `?entity_id=${south.id}`)).toEqual([unassigned.id]);
    expect(await idsFor(hr, `?department_id=${inSouth.id}`)).toEqual([unassigned.id]);
    expect(await idsFor(hr, '?problem=overdue')).toEqual([ended.id]);
    expect(await idsFor(hr, '?problem=no_reviewer,no_end_date')).toEqual([unassigned.id, endless.id]);
    expect(await idsFor(hr, '?problem=no_review')).toEqual([ended.id]);
    expect(await idsFor(hr, '?search=cle')).toEqual([endless.id]);
    expect(await idsFor(hr, `?search=${encodeURIComponent(endless.email)}`)).toEqual([]);
    const byName = [reviewed, ended, endless, unassigned, later, decided].map(({ id }) => id);
    expect(await idsFor(hr, '?sort_by=employee_name')).toEqual(byName);
    expect(await idsFor(hr, '?sort_by=employee_name&sort_direction=desc')).toEqual(byName.toReversed());
    expect((await idsFor(hr, '?sort_by=days_left&sort_direction=desc'))[0]).toBe(later.id);
    for (const query of ['days=0', 'days=366', 'days[]=15', 'days=1e2', 'days=0x10', 'problem=none', 'sort_by=review'])
      expect((await (await as(hr.user_id)).get(`/api/probation-reviews/upcoming?${query}`)).status).toBe(422);
  });

  test('come page by page', async () => {
    const pages = await Promise.all([1, 2, 3].map((page) => listFor(hr, `?per_page=2&page=${page}`)));
    expect(pages.map(({ meta }) => meta.total)).toEqual([6, 6, 6]);
    expect(pages.flatMap(({ data }) => data.map(({ employee }) => employee.id))).toEqual(await idsFor(hr));
  });

  test('an open review comes along when the person moves to another company', async () => {
    const moved = await person(dayFromNow(3), { department_id: inSouth.id });
    const { id } = await probation.review({ employee: moved, reviewer: manager });
    await app.owner.query('update employees set entity_id = $1, department_id = $2 where id = $3', [
      north.id,
      inNorth.id,
      moved.id,
    ]);
    const { data } = await listFor(hrNorth, '?days=4');
    expect(data.find(({ employee }) => employee.id === moved.id)).toMatchObject({
      review: { id },
      reviewer: { id: manager.id },
    });
  });
});
