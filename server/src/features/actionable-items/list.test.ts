import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

const { as, make, deps, owner } = await startApp();
const kpi = kpiMaker({ deps, make });
const template = await kpi.template();
const [spring, autumn] = [
  await kpi.cycle({
    end_date: dayFromNow(0),
    name: 'Spring',
    self_assessment_closes_on: dayFromNow(1),
    manager_review_closes_on: dayFromNow(30),
  }),
  await kpi.cycle({
    end_date: dayFromNow(0),
    name: 'Autumn',
    self_assessment_closes_on: dayFromNow(20),
    manager_review_closes_on: dayFromNow(30),
  }),
];
const omar = await make.employee({ first_name: 'Omar', last_name: 'Díaz', roles: ['Manager'] });
const hana = await make.employee({ first_name: 'Hana', last_name: 'Ito', roles: ['HR'] });
const asOmar = await as(omar.user_id);
const asHana = await as(hana.user_id);

type Client = Awaited<ReturnType<typeof as>>;
type Item = { id: string; kind: string; title: string; priority: string; due_date: string; created_at: string };
const page = async (client: Client, query = '') => {
  const { status, body } = await client.get(`/api/actionable-items${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { data: Item[]; meta: { total: number; to: number } };
};
const ids = async (client: Client, query = '') => (await page(client, query)).data.map(({ id }) => id);
const people: MadeEmployee[] = [];
for (const name of ['Ann', 'Ben', 'Zoë'])
  people.push(await make.employee({ first_name: name, last_name: 'Reed', reporting_manager_id: omar.id }));
const [ann, ben, zoe] = people as [MadeEmployee, MadeEmployee, MadeEmployee];

const evaluate = async (employee: MadeEmployee, fields: Parameters<typeof kpi.evaluation>[0] = {}) =>
  (await kpi.evaluation({ template, cycle_id: spring.id, employee, reviewer: omar, ...fields })).id;

beforeEach(() => owner.query('delete from kpi_evaluations'));

describe('the list', () => {
  test('is sorted by overdue, then day, then age of the task', async () => {
    const review = (employee: MadeEmployee, due: number, since: number) =>
      evaluate(employee, {
        status: 'manager_review',
        stage_open_until: dayFromNow(due),
        status_changed_at: `${dayFromNow(since)}T12:00:00Z`,
      });
    const normal = await review(ann, 10, -1);
    const [soon, soonToo] = [await review(ben, 3, -2), await review(zoe, 3, -4)];
    const late = await evaluate(ann, {
      cycle_id: autumn.id,
      status: 'manager_review',
      stage_open_until: dayFromNow(-1),
    });
    const own = await evaluate(omar, { stage_open_until: dayFromNow(0), reviewer: hana });
    const { data } = await page(asOmar);
    expect(data.map(({ id, priority }) => [id, priority])).toEqual([
      [`kpi_manager_review:${late}`, 'overdue'],
      [`kpi_self_assessment:${own}`, 'due_soon'],
      [`kpi_manager_review:${soonToo}`, 'due_soon'],
      [`kpi_manager_review:${soon}`, 'due_soon'],
      [`kpi_manager_review:${normal}`, 'normal'],
    ]);
    expect((await ids(asOmar, '?sort_direction=desc'))[0]).toBe(`kpi_manager_review:${normal}`);
    expect(await ids(asOmar, '?sort_by=due_date&sort_direction=DESC')).toEqual(
      [normal, soon, soonToo]
        .map((id) => `kpi_manager_review:${id}`)
        .concat(`kpi_self_assessment:${own}`, `kpi_manager_review:${late}`),
    );
    expect((await page(asOmar, '?sort_by=kind')).data.map(({ kind }) => kind).at(-1)).toBe('kpi_self_assessment');
    const times = (await page(asOmar, '?sort_by=created_at')).data.map(({ created_at }) => created_at);
    expect(times).toEqual(times.toSorted());
  });

  test('is narrowed by kind, priority and day', async () => {
    const soon = `kpi_self_assessment:${await evaluate(omar, { reviewer: hana })}`;
    const later = `kpi_self_assessment:${await evaluate(omar, { cycle_id: autumn.id, reviewer: hana })}`;
    const review = `kpi_manager_review:${await evaluate(ann, { status: 'manager_review' })}`;
    expect(await ids(asOmar)).toEqual([soon, later, review]);
    expect(await ids(asOmar, '?kind=kpi_manager_review,kpi_hr_review')).toEqual([review]);
    expect(await ids(asOmar, '?priority=overdue,due_soon')).toEqual([soon]);
    expect(await ids(asOmar, '?priority=normal')).toEqual([later, review]);
    expect(await ids(asOmar, `?due_before=${dayFromNow(20)}`)).toEqual([soon]);
    expect(await ids(asOmar, `?due_before=${dayFromNow(21)}`)).toEqual([soon, later]);
    const wrong = await asOmar.get('/api/actionable-items?kind=other&priority=high&due_before=soon&sort_by=title');
    expect(Object.keys(wrong.body.errors).toSorted()).toEqual(['due_before', 'kind', 'priority', 'sort_by']);
  });

  test("is searched by title in the reader's language, and by name without case and accents", async () => {
    const review = `kpi_manager_review:${await evaluate(zoe, { status: 'manager_review' })}`;
    const own = `kpi_self_assessment:${await evaluate(omar, { cycle_id: autumn.id, reviewer: hana })}`;
    expect(await ids(asOmar, '?search=ZOE%20spring')).toEqual([review]);
    expect(await ids(asOmar, '?search=autumn')).toEqual([own]);
    expect(await ids(asOmar, '?search=diaz')).toEqual([own]);
    expect(await ids(asOmar, '?search=review')).toEqual([review]);
    expect(await ids(asOmar, '?search=beurteilen')).toEqual([]);
    const german = await asOmar.get('/api/actionable-items?search=beurteilen', { 'accept-language': 'de' });
    expect(german.body.data).toMatchObject([{ id: review, title: 'Zoë Reed für Spring beurteilen' }]);
    expect(german.body.meta.total).toBe(1);
  });

  test('and the counts agree on every page', async () => {
    const all: string[] = [];
    for (let n = 0; n < 23; n += 1)
      all.push(`kpi_hr_review:${await evaluate(await make.employee(), { status: 'hr_review' })}`);
    const pages = [1, 2, 3, 4].map((number) => ids(asHana, `?per_page=8&page=${number}`));
    const found = await Promise.all(pages);
    expect(found.map(({ length }) => length)).toEqual([8, 8, 7, 0]);
    expect(found.flat().toSorted()).toEqual(all.toSorted());
    expect((await page(asHana, '?per_page=100')).meta).toMatchObject({ total: 23, to: 23 });
    const counts = (await asHana.get('/api/actionable-items/counts')).body.data;
    expect(counts).toEqual({ total: 23, overdue: 0, by_kind: { kpi_hr_review: 23 } });
    expect((await asHana.get('/api/actionable-items?per_page=101')).status).toBe(422);
  });

  test('uses as many statements for a hundred items as for one', async () => {
    for (let n = 0; n < 12; n += 1) await evaluate(await make.employee(), { status: 'hr_review' });
    const acquired = { count: 0 };
    deps.pool.on('acquire', () => (acquired.count += 1));
    const cost = async (query: string) => {
      acquired.count = 0;
      await page(asHana, query);
      return acquired.count;
    };
    await cost('');
    expect([await cost('?per_page=1'), await cost('?per_page=100')]).toEqual([4, 4]);
  });
});
