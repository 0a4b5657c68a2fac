import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { dayFromNow as day, kpiMaker } from '../../../testing/make-kpi.ts';
import { probationMaker } from '../../../testing/make-probation.ts';
import type { MadeEmployee } from '../../../testing/make.ts';

/** The tasks that a deputy does for an absent reviewer appear in the deputy's lists, totals and notifications. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const probation = probationMaker(app);

const [here, there] = [await make.entity(), await make.entity()];
const admin = await as((await make.admin()).user_id);
const hr = await as((await make.employee({ entity_id: here.id, roles: ['HR'] })).user_id);
const tasks = ['kpi_reviews', 'probation_reviews'];
// no scope beyond their own records, because lists are counted by company
await owner.query(`insert into roles (name, scope) values ('Stand-in', 'own')`);
await owner.query(
  `insert into role_permissions select r.id, p from roles r,
     unnest('{kpi-evaluation.view,kpi-evaluation.review,probation-review.view,probation-review.submit}'::text[]) as p
   where r.name = 'Stand-in'`,
);
const name = async (reviewer: MadeEmployee, deputy: MadeEmployee) => {
  const sent = { first_day: day(0), last_day: day(20), deputy_id: deputy.id, deputy_tasks: tasks };
  expect((await admin.post(`/api/employees/${reviewer.id}/absences`, sent)).status).toBe(201);
};

/** A reviewer in another company than the deputy, who is HR of their own company. */
async function pair() {
  const reviewer = await make.employee({ entity_id: there.id, roles: ['Manager'] });
  const deputy = await make.employee({ entity_id: here.id, roles: [{ role: 'HR', entity_ids: [here.id] }] });
  await owner.query(
    `insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Stand-in'`,
    [deputy.user_id],
  );
  return { reviewer, deputy };
}

const listed = async (person: MadeEmployee, path: string) => {
  const { data, meta } = (await (await as(person.user_id)).get(`/api/${path}`)).body;
  return { ids: data.map(({ id }: { id: number }) => id) as number[], total: meta.total as number };
};

/** An evaluation and a review in another company, whose reviewer is absent and has this deputy. */
async function covered() {
  const { reviewer, deputy } = await pair();
  const { id: cycle_id } = await kpi.cycle({ status: 'published' });
  const employee = await make.employee({ entity_id: there.id });
  const evaluation = await kpi.evaluation({ employee, reviewer, cycle_id, status: 'manager_review' });
  const review = await probation.review({ employee: await probation.person({ entity_id: there.id }), reviewer });
  await name(reviewer, deputy);
  return { reviewer, deputy, evaluation, review, cycle_id };
}

test('totals of a deputy in another company equal the lists', async () => {
  const { deputy, evaluation, review, cycle_id } = await covered();
  for (const [path, id] of [
    ['kpi-evaluations', evaluation.id],
    [`kpi-evaluations?cycle_id=${cycle_id}`, evaluation.id],
    ['probation-reviews', review.id],
    ['probation-reviews?status=pending', review.id],
  ] as const) {
    const { ids, total } = await listed(deputy, path);
    expect([path, ids.includes(id), total]).toEqual([path, true, ids.length]);
  }
});

test('what is to review is with the deputy, and not with the absent reviewer', async () => {
  const { reviewer, deputy, evaluation, review } = await covered();
  for (const [path, id] of [
    ['kpi-evaluations?to_review=1', evaluation.id],
    ['probation-reviews?to_do=1', review.id],
  ] as const) {
    expect([path, await listed(deputy, path)]).toEqual([path, { ids: [id], total: 1 }]);
    expect([path, await listed(reviewer, path)]).toEqual([path, { ids: [], total: 0 }]);
  }
});

const noticesOf = async ({ user_id }: MadeEmployee) =>
  (await owner.query(`select event from notifications where user_id = $1 and event like 'kpi_cycle_%'`, [user_id]))
    .rows;

test('a moved or opened window notifies the deputy, not the absent reviewer nor one who cannot review', async () => {
  const { reviewer, deputy } = await pair();
  const unable = await make.employee({ entity_id: there.id, roles: ['Manager'] });
  const { id: cycle_id } = await kpi.cycle({
    status: 'published',
    manager_review_opens_on: day(-3),
    manager_review_closes_on: day(5),
  });
  const employee = () => make.employee({ entity_id: there.id });
  await kpi.evaluation({ employee: await employee(), reviewer, cycle_id, status: 'manager_review' });
  const missing = await kpi.evaluation({
    employee: await employee(),
    reviewer: unable,
    cycle_id,
    status: 'manager_review',
  });
  await owner.query('update kpi_evaluations set reviewer_missing_since = now() where id = $1', [missing.id]);
  await name(reviewer, deputy);
  const moved = [{ event: 'kpi_cycle_window_changed' }];
  for (const [times, fields] of [
    [1, { manager_review_closes_on: day(9) }],
    [2, { manager_review_opens_on: day(2) }],
  ] as const) {
    expect((await hr.put(`/api/kpi-cycles/${cycle_id}`, fields)).status).toBe(200);
    expect(await noticesOf(deputy)).toEqual(Array.from({ length: times }, () => moved[0]));
    expect([await noticesOf(reviewer), await noticesOf(unable)]).toEqual([[], []]);
  }
});
