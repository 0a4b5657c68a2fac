import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Visibility of HR tasks. */

const { as, make, deps, owner } = await startApp();
const kpi = kpiMaker({ deps, make });
const template = await kpi.template();
const cycle = await kpi.cycle({ end_date: dayFromNow(0) });
const [north, south] = [await make.entity(), await make.entity()];
const [inNorth, inSouth] = [
  await make.department({ entity_id: north.id }),
  await make.department({ entity_id: south.id }),
];
const admin = await make.admin();
const { rows: roleRows } = await owner.query<{ id: number }>(
  "insert into roles (name, scope, is_system) values ('Local HR', 'managed', false) returning id::int",
);
const localRole = roleRows[0]?.id;
await owner.query(
  `insert into role_permissions (role_id, permission)
   select $1, unnest(array['kpi-evaluation.view', 'kpi-evaluation.hr-review'])`,
  [localRole],
);

type Who = { user_id: number };
type Roles = NonNullable<Parameters<typeof make.employee>[0]>['roles'];
const member = (department: { id: number }, roles: Roles = ['Employee']) =>
  make.employee({ department_id: department.id, ...(roles && { roles }) });
const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b);
const hrOf = (entity: { id: number }) => [{ role: 'HR', entity_ids: [entity.id] }];
const waiting = async (employee: MadeEmployee) =>
  (await kpi.evaluation({ template, cycle_id: cycle.id, employee, status: 'hr_review' })).id;

/** The evaluations with a task for a user, by list and by count. */
async function sees({ user_id }: Who, kind = 'kpi_hr_review'): Promise<number[]> {
  const client = await as(user_id);
  const { data, meta } = (await client.get(`/api/actionable-items?kind=${kind}&per_page=100&sort_by=kind`)).body;
  const counts = (await client.get('/api/actionable-items/counts')).body.data;
  expect([meta.total, counts.by_kind[kind] ?? 0]).toEqual([data.length, data.length]);
  return (data as { subject: { id: number } }[]).map(({ subject }) => subject.id);
}
const retire = () =>
  owner.query(
    `update employees e set activity_status = 'inactive' from role_assignments a join roles r on r.id = a.role_id
     where a.user_id = e.user_id and r.name in ('HR', 'Local HR', 'Admin')`,
  );

const [ann, ben] = [await member(inNorth), await member(inSouth)];
let ids = { ann: 0, ben: 0 };
beforeEach(async () => {
  await retire();
  await owner.query('delete from kpi_evaluations');
  ids = { ann: await waiting(ann), ben: await waiting(ben) };
});

describe('an HR task', () => {
  test('is visible to all permission holders for the company, and gone for all after one acts', async () => {
    const [all, local] = [await member(inSouth, ['HR']), await member(inSouth, hrOf(north))];
    expect([await sees(all), await sees(local)]).toEqual([[ids.ann, ids.ben], [ids.ann]]);
    for (const who of [admin, ann, ben]) expect(await sees(who)).toEqual([]);
    const body = { hr_comment: 'Consistent with peers.', performance_flag: 'standard' };
    const answer = await (await as(local.user_id)).post(`/api/kpi-evaluations/${ids.ann}/hr-review`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect([await sees(all), await sees(local)]).toEqual([[ids.ben], []]);
  });

  test('is never visible to its subject', async () => {
    const [first, second] = [await member(inNorth, ['HR']), await member(inNorth, hrOf(north))];
    const [ofFirst, ofSecond] = [await waiting(first), await waiting(second)];
    expect(await sees(first)).toEqual([ids.ann, ids.ben, ofSecond]);
    expect(await sees(second)).toEqual([ids.ann, ofFirst]);
    expect(await sees(admin)).toEqual([]);
  });

  test('is visible to administrators where there is no HR', async () => {
    expect(await sees(admin)).toEqual([ids.ann, ids.ben]);
    const local = await member(inNorth, hrOf(north));
    expect(await sees(admin)).toEqual([ids.ben]);
    const own = await waiting(local);
    expect(await sees(admin)).toEqual([ids.ben, own]);
    const everywhere = await member(inSouth, ['HR']);
    expect(await sees(admin)).toEqual([]);
    const ofBoth = await waiting(everywhere);
    expect(await sees(admin)).toEqual([ofBoth]);
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [everywhere.id]);
    expect(await sees(admin)).toEqual([ids.ben, own, ofBoth]);
  });

  test('is listed once for an administrator who is HR of a company too, and not about oneself', async () => {
    const both = await member(inNorth, ['Admin', ...hrOf(north)]);
    const own = await waiting(both);
    expect(await sees(both)).toEqual([ids.ann, ids.ben]);
    expect(await sees(admin)).toEqual([ids.ben, own]);
    await member(inSouth, ['HR']);
    expect(await sees(both)).toEqual([ids.ann]);
    expect(await sees(admin)).toEqual([]);
  });

  test('of managed people is visible to their manager, if a managing role has the permission', async () => {
    const manager = await member(inNorth);
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [manager.user_id, localRole]);
    expect(await sees(manager)).toEqual([]);
    expect(await sees(admin)).toEqual([ids.ann, ids.ben]);
    await deps.db.updateTable('employees').set({ reporting_manager_id: manager.id }).where('id', '=', ben.id).execute();
    expect([await sees(manager), await sees(admin)]).toEqual([[ids.ben], [ids.ann]]);
    await deps.db.updateTable('employees').set({ reporting_manager_id: null }).where('id', '=', ben.id).execute();
    await deps.db.updateTable('departments').set({ manager_id: manager.id }).where('id', '=', inNorth.id).execute();
    const own = await waiting(manager);
    expect([await sees(manager), await sees(admin)]).toEqual([[ids.ann], [ids.ben, own]]);
    await deps.db.updateTable('departments').set({ manager_id: null }).where('id', '=', inNorth.id).execute();
  });

  test('stays with its original company when the person moves', async () => {
    const [inTheNorth, inTheSouth] = [await member(inNorth, hrOf(north)), await member(inSouth, hrOf(south))];
    const moving = await member(inNorth);
    const moved = await waiting(moving);
    await owner.query('update employees set entity_id = $1, department_id = $2 where id = $3', [
      south.id,
      inSouth.id,
      moving.id,
    ]);
    expect([await sees(inTheNorth), await sees(inTheSouth)]).toEqual([[ids.ann, moved], [ids.ben]]);
    expect(await sees(admin)).toEqual([]);
  });
});

describe('a dispute', () => {
  /** A person in the north disputes a result; returns the evaluation and which of these accounts were notified. */
  async function disputed(reviewer: MadeEmployee, handedInBy: Who) {
    const employee = await member(inNorth);
    const { id } = await kpi.evaluation({
      template,
      cycle_id: cycle.id,
      employee,
      reviewer,
      manager_submitted_by: handedInBy.user_id,
      status: 'pending_acceptance',
    });
    const answer = await (
      await as(employee.user_id)
    ).post(`/api/kpi-evaluations/${id}/dispute`, { reason: 'Item 1 was not seen in full.' });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const { rows } = await owner.query<{ user_id: number }>(
      `select user_id::int from notifications where event = 'kpi_evaluation_disputed' and subject_id = $1 order by 1`,
      [id],
    );
    return { id, notified: rows.map(({ user_id }) => user_id) };
  }
  const seenBy = async (...people: Who[]) => {
    const found: number[][] = [];
    for (const who of people) found.push(await sees(who, 'kpi_dispute'));
    return found;
  };

  test('is a task of HR that neither reviewed nor submitted the review, and of administrators without such HR', async () => {
    const manager = await member(inNorth, ['Manager']);
    const local = await member(inNorth, hrOf(north));
    const plain = await disputed(manager, manager);
    const own = await disputed(local, local);
    const onBehalf = await disputed(manager, local);
    expect(await seenBy(local, admin)).toEqual([[plain.id], [own.id, onBehalf.id]]);
    expect(plain.notified).toEqual([manager.user_id, local.user_id]);
    expect(own.notified).toEqual(sorted([admin.user_id, local.user_id]));
    expect(onBehalf.notified).toEqual(sorted([admin.user_id, manager.user_id]));
    const settle = { result: 'maintained', resolution: 'We looked at it again.' };
    const asAdmin = await as(admin.user_id);
    expect((await asAdmin.post(`/api/kpi-evaluations/${own.id}/resolve-dispute`, settle)).status).toBe(200);

    const second = await member(inNorth, hrOf(north));
    const byBoth = await disputed(second, local);
    expect(await seenBy(local, second, admin)).toEqual([[plain.id], [plain.id, onBehalf.id], [byBoth.id]]);
    expect(byBoth.notified).toEqual(sorted([admin.user_id, second.user_id]));
  });

  test('about people reviewed by a manager with the permission is a task of administrators', async () => {
    const manager = await member(inNorth);
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [manager.user_id, localRole]);
    await deps.db.updateTable('departments').set({ manager_id: manager.id }).where('id', '=', inNorth.id).execute();
    const [own, other] = [await disputed(manager, manager), await disputed(await member(inNorth), admin)];
    expect(await seenBy(manager, admin)).toEqual([[other.id], [own.id]]);
    await deps.db.updateTable('departments').set({ manager_id: null }).where('id', '=', inNorth.id).execute();
  });
});
