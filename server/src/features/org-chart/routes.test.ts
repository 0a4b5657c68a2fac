import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { randomToken } from '../../crypto/crypto.ts';
import { pruneCandidates } from '../../jobs/housekeeping.ts';
import { startApp } from '../../testing/app.ts';

const { as, make, deps } = await startApp();
const north = await make.entity({ name: 'North' });
const south = await make.entity({ name: 'South' });
const [board, buying] = [
  await make.department({ entity_id: north.id, name: 'Board' }),
  await make.department({ entity_id: north.id, name: 'Buying' }),
];
const team = await make.department({ entity_id: north.id, name: 'Team', parent_id: buying.id });
const selling = await make.department({ entity_id: south.id, name: 'Selling' });
await make.department({ entity_id: south.id, name: 'Closed', status: 'inactive' });

type Fields = Parameters<typeof make.employee>[0];
const person = (name: string, department: { id: number }, manager?: { id: number }, fields: Fields = {}) =>
  make.employee({
    first_name: name,
    last_name: name,
    department_id: department.id,
    ...(manager && { reporting_manager_id: manager.id }),
    ...fields,
  });

const chief = await person('Chief', board, undefined, { job_title: 'Director', picture_key: 'p/chief' });
const buyer = await person('Buyer', buying, chief, { roles: ['Manager'], picture_key: 'p/buyer' });
const seller = await person('Seller', selling, chief, { roles: ['Manager'] });
const lead = await person('Lead', team, buyer, { roles: ['TeamLead'] });
const ann = await person('Ann', team, lead);
const ben = await person('Ben', team, lead);
const left = await person('Left', team, lead, { activity_status: 'inactive' });
await person('Orphan', team, left);
const rep = await person('Rep', selling, seller);
const alone = await person('Alone', selling);
await person('Gone', selling, seller, { deleted_at: '2026-01-01' });
const hr = await person('Hana', board, chief, { roles: ['HR'] });
const limited = await person('Nora', selling, seller, { roles: [{ role: 'HR', entity_ids: [north.id] }] });
await deps.db.updateTable('departments').set({ manager_id: buyer.id }).where('id', '=', buying.id).execute();
await deps.db.updateTable('departments').set({ team_lead_id: lead.id }).where('id', '=', team.id).execute();

type Node = { id: number; name: string; parent_id: number | null; children_count: number; children: Node[] };
const client = await as(hr.user_id);
const chart = async (query = '', who = client) => {
  const answer = await who.get(`/api/org-chart${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as { nodes: Node[]; has_more: boolean; people: Node[] | null };
};
/** `Chief(4): [...]`: first names, the number of people below, and the people shown. */
type Drawn = string | [string, ...Drawn[]];
const short = (name: string) => name.split(' ')[0] ?? name;
const drawn = (nodes: Node[]): Drawn[] =>
  nodes.map(({ name, children, children_count }) => {
    const label = `${short(name)} ${children_count}`;
    return children.length > 0 ? [label, ...drawn(children)] : label;
  });
const drawing = async (query = '', who = client) => drawn((await chart(query, who)).nodes);

test('the chart opens at the top with two levels, managers first', async () => {
  expect(await drawing()).toEqual([['Chief 3', 'Buyer 1', 'Hana 0', 'Seller 2'], 'Alone 0', 'Orphan 0']);
  expect(await chart()).toMatchObject({ by: 'manager', root_id: null, has_more: false, people: null });
});

test('a node has the person and their position', async () => {
  const { nodes } = await chart();
  expect(nodes[0]).toMatchObject({
    id: chief.id,
    type: 'employee',
    name: 'Chief Chief',
    job_title: 'Director',
    department: { id: board.id, name: 'Board' },
    entity: null,
    profile_picture_url: `/api/employees/${chief.id}/profile-picture`,
    parent_id: null,
    children_count: 3,
    people_count: null,
  });
  expect(nodes[0]?.children[0]).toMatchObject({ id: buyer.id, parent_id: chief.id });
});

test('the depth is one to three levels, and people below a person are loaded by its id', async () => {
  expect(await drawing('?depth=1')).toEqual(['Chief 3', 'Alone 0', 'Orphan 0']);
  expect((await drawing('?depth=3'))[0]).toEqual([
    'Chief 3',
    ['Buyer 1', 'Lead 2'],
    'Hana 0',
    ['Seller 2', 'Nora 0', 'Rep 0'],
  ]);
  expect(await drawing(`?root_id=${buyer.id}`)).toEqual([['Lead 2', 'Ann 0', 'Ben 0']]);
  expect((await chart(`?root_id=${lead.id}&depth=1`)).nodes).toMatchObject([
    { id: ann.id, parent_id: lead.id },
    { id: ben.id, parent_id: lead.id },
  ]);
  expect(await drawing(`?root_id=${ann.id}`)).toEqual([]);
});

test('inactive and deleted people are not in the chart, and their reports are at the top', async () => {
  expect(await drawing(`?root_id=${left.id}`)).toEqual([]);
  expect(JSON.stringify(await chart('?depth=3'))).not.toMatch(/Left|Gone/);
  await deps.db.updateTable('employees').set({ activity_status: 'active' }).where('id', '=', left.id).execute();
  expect(await drawing(`?root_id=${left.id}`)).toEqual(['Orphan 0']);
  expect(await drawing('?depth=1')).toEqual(['Chief 3', 'Alone 0']);
  await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', left.id).execute();
  const top = ['Chief 3', 'Alone 0', 'Orphan 0'];
  expect(await drawing('?depth=1')).toEqual(top);
  await pruneCandidates({ deps, now: Temporal.Now.instant() });
  expect(await drawing('?depth=1')).toEqual(top);
  const newcomer = await person('Zoe', team, left);
  expect(await drawing('?depth=1')).toEqual([...top, 'Zoe 0']);
  await deps.db.deleteFrom('employees').where('id', '=', newcomer.id).execute();
});

test('a company is shown alone, also with a manager elsewhere', async () => {
  expect(await drawing(`?entity_id=${south.id}`)).toEqual([['Seller 2', 'Nora 0', 'Rep 0'], 'Alone 0']);
  expect(await drawing(`?entity_id=${north.id}&depth=1`)).toEqual(['Chief 2', 'Orphan 0']);
  expect(await drawing(`?entity_id=${south.id}&root_id=${chief.id}`)).toEqual([]);
  expect(await drawing('?entity_id=999999')).toEqual([]);
});

test('HR of one company sees that company and the own managers', async () => {
  const narrow = await as(limited.user_id);
  expect(await drawing('?depth=3', narrow)).toEqual([
    ['Chief 3', ['Buyer 1', 'Lead 2'], 'Hana 0', ['Seller 1', 'Nora 0']],
    'Orphan 0',
  ]);
  expect(JSON.stringify(await chart('?depth=3', narrow))).not.toMatch(/Rep|Alone/);
  expect(await drawing(`?root_id=${rep.id}`, narrow)).toEqual([]);
});

test('a manager sees managed people and the own managers, without their pictures', async () => {
  const manager = await as(buyer.user_id);
  const { nodes } = await chart('?depth=3', manager);
  expect(drawn(nodes)).toEqual([['Chief 1', ['Buyer 1', 'Lead 2']], 'Orphan 0']);
  expect(nodes[0]).toMatchObject({ job_title: 'Director', profile_picture_url: null });
  expect(nodes[0]?.children[0]).toMatchObject({
    profile_picture_url: `/api/employees/${buyer.id}/profile-picture`,
  });
  expect(await drawing(`?root_id=${chief.id}&depth=1`, manager)).toEqual(['Buyer 1']);
  expect(await drawing(`?root_id=${seller.id}`, manager)).toEqual([]);
});

test('an employee sees the own managers up to the top only', async () => {
  const self = await as(ann.user_id);
  expect(await drawing('?depth=3', self)).toEqual([['Chief 1', ['Buyer 1', 'Lead 1']]]);
  expect(await drawing(`?root_id=${lead.id}`, self)).toEqual(['Ann 0']);
  expect(await drawing(`?root_id=${left.id}`, self)).toEqual([]);
  expect(await drawing('', await as(alone.user_id))).toEqual(['Alone 0']);
});

test('by department the chart shows departments with headcounts, company by company', async () => {
  const { nodes, people } = await chart('?by=department');
  expect(drawn(nodes)).toEqual(['Board 0', ['Buying 1', 'Team 0'], 'Selling 0']);
  expect(people).toBeNull();
  expect(nodes[1]).toMatchObject({
    id: buying.id,
    type: 'department',
    entity: { id: north.id, name: 'North' },
    department: null,
    people_count: 1,
    children: [{ id: team.id, parent_id: buying.id, people_count: 4 }],
  });
  expect(await drawing(`?by=department&entity_id=${south.id}`)).toEqual(['Selling 0']);
});

test('an opened department shows its people, its head first', async () => {
  const opened = await chart(`?by=department&root_id=${team.id}`);
  expect(opened.nodes).toEqual([]);
  expect(opened.people?.map(({ name }) => short(name))).toEqual(['Lead', 'Ann', 'Ben', 'Orphan']);
  expect(opened.people?.[0]).toMatchObject({ type: 'employee', parent_id: team.id, children_count: 0, children: [] });
  expect(await drawing(`?by=department&root_id=${buying.id}`)).toEqual(['Team 0']);
});

test.each([
  ['HR', hr],
  ['HR of one company', limited],
  ['a manager', buyer],
  ['an employee', ann],
])('for %s the headcount of a department is the number of its people in the chart', async (_who, { user_id }) => {
  const reader = await as(user_id);
  const { nodes } = await chart('?by=department&depth=3', reader);
  const all = (list: Node[]): Node[] => list.flatMap((node) => [node, ...all(node.children)]);
  const counted = all(nodes) as (Node & { people_count: number })[];
  expect(counted.length).toBeGreaterThan(1);
  for (const { id, people_count } of counted)
    expect((await chart(`?by=department&root_id=${id}`, reader)).people).toHaveLength(people_count);
});

test('by department a reader sees the own scope only', async () => {
  const narrow = await as(limited.user_id);
  expect(await drawing('?by=department', narrow)).toEqual(['Board 0', ['Buying 1', 'Team 0'], 'Selling 0']);
  const own = await chart(`?by=department&root_id=${selling.id}`, narrow);
  expect(own.people?.map(({ name }) => short(name))).toEqual(['Nora', 'Seller']);
  const self = await as(ann.user_id);
  expect(await drawing('?by=department&depth=3', self)).toEqual(['Board 0', ['Buying 1', 'Team 0']]);
  const opened = await chart(`?by=department&root_id=${team.id}`, self);
  expect(opened.people?.map(({ name }) => short(name))).toEqual(['Lead', 'Ann']);
  expect((await chart(`?by=department&root_id=${selling.id}`, self)).people).toEqual([]);
});

test('for a person it returns the path to open from the top, by manager and by department', async () => {
  const path = async (query: string, who = client) =>
    ((await chart(`?${query}`, who)) as unknown as { path: number[] | null }).path;
  expect(await path(`person_id=${ann.id}`)).toEqual([chief.id, buyer.id, lead.id]);
  expect(await path(`person_id=${chief.id}`)).toEqual([]);
  expect(await path(`by=department&person_id=${ann.id}`)).toEqual([buying.id, team.id]);
  expect(await path('depth=1')).toBeNull();
});

test("a path ends at the caller's chart, and a person outside of it has none", async () => {
  const path = async (personId: number, who = client, query = '') =>
    ((await chart(`?person_id=${personId}${query}`, who)) as unknown as { path: number[] | null }).path;
  for (const { id } of [left, { id: 999_999 }]) expect(await path(id)).toBeNull();
  expect(await path(rep.id, client, `&entity_id=${south.id}`)).toEqual([seller.id]);
  expect(await path(rep.id, client, `&entity_id=${north.id}`)).toBeNull();
  const annSees = await as(ann.user_id);
  expect(await path(ann.id, annSees)).toEqual([chief.id, buyer.id, lead.id]);
  expect(await path(ben.id, annSees)).toBeNull();
  expect(await path(ben.id, await as(lead.user_id))).toEqual([chief.id, buyer.id, lead.id]);
});

test.each([
  ['by=entity', 'by'],
  ['depth=0', 'depth'],
  ['depth=4', 'depth'],
  ['entity_id=x', 'entity_id'],
  ['root_id=1.5', 'root_id'],
  ['person_id=x', 'person_id'],
])('a chart by %s is refused on %s', async (query, field) => {
  const answer = await client.get(`/api/org-chart?${query}`);
  expect(answer.status).toBe(422);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
});

test('the chart needs a session and employees.view', async () => {
  const nobody = await make.employee({ roles: [] });
  expect((await (await as(nobody.user_id)).get('/api/org-chart')).status).toBe(403);
  expect((await (await as()).get('/api/org-chart')).status).toBe(401);
});

test('at most 500 nodes are shown, all children of a node or none, in a fixed number of statements', async () => {
  const far = await make.entity({ name: 'Far' });
  const hall = await make.department({ entity_id: far.id, name: 'Hall' });
  const [one, two] = [await person('One', hall), await person('Two', hall)];
  const crowd = async (manager: { id: number }, count: number) => {
    const users = await deps.db
      .insertInto('users')
      .values(Array.from({ length: count }, (_, n) => ({ email: `c${manager.id}-${count}-${n}@example.com` })))
      .returning(['id', 'email'])
      .execute();
    const rows = users.map(({ id, email }) => ({
      user_id: id,
      email,
      employee_number: `C-${id}`,
      first_name: 'C',
      last_name: `C${id}`,
      // as different from each other as real names and titles
      job_title: randomToken(40),
      employment_lifecycle: 'confirmed',
      entity_id: far.id,
      department_id: hall.id,
      reporting_manager_id: manager.id,
    }));
    await deps.db.insertInto('employees').values(rows).execute();
  };
  await crowd(one, 499);
  await crowd(two, 3);
  let statements = 0;
  deps.pool.on('acquire', () => (statements += 1));
  const opened = await chart(`?entity_id=${far.id}&depth=3`);
  expect(statements).toBe(3);
  deps.pool.removeAllListeners('acquire');
  expect(opened.has_more).toBe(true);
  expect(opened.nodes.map(({ children_count, children }) => [children_count, children.length])).toEqual([
    [499, 0],
    [3, 3],
  ]);
  expect(await chart(`?root_id=${one.id}`)).toMatchObject({ has_more: false, nodes: { length: 499 } });
  await crowd(one, 2);
  const most = await chart(`?root_id=${one.id}`);
  expect(most).toMatchObject({ has_more: true, nodes: { length: 500 } });
  expect(gzipSync(JSON.stringify(most)).length).toBeLessThan(100_000);
  const hallPeople = await chart(`?by=department&root_id=${hall.id}`);
  expect(hallPeople).toMatchObject({ has_more: true, people: { length: 100 } });
});
