import { evaluationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, deps } = app;
const kpi = kpiMaker(app);

const acme = await make.entity({ name: 'Acme' });
const globex = await make.entity({ name: 'Globex' });
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'], first_name: 'Hugo', last_name: 'Head' });
const buying = await make.department({ entity_id: acme.id, name: 'Buying', manager_id: head.id });
const assembly = await make.department({ entity_id: acme.id, name: 'Assembly' });
const sales = await make.department({ entity_id: globex.id, name: 'Sales' });
const boss = await make.employee({
  department_id: assembly.id,
  roles: ['TeamLead'],
  first_name: 'Bo',
  last_name: 'Boss',
});
const ada = await make.employee({ department_id: buying.id, first_name: 'Ada', last_name: 'Ahrens' });
const jose = await make.employee({ department_id: assembly.id, first_name: 'José', last_name: 'Müller' });
const zoe = await make.employee({ department_id: sales.id, first_name: 'Zoe', last_name: 'Zimmer' });
const hrPerson = await make.employee({ department_id: sales.id, roles: ['HR'], first_name: 'Hana', last_name: 'Ito' });
const acmeHr = await make.employee({
  department_id: sales.id,
  roles: [{ role: 'HR', entity_ids: [acme.id] }],
  first_name: 'Ari',
  last_name: 'Acker',
});
const [hr, ofAcme, manager, reviewer, own] = (await Promise.all(
  [hrPerson, acmeHr, head, boss, ada].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client, Client];

const [spring, summer] = [await kpi.cycle({ name: 'Spring 2026' }), await kpi.cycle({ name: 'Summer 2026' })];
const template = await kpi.template();
const scored = (figure: number) => ({ overall_score: figure / 20, overall_percentage: figure });
const rows = {
  ada: await kpi.evaluation({
    employee: ada,
    reviewer: head,
    template,
    cycle_id: spring.id,
    status: 'completed',
    ...scored(95),
    performance_flag: 'hipo',
  }),
  jose: await kpi.evaluation({
    employee: jose,
    reviewer: boss,
    template,
    cycle_id: spring.id,
    status: 'manager_review',
  }),
  zoe: await kpi.evaluation({
    employee: zoe,
    reviewer: boss,
    template,
    cycle_id: spring.id,
    status: 'hr_review',
    ...scored(40),
    performance_flag: 'pip',
  }),
  hana: await kpi.evaluation({
    employee: hrPerson,
    template,
    cycle_id: spring.id,
    status: 'hr_review',
    ...scored(70),
    performance_flag: 'pip',
  }),
  ari: await kpi.evaluation({
    employee: acmeHr,
    reviewer: boss,
    template,
    cycle_id: spring.id,
    status: 'pending_acceptance',
    ...scored(60),
    performance_flag: 'standard',
  }),
  later: await kpi.evaluation({ employee: ada, reviewer: boss, template, cycle_id: summer.id }),
};
type Name = keyof typeof rows;
const nameOf = new Map(Object.entries(rows).map(([name, { id }]) => [id, name as Name]));

/** The people on the page, in order. */
async function names(client: Client, query = ''): Promise<Name[]> {
  const { status, body } = await client.get(`/api/kpi-evaluations?per_page=100&${query}`);
  expect([status, body.meta?.total]).toEqual([200, body.data?.length]);
  return body.data.map(({ id }: { id: number }) => nameOf.get(id));
}
const anyOrder = (found: Name[]) => found.toSorted();

test('each reader has the evaluations in scope, the own ones and those to review', async () => {
  expect(anyOrder(await names(hr))).toEqual(['ada', 'ari', 'hana', 'jose', 'later', 'zoe']);
  expect(anyOrder(await names(ofAcme))).toEqual(['ada', 'ari', 'jose', 'later']);
  expect(anyOrder(await names(manager))).toEqual(['ada', 'later']);
  expect(anyOrder(await names(reviewer))).toEqual(['ari', 'jose', 'later', 'zoe']);
  expect(anyOrder(await names(own))).toEqual(['ada', 'later']);
  expect(await names(await as((await make.employee()).user_id))).toEqual([]);
});

test.each<[string, Name[]]>([
  [`cycle_id=${summer.id}`, ['later']],
  [`cycle_id=${spring.id},${summer.id}`, ['ada', 'ari', 'hana', 'jose', 'later', 'zoe']],
  [`department_id=${buying.id}`, ['ada', 'later']],
  [`entity_id=${globex.id}`, ['ari', 'hana', 'zoe']],
  [`entity_id=${globex.id}&status=hr_review`, ['hana', 'zoe']],
  ['status=completed,manager_review', ['ada', 'jose']],
  [`reviewer_id=${boss.id}`, ['ari', 'jose', 'later', 'zoe']],
  ['reviewer_id=0', ['hana']],
  [`reviewer_id=0,${head.id}`, ['ada', 'hana']],
  [`employee_id=${ada.id}`, ['ada', 'later']],
  ['mine=1', ['hana']],
  ['mine=0', ['ada', 'ari', 'jose', 'later', 'zoe']],
  ['to_review=1', []],
  ['performance_flag=hipo', ['ada']],
  ['performance_flag=standard,hipo', ['ada', 'ari']],
  ['band=A', ['ada']],
  ['band=B,C,D', []],
  ['band=A&status=hr_review', []],
  ['search=ahrens', ['ada', 'later']],
  ['search=muller', ['jose']],
  ['search=ahrens%20summer', ['later']],
  ['search=summer', ['later']],
  ['search=2026', ['ada', 'ari', 'hana', 'jose', 'later', 'zoe']],
  ['search=spring%20summer', []],
  [`search=${zoe.employee_number}`, ['zoe']],
  [`search=${encodeURIComponent(zoe.email)}`, ['zoe']],
  ["search=%27%3A%2A%20%26%20'", []],
  ['cycle_id=999999', []],
])('%s finds just those', async (query, expected) => {
  expect(anyOrder(await names(hr, query))).toEqual(expected);
});

test('what is to review are the reviews of the caller that wait', async () => {
  expect(await names(reviewer, 'to_review=1')).toEqual(['jose']);
  expect(anyOrder(await names(reviewer, 'to_review=0'))).toEqual(['ari', 'later', 'zoe']);
  expect(await names(manager, 'to_review=1')).toEqual([]);
});

test('overdue is what is due before today where the company is', async () => {
  const [ahead, behind] = [
    await make.entity({ timezone: 'Pacific/Kiritimati' }),
    await make.entity({ timezone: 'Etc/GMT+12' }),
  ];
  const cycle = await kpi.cycle({ self_assessment_closes_on: dayFromNow(5) });
  const due = async (entityId: number, days: number) => {
    const { rows: today } = await sql<{ day: string }>`
      select ((now() at time zone timezone)::date + ${days}::int) as day from entities where id = ${entityId}`.execute(
      deps.db,
    );
    const employee = await make.employee({ entity_id: entityId });
    const made = await kpi.evaluation({
      employee,
      template,
      cycle_id: cycle.id,
      stage_open_until: today[0]?.day as string,
    });
    return made.id;
  };
  const late = [await due(ahead.id, -1), await due(behind.id, -1), await due(ahead.id, -9)];
  const onTime = [await due(ahead.id, 0), await due(behind.id, 0), await due(behind.id, 1)];
  const ids = async (query: string) =>
    (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&${query}&sort_by=created_at`)).body.data.map(
      ({ id }: { id: number }) => id,
    );
  expect([await ids('overdue=1'), await ids('overdue=0')]).toEqual([late, onTime]);
  // rows are checked by the same day as the query
  const { data } = (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&sort_by=created_at`)).body;
  const isLate = ({ due_on, today }: { due_on: string; today: string }) => due_on < today;
  expect(data.filter(isLate).map(({ id }: { id: number }) => id)).toEqual(late);
  expect((await hr.get(`/api/kpi-evaluations/${onTime[0]}`)).body.data).toMatchObject({ today: data[3].due_on });
});

test.each<[string, Name[]]>([
  ['sort_by=employee_name', ['ada', 'ari', 'hana', 'jose', 'zoe']],
  ['sort_by=employee_name&sort_direction=DESC', ['zoe', 'jose', 'hana', 'ari', 'ada']],
  ['sort_by=department_name', ['jose', 'ada', 'zoe', 'hana', 'ari']],
  ['sort_by=department_name&sort_direction=desc', ['ari', 'hana', 'zoe', 'ada', 'jose']],
  ['sort_by=status', ['ada', 'zoe', 'hana', 'jose', 'ari']],
  ['sort_by=created_at', ['ada', 'jose', 'zoe', 'hana', 'ari']],
  ['sort_by=created_at&sort_direction=desc', ['ari', 'hana', 'zoe', 'jose', 'ada']],
  // HR does not see their own figure, so it sorts with the missing ones
  ['sort_by=overall_percentage', ['zoe', 'ari', 'ada', 'jose', 'hana']],
  ['sort_by=overall_percentage&sort_direction=desc', ['ada', 'ari', 'zoe', 'hana', 'jose']],
  ['sort_by=overall_score', ['zoe', 'ari', 'ada', 'jose', 'hana']],
  ['sort_by=due_on&sort_direction=desc', ['hana', 'zoe', 'jose', 'ari', 'ada']],
])('%s puts them in order, what has no value last', async (query, expected) => {
  const all = `cycle_id=${spring.id}&${query}`;
  expect(await names(hr, all)).toEqual(expected);
  // for users with few evaluations, collected instead of read from an index
  const few = `cycle_id=${spring.id}&employee_id=${[ada, jose, zoe, hrPerson, acmeHr].map(({ id }) => id).join()}&${query}`;
  expect(await names(hr, few)).toEqual(expected);
});

test('the last that changed stand first unless something else is asked for', async () => {
  await deps.db.updateTable('kpi_evaluations').set({ job_title: 'Buyer' }).where('id', '=', rows.jose.id).execute();
  expect((await names(hr))[0]).toBe('jose');
  expect((await names(hr, 'sort_direction=asc')).at(-1)).toBe('jose');
});

test('a hidden flag or figure is found by no filter and no order', async () => {
  // the reviewer sees the submitted figures and no HR flags; the person sees neither
  expect(await names(reviewer, 'performance_flag=pip,hipo,standard')).toEqual(['ari']);
  expect(await names(reviewer, 'sort_by=overall_percentage&sort_direction=desc')).toEqual([
    'ari',
    'zoe',
    'later',
    'jose',
  ]);
  const zoes = await as(zoe.user_id);
  expect(await names(zoes, 'performance_flag=pip')).toEqual([]);
  expect(await names(hr, 'performance_flag=pip')).toEqual(['zoe']);
  expect(await names(hr, 'mine=1&performance_flag=pip')).toEqual([]);
  expect(await names(hr, 'mine=1&band=A,B,C,D')).toEqual([]);
});

test('a page beyond the end is empty, pages do not overlap, and the total is that of the scope', async () => {
  const found: number[] = [];
  for (const page of [1, 2, 3, 4]) {
    const { data, meta } = (await ofAcme.get(`/api/kpi-evaluations?per_page=2&page=${page}&sort_by=status`)).body;
    expect([meta.total, meta.last_page]).toEqual([4, 2]);
    found.push(...data.map(({ id }: { id: number }) => id));
  }
  expect(new Set(found).size).toBe(4);
});

test.each([
  'status=open',
  'band=E',
  'performance_flag=best',
  'mine=maybe',
  'sort_by=hr_comment',
  'cycle_id=x',
  'per_page=101',
])('%s is refused', async (query) => {
  expect((await hr.get(`/api/kpi-evaluations?${query}`)).status).toBe(422);
});

test('filters to choose from are those of the evaluations in scope; a cycle narrows them', async () => {
  const options = async (client: Client, query = '') =>
    (await client.get(`/api/kpi-evaluations/filter-options?${query}`)).body.data;
  const of = ({ cycles, departments, reviewers, statuses }: Record<string, { name: string }[]>) =>
    [cycles, departments, reviewers].map((list) => list?.map(({ name }) => name)).concat([statuses as never]);
  const narrow = `cycle_id=${summer.id}`;
  const both = ['Summer 2026', 'Spring 2026'];
  expect(of(await options(own))).toEqual([
    both,
    ['Buying'],
    ['Bo Boss', 'Hugo Head'],
    ['self_assessment', 'completed'],
  ]);
  expect(of(await options(own, narrow))).toEqual([both, ['Buying'], ['Bo Boss'], ['self_assessment']]);
  expect(of(await options(ofAcme))).toEqual([
    both,
    ['Assembly', 'Buying', 'Sales'],
    ['Bo Boss', 'Hugo Head'],
    ['self_assessment', 'manager_review', 'pending_acceptance', 'completed'],
  ]);
  expect(of(await options(ofAcme, narrow))).toEqual([both, ['Buying'], ['Bo Boss'], ['self_assessment']]);
  const all = await options(hr);
  expect(all.statuses).toEqual(evaluationStatuses.filter((status) => all.statuses.includes(status)));
  expect(all.cycles.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(both));
  expect(of(await options(hr, narrow))).toEqual([
    all.cycles.map(({ name }: { name: string }) => name),
    ['Buying'],
    ['Bo Boss'],
    ['self_assessment'],
  ]);
});

test('who was moved stays in the lists of the department of then and of the managers of now', async () => {
  const mover = await make.employee({ department_id: buying.id });
  const { id } = await kpi.evaluation({ employee: mover, template });
  const newBoss = await make.employee({ roles: ['Manager'] });
  await deps.db
    .updateTable('employees')
    .set({ entity_id: globex.id, department_id: sales.id, reporting_manager_id: newBoss.id })
    .where('id', '=', mover.id)
    .execute();
  for (const client of [manager, await as(newBoss.user_id), ofAcme])
    expect((await client.get(`/api/kpi-evaluations?employee_id=${mover.id}`)).body.data).toMatchObject([{ id }]);
});
