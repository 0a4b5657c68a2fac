import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { sorted } from '../../testing/evaluations.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);

const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, manager_id: head.id });
const selling = await make.department({ entity_id: beta.id });
const reviewer = await make.employee({
  entity_id: beta.id,
  roles: ['TeamLead'],
  first_name: 'Omar',
  last_name: 'Diaz',
});
const hrPerson = await make.employee({ roles: ['HR'] });
const hr = await as(hrPerson.user_id);

const of = (first_name: string, department_id: number, probation_end_date: string) =>
  probation.person({ first_name, last_name: 'Ångström', department_id, probation_end_date });
const ada = await of('Ada', buying.id, dayFromNow(10));
const bo = await of('Bo', buying.id, dayFromNow(20));
const cy = await of('Cy', selling.id, dayFromNow(30));
const dee = await of('Dee', selling.id, dayFromNow(-5));

const ids = {
  ada: (await probation.review({ employee: ada, reviewer, due_date: dayFromNow(3) })).id,
  bo: (await probation.review({ employee: bo, reviewer: head, status: 'submitted', due_date: dayFromNow(13) })).id,
  cy: (await probation.review({ employee: cy, due_date: dayFromNow(23) })).id,
  dee: (
    await probation.review({
      employee: dee,
      reviewer,
      status: 'approved',
      due_date: dayFromNow(-12),
      recommendation: 'extend',
      extension_months: 1,
      outcome: 'terminate',
      decided_at: `${dayFromNow(-4)}T23:30:00.000Z`,
    })
  ).id,
};
type Name = keyof typeof ids;
const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name])) as Record<number, Name>;
const asked = async (client: typeof hr, query: string) => {
  const { body } = await client.get(`/api/probation-reviews?${query}`);
  expect(body.meta.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: number }) => names[id]) as Name[];
};

describe('HR finds', () => {
  test.each<[string, Name[]]>([
    ['', ['ada', 'bo', 'cy', 'dee']],
    ['status=pending', ['ada', 'cy']],
    ['status=pending,submitted', ['ada', 'bo', 'cy']],
    [`entity_id=${acme.id}`, ['ada', 'bo']],
    [`entity_id=${acme.id}&status=submitted`, ['bo']],
    [`entity_id=${acme.id},${beta.id}&status=approved`, ['dee']],
    [`department_id=${selling.id}`, ['cy', 'dee']],
    [`employee_id=${bo.id}`, ['bo']],
    [`reviewer_id=${reviewer.id}`, ['ada', 'dee']],
    ['reviewer_id=0', ['cy']],
    [`reviewer_id=0,${head.id}`, ['bo', 'cy']],
    ['recommendation=confirm', ['bo']],
    ['recommendation=confirm,extend', ['bo', 'dee']],
    ['outcome=terminate', ['dee']],
    ['outcome=confirm', []],
    [`due_before=${dayFromNow(13)}`, ['ada', 'dee']],
    [`due_before=${dayFromNow(14)}`, ['ada', 'bo', 'dee']],
    [`decided_from=${dayFromNow(-4)}&decided_to=${dayFromNow(-4)}`, ['dee']],
    [`decided_from=${dayFromNow(-3)}`, []],
    [`decided_to=${dayFromNow(-5)}`, []],
    ['to_do=1', []],
    ['to_do=0', ['ada', 'bo', 'cy', 'dee']],
    ['search=cy', ['cy']],
    ['search=ANGSTROM%20ada', ['ada']],
    [`search=${dee.employee_number}`, ['dee']],
    ['search=nobody', []],
    // this list is not searched by email
    [`search=${encodeURIComponent(dee.email)}`, []],
    ['entity_id=987654', []],
  ])('by %s the right ones', async (query, expected) => {
    expect(sorted(await asked(hr, query))).toEqual(expected);
  });
});

test.each([
  ['sort_by=due_date', ['dee', 'ada', 'bo', 'cy']],
  ['', ['dee', 'ada', 'bo', 'cy']],
  ['sort_by=probation_end_date&sort_direction=desc', ['cy', 'bo', 'ada', 'dee']],
  ['sort_by=employee_name', ['ada', 'bo', 'cy', 'dee']],
  ['sort_by=employee_name&sort_direction=DESC&search=angstrom', ['dee', 'cy', 'bo', 'ada']],
  ['sort_by=status', ['dee', 'ada', 'cy', 'bo']],
  ['sort_by=created_at&sort_direction=desc', ['dee', 'cy', 'bo', 'ada']],
  ['sort_by=updated_at', ['ada', 'bo', 'cy', 'dee']],
])('%s puts them in order', async (query, expected) => {
  expect(await asked(hr, query)).toEqual(expected);
});

test.each([
  ['status=late', 'status'],
  ['entity_id=acme', 'entity_id'],
  ['due_before=2026-02-30', 'due_before'],
  ['to_do=perhaps', 'to_do'],
  ['sort_by=recommendation', 'sort_by'],
  ['outcome=maybe', 'outcome'],
])('%s is a 422 on its field', async (query, field) => {
  const answer = await hr.get(`/api/probation-reviews?${query}`);
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
});

test('pages follow each other without overlap and tell the total of all', async () => {
  const pages = await Promise.all([1, 2, 3].map((page) => hr.get(`/api/probation-reviews?per_page=2&page=${page}`)));
  expect(pages.map(({ body }) => body.data.map(({ id }: { id: number }) => names[id]))).toEqual([
    ['dee', 'ada'],
    ['bo', 'cy'],
    [],
  ]);
  expect(pages.map(({ body }) => body.meta.total)).toEqual([4, 4, 4]);
});

test('each reader finds what is in scope, by place, by team, by task and as the person', async () => {
  const limited = await make.employee({ roles: [{ role: 'HR', entity_ids: [beta.id] }] });
  const find = async ({ user_id }: { user_id: number }, query = '') => sorted(await asked(await as(user_id), query));
  expect(await find(limited)).toEqual(['cy', 'dee']);
  expect(await find(head)).toEqual(['ada', 'bo']);
  expect(await find(reviewer)).toEqual(['ada', 'dee']);
  expect(await find(reviewer, 'to_do=1')).toEqual(['ada']);
  // users must not find a review by what a team member wrote and HR has not decided
  expect(await find(head, 'recommendation=confirm')).toEqual(['bo']);
  expect(await find(ada)).toEqual([]);
  expect(await find(dee)).toEqual(['dee']);
  // in their own company, and as reviewer in another one: both are counted
  const both = await make.employee({ entity_id: beta.id, roles: [{ role: 'HR', entity_ids: [beta.id] }] });
  await owner.query('update probation_reviews set reviewer_id = $1 where id = $2', [both.id, ids.bo]);
  expect(await find(both)).toEqual(['bo', 'cy', 'dee']);
  await owner.query('update probation_reviews set reviewer_id = $1 where id = $2', [head.id, ids.bo]);
});

test('the list leaves as a file: its filters, its order, no formulas, and who took it', async () => {
  await owner.query(`update employees set first_name = '=1+1' where id = $1`, [cy.id]);
  const answer = await hr.get('/api/probation-reviews/export?sort_by=due_date&status=pending,approved');
  expect(answer.headers['content-disposition']).toMatch(/filename="probation-reviews-\d{8}-\d{4}\.csv"/);
  const rows = parse(answer.bytes, { columns: true, bom: true }) as Record<string, string>[];
  expect(
    rows.map(({ employee_name, days_left, status, recommendation, outcome, reviewer: by }) => [
      employee_name,
      days_left,
      status,
      recommendation,
      outcome,
      by,
    ]),
  ).toEqual([
    ['Dee Ångström', '', 'approved', 'extend', 'terminate', 'Omar Diaz'],
    ['Ada Ångström', '10', 'pending', '', '', 'Omar Diaz'],
    ["'=1+1 Ångström", '30', 'pending', '', '', ''],
  ]);
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'employee_number',
    'employee_name',
    'department',
    'reviewer',
    'probation_end_date',
    'days_left',
    'status',
    'recommendation',
    'outcome',
    'extension_count',
    'acknowledged_on',
    'acknowledgement_recorded_by',
  ]);
  const { rows: audited } = await owner.query(
    "select subject_label, changes -> 'rows' ->> 'to' as rows from audit_log where action = 'export.created'",
  );
  expect(audited).toEqual([{ subject_label: 'probation-reviews', rows: '3' }]);
  const words = await hr.get(
    '/api/probation-reviews/export?status=approved&columns=status,recommendation,outcome,days_left&headings=words',
    { 'accept-language': 'de' },
  );
  expect(parse(words.bytes, { bom: true })).toEqual([
    ['Verbleibende Tage', 'Status', 'Empfehlung', 'Entscheidung'],
    ['', 'Entschieden', 'Probezeit verlängern', 'Arbeitsverhältnis beenden'],
  ]);
  const xlsx = await hr.get('/api/probation-reviews/export?format=xlsx&columns=employee_number,status');
  expect([xlsx.status, xlsx.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  expect((await hr.get('/api/probation-reviews/export?columns=comments')).status).toBe(422);
  expect((await (await as(head.user_id)).get('/api/probation-reviews/export')).status).toBe(403);
});
