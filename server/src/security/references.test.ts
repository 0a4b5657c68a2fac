import type { Permission } from '@tenure/contract';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { dayFromNow, kpiMaker } from '../testing/make-kpi.ts';

/** References respect the visibility of their target: in lists, files and refusals. */

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
  const named = async (client: typeof fullHr) => {
    const answers = [await client.get(`/api/kpi-cycles/${id}`), await client.get('/api/kpi-cycles?search=Owned')];
    return answers.map(({ status, bytes }) => [status, bytes.toString().includes('Zelda Zorb')]);
  };
  expect(await named(northHr)).toEqual([
    [200, false],
    [200, false],
  ]);
  expect(await named(southHr)).toEqual([
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

/** A user of the company whose role has these permissions. */
async function holderOf(name: string, permissions: readonly Permission[]) {
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, scope) values ($1, 'all') returning id`,
    [name],
  );
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0]?.id,
    permissions,
  ]);
  const { user_id } = await make.employee({ entity_id: north.id, roles: [] });
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [user_id, rows[0]?.id]);
  return as(user_id);
}
const running: readonly Permission[] = ['create', 'update', 'publish', 'view'].map(
  (verb) => `kpi-cycle.${verb}` as Permission,
);
const unavailable = (field: string, label: string) => ({
  [field]: [`This ${label} isn’t available. Select another one.`],
});

test('the owner of a cycle is a person whom its editor sees, like an unknown one otherwise', async () => {
  const there = await make.employee({ entity_id: south.id, roles: ['HR'] });
  const here = await make.employee({ entity_id: north.id, roles: ['HR'] });
  const body = (owner_id: number) => ({ ...cycle(`Of ${owner_id}`, north.id), owner_id });
  for (const id of [there.id, 987_654]) {
    const refused = await northHr.post('/api/kpi-cycles', body(id));
    expect([refused.status, refused.body.errors]).toEqual([422, unavailable('owner_id', 'owner')]);
  }
  const made = await northHr.post('/api/kpi-cycles', body(here.id));
  expect([made.status, made.body.data.owner.id]).toEqual([201, here.id]);
  const address = `/api/kpi-cycles/${made.body.data.id}`;
  expect((await northHr.put(address, { owner_id: there.id })).body.errors).toEqual(unavailable('owner_id', 'owner'));
  expect((await fullHr.put(address, { owner_id: there.id })).status).toBe(200);
  // existing values can stay
  expect((await northHr.put(address, { owner_id: there.id, name: 'Handed over' })).status).toBe(200);
});

test('an editor of cycles who sees no people may own them', async () => {
  const editor = await holderOf('Editor', running);
  const me = (await editor.get('/api/me')).body.data.user.employee_id as number;
  const made = await editor.post('/api/kpi-cycles', { ...cycle('Mine', north.id), owner_id: me });
  expect([made.status, made.body.data.owner_id]).toEqual([201, me]);
});

test('a publisher who sees no people reads how many have no reviewer, and not which', async () => {
  const publisher = await holderOf('Publisher', [...running, 'kpi-template.view']);
  const office = await make.department({ entity_id: north.id, name: 'Lone office' });
  await make.employee({ department_id: office.id, first_name: 'Zorblone' });
  const template = await kpi.template({ entity_id: north.id });
  const { id } = (await publisher.post('/api/kpi-cycles', cycle('Reviewers', north.id))).body.data;
  const place = `/api/kpi-cycles/${id}/departments/${office.id}`;
  expect((await publisher.put(place, { template_id: template.id })).status).toBe(200);
  const preflight = async (client: typeof fullHr) => {
    const { blockers } = (await client.get(`/api/kpi-cycles/${id}/preflight`)).body.data;
    const { errors } = (await client.post(`/api/kpi-cycles/${id}/publish`, {})).body;
    return [blockers.map(({ message }: { message: string }) => message), errors.status];
  };
  const [seen = [], refused] = await preflight(fullHr);
  expect([seen, refused]).toEqual([[expect.stringMatching(/^Zorblone .* has no reviewer\.$/)], seen]);
  const counted = ['1 person has no reviewer.'];
  expect(await preflight(publisher)).toEqual([counted, counted]);
});

test('a template is chosen for a cycle by those who see it', async () => {
  const editor = await holderOf('Planner', running);
  const office = await make.department({ entity_id: north.id, name: 'Planned office' });
  const template = await kpi.template({ name: 'Zorbgoals', entity_id: north.id });
  const { id } = (await editor.post('/api/kpi-cycles', cycle('Templates', north.id))).body.data;
  const place = `/api/kpi-cycles/${id}/departments/${office.id}`;
  for (const template_id of [template.id, 987_654]) {
    const refused = await editor.put(place, { template_id });
    expect([refused.status, refused.body.errors]).toEqual([422, unavailable('template_id', 'template')]);
  }
  expect((await fullHr.put(place, { template_id: template.id })).status).toBe(200);
  // existing values can stay
  expect((await editor.put(place, { template_id: template.id })).status).toBe(200);
});

test('a department that left its company shows neither the new one nor its template to readers of the evaluations', async () => {
  const moved = await make.department({ entity_id: north.id, name: 'Moved' });
  await make.employee({ department_id: moved.id });
  const [first, second] = [await kpi.template({ name: 'For all' }), await kpi.template({ entity_id: south.id })];
  const { id } = await kpi.cycle({ entity_id: null, start_date: '2026-01-01', end_date: '2026-12-31' });
  const places = `/api/kpi-cycles/${id}/departments`;
  const ok = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer;
    expect([200, 201], JSON.stringify(body)).toContain(status);
  };
  await ok(fullHr.put(`${places}/${moved.id}`, { template_id: first.id }));
  const chosen = { department_ids: [moved.id], allow_missing_reviewer: true };
  await ok(fullHr.post(`/api/kpi-cycles/${id}/publish`, chosen));
  await ok(fullHr.put(`/api/departments/${moved.id}`, { entity_id: south.id, move_employees: true }));
  const reason = 'The goals of the new company.';
  await ok(fullHr.post(`${places}/${moved.id}/replace-template`, { template_id: second.id, reason }));
  const seen = async (client: typeof fullHr) => {
    const { data } = (await client.get(places)).body;
    return [data[0].entity, data[0].entity_id, data[0].template_id, data[0].evaluations_count, data[0].allowed_actions];
  };
  expect(await seen(northHr)).toEqual([{ id: north.id, name: 'North' }, north.id, null, 1, []]);
  expect(await seen(fullHr)).toEqual([{ id: south.id, name: 'South' }, south.id, second.id, 1, ['replace-template']]);
  const found = async (client: typeof fullHr, query: string) =>
    (await client.get(`${places}?${query}`)).body.meta.total;
  for (const query of [`entity_id=${south.id}`, `template_id=${second.id}`])
    expect([await found(northHr, query), await found(fullHr, query)]).toEqual([0, 1]);
});

describe('a refusal does not say which names are taken', () => {
  const name = 'Zorb merger';
  const items = [{ name: 'Goals', weight: 100 }];
  const things: [what: string, path: string, body: (entity: number) => object][] = [
    ['departments', '/api/departments', (entity_id) => ({ name, code: 'ZRB', entity_id })],
    ['templates', '/api/kpi-templates', (entity_id) => ({ name, entity_id, items })],
    ['criteria', '/api/probation-criteria-sets', (entity_id) => ({ name, entity_id, criteria: items })],
  ];

  test.each(things)('to %s of companies out of reach', async (_what, path, body) => {
    const made = await fullHr.post(path, body(south.id));
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const refused = await northHr.post(path, body(south.id));
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['entity_id']]);
    const seen = await fullHr.post(path, { ...body(south.id), status: 7, may_adapt: 7 });
    expect(Object.keys(seen.body.errors)).toContain('name');
  });

  test('to cycles of other companies', async () => {
    expect((await fullHr.post('/api/kpi-cycles', cycle(name, south.id))).status).toBe(201);
    const early = { end_date: '2001-01-01' };
    const errors = async (client: typeof fullHr, entityId: number) =>
      Object.keys(
        (await client.post('/api/kpi-cycles', { ...cycle(name, entityId), ...early })).body.errors,
      ).toSorted();
    expect(await errors(northHr, north.id)).toEqual(['end_date']);
    expect(await errors(northHr, south.id)).toEqual(['end_date', 'entity_id']);
    expect(await errors(fullHr, south.id)).toEqual(['end_date', 'name']);
    const { data } = (await northHr.post('/api/kpi-cycles', cycle('Of the north', north.id))).body;
    const renamed = await northHr.put(`/api/kpi-cycles/${data.id}`, { name, ...early });
    expect(Object.keys(renamed.body.errors)).toEqual(['end_date']);
  });

  test('to import profiles of other companies', async () => {
    const content = 'Given,Surname\nMia,Person\n';
    const upload = async (client: typeof fullHr) =>
      (await client.upload('/api/employees/import', { name: 'staff.csv', content }, { dry_run: '1' })).body.data.id;
    const kept = async (client: typeof fullHr) =>
      client.post(`/api/employees/imports/${await upload(client)}/profile`, { name, entity_id: south.id });
    expect((await kept(fullHr)).status).toBe(201);
    const refused = await kept(northHr);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['entity_id']]);
    expect(Object.keys((await kept(fullHr)).body.errors)).toEqual(['name']);
  });
});
