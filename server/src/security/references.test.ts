import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { dayFromNow, kpiMaker } from '../testing/make-kpi.ts';

/** References pass the visibility of their target: in lists, files and refusals. */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const hrOf = async (id: number) =>
  as((await make.employee({ entity_id: id, roles: [{ role: 'HR', entity_ids: [id] }] })).user_id);
const [northHr, southHr] = [await hrOf(north.id), await hrOf(south.id)];
const fullHr = await as((await make.employee({ entity_id: north.id, roles: ['HR'] })).user_id);

const cycle = (name: string, entity_id: number | null) => ({
  name,
  entity_id,
  start_date: dayFromNow(-30),
  end_date: dayFromNow(60),
});

test('the name of a cycle is free in a company without access to it, and taken where companies overlap', async () => {
  const add = async (client: typeof fullHr, name: string, entityId: number | null) => {
    const { status, body } = await client.post('/api/kpi-cycles', cycle(name, entityId));
    return status === 422 ? (body.errors as unknown) : status;
  };
  const taken = { name: ['The name has already been taken.'] };
  expect(await add(northHr, 'Half year', north.id)).toBe(201);
  expect(await add(southHr, 'half YEAR', south.id)).toBe(201);
  expect(await add(northHr, 'HALF year', north.id)).toEqual(taken);
  expect(await add(fullHr, 'Half year', null)).toEqual(taken);
  expect(await add(fullHr, 'Whole year', null)).toBe(201);
  expect(await add(southHr, 'Whole year', south.id)).toEqual(taken);
  const { data } = (await southHr.post('/api/kpi-cycles', cycle('Other', south.id))).body;
  const renamed = await southHr.put(`/api/kpi-cycles/${data.id}`, { name: 'Whole year', revision: data.revision });
  expect([renamed.status, renamed.body.errors]).toEqual([422, taken]);
});

test('of many simultaneous requests one gets the name', async () => {
  for (let turn = 0; turn < 5; turn += 1) {
    const name = `Race ${turn}`;
    const answers = await Promise.all([
      northHr.post('/api/kpi-cycles', cycle(name, north.id)),
      fullHr.post('/api/kpi-cycles', cycle(name, null)),
      southHr.post('/api/kpi-cycles', cycle(name, south.id)),
      fullHr.post('/api/kpi-cycles', cycle(name, null)),
    ]);
    const made = await owner.query<{ entity_id: number | null }>('select entity_id from kpi_cycles where name = $1', [
      name,
    ]);
    const companies = made.rows.map(({ entity_id }) => entity_id);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(companies.length);
    expect(companies.includes(null) ? companies : companies.length).toEqual(companies.includes(null) ? [null] : 2);
  }
});

test('the export of a cycle shows grades to readers of the employment, not to readers of cards', async () => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ('Card reader', 'own'), ('Finance', 'all') returning id`,
  );
  const [cards, finance] = rows.map(({ id }) => id);
  await owner.query(
    `insert into role_permissions (role_id, permission)
     select $1::bigint, unnest(array['employees.view', 'employees.view_all'])
     union all select $2::bigint, unnest(array['kpi-cycle.view', 'kpi-cycle.export', 'kpi-evaluation.view'])`,
    [cards, finance],
  );
  const reader = await make.employee({ entity_id: north.id, roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2), ($1, $3)', [
    reader.user_id,
    cards,
    finance,
  ]);
  const person = await make.employee({ entity_id: north.id, grade: 'Zorb9' });
  const { cycle_id } = await kpi.evaluation({ employee: person, status: 'completed' });
  const grades = async (client: typeof fullHr) => {
    const file = await client.get(`/api/kpi-cycles/${cycle_id}/export`);
    expect(file.status).toBe(200);
    return parse<{ grade: string }>(file.bytes, { columns: true, bom: true }).map(({ grade }) => grade);
  };
  expect([await grades(await as(reader.user_id)), await grades(fullHr)]).toEqual([[''], ['Zorb9']]);
});

test('the owner of a cycle of several companies is named to readers of that person', async () => {
  const boss = await make.employee({ entity_id: south.id, roles: ['HR'], first_name: 'Zelda', last_name: 'Zorb' });
  const { id } = await kpi.cycle({ name: 'Owned', owner_id: boss.id, entity_id: null });
  const told = async (client: typeof fullHr) => {
    const answers = [await client.get(`/api/kpi-cycles/${id}`), await client.get('/api/kpi-cycles?search=Owned')];
    return answers.map(({ status, bytes }) => [status, bytes.toString().includes('Zelda Zorb')]);
  };
  expect(await told(northHr)).toEqual([
    [200, false],
    [200, false],
  ]);
  expect(await told(southHr)).toEqual([
    [200, true],
    [200, true],
  ]);
});

test('an impossible reassignment names no department hidden from its sender', async () => {
  const person = await make.employee({ entity_id: north.id });
  await make.department({ entity_id: south.id, name: 'Zorbworks', manager_id: person.id });
  const taker = await make.employee({ entity_id: north.id });
  const body = { reason: 'Leaves the company.', reassign_to: taker.id };
  const answer = await northHr.post(`/api/employees/${person.id}/deactivate`, body);
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    { reassign_to: ['The selected successor can’t take over departments outside your scope.'] },
  ]);
});
