import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Answer } from '../../testing/client.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { applyDueJobChanges } from '../job-history/apply.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const { rowOf, personOf, notificationsOf, historyOf, signaturesOf } = reviewTesting(app);

const acme = await make.entity({ name: 'Acme Foods Ltd' });
const beta = await make.entity({ name: 'Beta Stores' });
const buying = await make.department({ entity_id: acme.id, name: 'Buying' });
const stores = await make.department({ entity_id: beta.id, name: 'Stores' });
const hrOf = (entity_id: number) => make.employee({ roles: [{ role: 'HR', entity_ids: [entity_id] }] });
const [acmeHr, betaHr] = [await hrOf(acme.id), await hrOf(beta.id)];
const [former, present] = [await as(acmeHr.user_id), await as(betaHr.user_id)];
const groupHr = await make.employee({ roles: ['HR'] });
const hr = await as(groupHr.user_id);
const managerOf = (entity_ids: number[] | null, department_id: number) =>
  make.employee({ department_id, roles: [entity_ids === null ? 'Manager' : { role: 'Manager', entity_ids }] });
const omar = await managerOf(null, buying.id);

const ok = ({ status, body }: Answer) => {
  expect([200, 201, 202, 204], JSON.stringify(body)).toContain(status);
  return body?.data;
};
const path = (id: number, step = '') => `/api/probation-reviews/${id}${step}`;
const signature = { method: 'typed', typed_name: 'H. R.' };
const end = { outcome: 'terminate', hr_comments: 'Not what we hoped for', signature };
type Fields = NonNullable<Parameters<typeof probation.review>[0]>;
const inBuying = async (fields: Fields = {}, person: Parameters<typeof probation.person>[0] = {}) => {
  const employee = await probation.person({ department_id: buying.id, ...person });
  return { employee, review: await probation.review({ reviewer: omar, status: 'submitted', ...fields, employee }) };
};
const toBeta = { entity_id: beta.id, department_id: stores.id };
const moveTo = async (employee: MadeEmployee, fields: object = toBeta) =>
  ok(await hr.put(`/api/employees/${employee.id}`, fields));
const waitingFor = async (client: typeof hr, id: number) =>
  (
    (await client.get('/api/actionable-items?per_page=100')).body.data as {
      kind: string;
      subject: { type: string; id: number };
    }[]
  )
    .filter(({ subject }) => subject.type === 'probation_review' && subject.id === id)
    .map(({ kind }) => kind);

async function importRow(employee: MadeEmployee) {
  const number = ok(await hr.get(`/api/employees/${employee.id}`)).employee_number;
  const content = `employee_number,first_name,last_name,email,entity,department\n${number},A,B,${employee.email},Beta Stores,Stores\n`;
  const fields = { on_conflict: 'update', create_departments: '1' };
  const { id, status } = ok(await hr.upload('/api/employees/import', { name: `${number}.csv`, content }, fields));
  expect(status).toBe('completed');
  return id as number;
}

const routes: [string, (employee: MadeEmployee) => Promise<unknown>][] = [
  ['the form', moveTo],
  [
    'a change of many',
    async ({ id }) => {
      const { revision } = ok(await hr.get(`/api/employees/${id}`));
      const body = { kind: 'move', ids: [id], revisions: [{ id, revision }], department_id: stores.id };
      ok(await hr.post('/api/employees/bulk', { ...body, reason: 'Moved to the new site' }));
    },
  ],
  ['an import', importRow],
  [
    'a job change on its day',
    async ({ id }) => {
      ok(await hr.post(`/api/employees/${id}/job-history`, { effective_from: dayFromNow(2), ...toBeta }));
      const now = Temporal.Now.instant().add({ hours: 24 * 3 });
      expect(await applyDueJobChanges({ deps, now })).toMatchObject({ applied: 1 });
    },
  ],
  [
    'a job change from today',
    async ({ id }) =>
      ok(await hr.post(`/api/employees/${id}/job-history`, { effective_from: dayFromNow(0), ...toBeta })),
  ],
  [
    'a department that moves',
    async ({ id }) => {
      const own = await make.department({ entity_id: acme.id });
      ok(await hr.put(`/api/employees/${id}`, { department_id: own.id }));
      ok(await hr.put(`/api/departments/${own.id}`, { entity_id: beta.id, move_employees: true }));
    },
  ],
];

test.each(routes)('moved by %s, a review is decided where the person is', async (_route, move) => {
  const { employee, review } = await inBuying();
  await move(employee);
  expect((await former.get(`/api/employees/${employee.id}`)).status).toBe(404);
  for (const answer of [await former.get(path(review.id)), await former.post(path(review.id, '/approve'), end)])
    expect(answer.status).toBe(404);
  expect(await personOf(employee.id)).toMatchObject({ employment_lifecycle: 'probationary' });
  expect([await waitingFor(former, review.id), await waitingFor(present, review.id)]).toEqual([
    [],
    ['probation_review_approval'],
  ]);
  expect(await notificationsOf(review.id)).toContainEqual(['probation_review_submitted', 'plain', betaHr.user_id]);
  expect(await notificationsOf(review.id)).not.toContainEqual(['probation_review_submitted', 'plain', acmeHr.user_id]);
  expect(ok(await present.get(path(review.id)))).toMatchObject({
    entity: { id: beta.id },
    status: 'submitted',
    reviewer: { id: omar.id },
  });
  ok(await present.post(path(review.id, '/approve'), { signature, outcome: 'confirm' }));
});

test('an import that is undone brings the review back with the person', async () => {
  const { employee, review } = await inBuying();
  const id = await importRow(employee);
  expect((await present.get(path(review.id))).status).toBe(200);
  ok(await hr.post(`/api/employees/imports/${id}/undo`));
  expect([(await present.get(path(review.id))).status, (await former.get(path(review.id))).status]).toEqual([404, 200]);
});

test('what is decided or cancelled stays where it was', async () => {
  for (const status of ['approved', 'cancelled', 'reverted'] as const) {
    const { employee, review } = await inBuying({ status });
    await moveTo(employee);
    expect(await rowOf(review.id)).toMatchObject({ entity_id: String(acme.id), department_id: String(buying.id) });
  }
});

test('a form that is open stays good, and a draft with its signature too', async () => {
  const { employee, review } = await inBuying({ status: 'pending', comments: 'Learns fast', signed: ['manager'] });
  await moveTo(employee);
  expect(await rowOf(review.id)).toMatchObject({ comments: 'Learns fast', revision: 1 });
  expect(await signaturesOf(review.id)).toEqual([['manager', 1, true]]);
  const reviewer = await as(omar.user_id);
  ok(await reviewer.put(path(review.id), { comments: 'Learns very fast', revision: 1 }));
});

test('a reviewer whose rights end at the former company is followed by who reviews in the new one', async () => {
  const [nina, emil] = [await managerOf([acme.id], buying.id), await managerOf([beta.id], stores.id)];
  const draft = await inBuying({ status: 'pending', reviewer: nina, comments: 'Not yet', signed: ['manager'] });
  const sent = await inBuying({ reviewer: nina });
  for (const { employee } of [draft, sent]) await moveTo(employee, { ...toBeta, reporting_manager_id: emil.id });
  expect(await rowOf(draft.review.id)).toMatchObject({ reviewer_id: String(emil.id), comments: null });
  expect(await rowOf(sent.review.id)).toMatchObject({ reviewer_id: String(emil.id), status: 'submitted' });
  expect([await signaturesOf(draft.review.id), await signaturesOf(sent.review.id)]).toEqual([
    [['manager', 1, false]],
    [['manager', 1, true]],
  ]);
  expect(await notificationsOf(draft.review.id)).toEqual(
    expect.arrayContaining([
      ['probation_reviewer_changed', 'former', nina.user_id],
      ['probation_reviewer_changed', 'plain', emil.user_id],
    ]),
  );
  expect((await historyOf(draft.review.id)).at(-1)?.slice(0, 3)).toEqual(['reviewer', 'pending', 'pending']);
  expect((await (await as(nina.user_id)).get(path(draft.review.id))).status).toBe(404);
});

test('where no person can review, HR of the new company is asked to name a reviewer', async () => {
  const nina = await managerOf([acme.id], buying.id);
  const { employee, review } = await inBuying({ status: 'pending', reviewer: nina });
  await moveTo(employee);
  const row = await rowOf(review.id);
  expect([row['reviewer_id'], row['reviewer_missing_since'] === null]).toEqual([null, false]);
  expect([await waitingFor(former, review.id), await waitingFor(present, review.id)]).toEqual([
    [],
    ['probation_missing_reviewer'],
  ]);
  expect(await notificationsOf(review.id)).toContainEqual(['probation_review_created', 'unassigned', betaHr.user_id]);
});

test('notifications of the former company are shown there no longer', async () => {
  const { employee, review } = await inBuying({ status: 'pending', signed: ['manager'] });
  const write = (user: number) =>
    owner.query(
      `insert into notifications (user_id, event, severity, subject_type, subject_id, url, dedupe_key)
       values ($1, 'probation_review_submitted', 'action', 'probation_review', $2, $3, $4)`,
      [user, review.id, `/probation/${review.id}`, `test:${review.id}`],
    );
  for (const { user_id } of [acmeHr, groupHr, omar]) await write(user_id);
  const shown = async (user: number) => {
    const listed = ok(await (await as(user)).get('/api/notifications?per_page=100')) as { data: { url: string } }[];
    return listed.some(({ data }) => data.url === `/probation/${review.id}`);
  };
  expect(await shown(acmeHr.user_id)).toBe(true);
  await moveTo(employee);
  expect(await Promise.all([acmeHr, groupHr, omar].map(({ user_id }) => shown(user_id)))).toEqual([false, true, true]);
});
