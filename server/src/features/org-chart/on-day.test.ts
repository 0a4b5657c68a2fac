import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

/** The chart as of a day: Chief above Lead above Ann, then Ann under Chief in another department, Lead gone. */

const { as, make, deps } = await startApp();
const acme = await make.entity({ name: 'Acme' });
const [board, buying, closed] = [
  await make.department({ entity_id: acme.id, name: 'Board' }),
  await make.department({ entity_id: acme.id, name: 'Buying' }),
  await make.department({ entity_id: acme.id, name: 'Closed' }),
];
const south = await make.entity({ name: 'South' });
const depot = await make.department({ entity_id: south.id, name: 'Depot' });
const hr = await as((await make.employee({ department_id: board.id, roles: ['HR'] })).user_id);
const day = (offset: number) => Temporal.Now.plainDateISO('UTC').add({ days: offset }).toString();

async function send(path: string, body: object) {
  const answer = await hr.post(`/api/employees${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data as { id: number; user: { id: number } };
}
const add = (last_name: string, department: { id: number }, manager?: { id: number }) =>
  send('', {
    first_name: last_name,
    last_name,
    email: `${last_name.toLowerCase()}@acme.example`,
    entity_id: acme.id,
    department_id: department.id,
    joining_date: '2018-01-01',
    employment_lifecycle: 'confirmed',
    job_title: 'Clerk',
    ...(manager && { reporting_manager_id: manager.id }),
  });
const chief = await add('Chief', board);
const lead = await add('Lead', buying, chief);
const ann = await add('Ann', closed, lead);
await send(`/${ann.id}/job-history`, {
  effective_from: day(-30),
  department_id: buying.id,
  reporting_manager_id: chief.id,
  job_title: 'Buyer',
});
await send(`/${lead.id}/separate`, { type: 'resigned', last_working_date: day(-10), reason: 'Moved to another city' });
await send(`/${ann.id}/job-history`, {
  effective_from: day(30),
  entity_id: south.id,
  department_id: depot.id,
  reporting_manager_id: null,
});
await deps.db.updateTable('departments').set({ status: 'inactive' }).where('id', '=', closed.id).execute();

type Node = {
  id: number;
  name: string;
  job_title: string | null;
  people_count: number | null;
  children_count: number;
  children: Node[];
};
type Drawn = string | [string, ...Drawn[]];
const drawn = (nodes: Node[]): Drawn[] =>
  nodes.map(({ name, children, children_count, people_count }) => {
    const label = `${name.split(' ')[0]} ${people_count ?? children_count}`;
    return children.length > 0 ? [label, ...drawn(children)] : label;
  });
async function chart(date: string, query = '', client = hr) {
  const answer = await client.get(`/api/org-chart?as_of=${date}&depth=3${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as { nodes: Node[]; people: Node[] | null; path: number[] | null };
}
const drawing = async (date: string, query = '', client = hr) => drawn((await chart(date, query, client)).nodes);

test('the chart by manager has the lines of the day, past and planned', async () => {
  expect(await drawing('2017-12-31')).toEqual([]);
  expect(await drawing(day(-31))).toEqual([['Chief 1', ['Lead 1', 'Ann 0']]]);
  expect(await drawing(day(-30))).toEqual([['Chief 2', 'Ann 0', 'Lead 0']]);
  expect(await drawing(day(-9))).toEqual([['Chief 1', 'Ann 0']]);
  expect(await drawing(day(30))).toEqual(['Ann 0', 'Chief 0']);
  expect((await chart(day(-31))).nodes[0]?.children[0]?.children[0]).toMatchObject({ id: ann.id, job_title: 'Clerk' });
});

test('people below a person, one company and the way to a person are those of the day', async () => {
  expect(await drawing(day(-31), `&root_id=${chief.id}`)).toEqual([['Lead 1', 'Ann 0']]);
  expect(await drawing(day(-9), `&root_id=${lead.id}`)).toEqual([]);
  expect(await drawing(day(30), `&entity_id=${south.id}`)).toEqual(['Ann 0']);
  expect(await drawing(day(29), `&entity_id=${south.id}`)).toEqual([]);
  expect((await chart(day(-31), `&person_id=${ann.id}`)).path).toEqual([chief.id, lead.id]);
  expect((await chart(day(-9), `&person_id=${lead.id}`)).path).toBeNull();
});

test('the chart by department has the people of the day, also in departments that are inactive now', async () => {
  expect(await drawing(day(-31), '&by=department')).toEqual(['Board 1', 'Buying 1', 'Closed 1', 'Depot 0']);
  expect(await drawing(day(-9), '&by=department')).toEqual(['Board 1', 'Buying 1', 'Depot 0']);
  expect(await drawing(day(30), '&by=department')).toEqual(['Board 1', 'Buying 0', 'Depot 1']);
  const opened = await chart(day(-30), `&by=department&root_id=${buying.id}`);
  expect(opened.people?.map(({ name, job_title }) => [name.split(' ')[0], job_title])).toEqual([
    ['Ann', 'Buyer'],
    ['Lead', 'Clerk'],
  ]);
});

test('readers see the people of the list as of that day', async () => {
  const reader = async (entity: { id: number }) =>
    as((await make.employee({ roles: [{ role: 'HR', entity_ids: [entity.id] }] })).user_id);
  expect(await drawing(day(-31), '', await reader(south))).toEqual([]);
  expect(await drawing(day(-31), '', await reader(acme))).toEqual([['Chief 1', ['Lead 1', 'Ann 0']]]);
  expect(await drawing(day(-31), '', await as(ann.user.id))).toEqual(['Ann 0']);
});

test('a day that is none is refused', async () => {
  const answer = await hr.get('/api/org-chart?as_of=2026-02-30');
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['as_of']]);
});
