import { describe, expect, test } from 'vitest';
import { sampleFiles } from '../testing/file-samples.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

/** K15: rights that outlive a move, a new manager or another role, and rows across two companies. */

// two processes of one installation: the cache of one must not outlive changes by the other
const one = await startApp();
const two = await startApp({}, { beside: one });
const { make, owner, deps } = one;
const samples = await sampleFiles();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const office = await make.department({ entity_id: north.id });
const plant = await make.department({ entity_id: south.id });
const hr = await one.as((await make.employee({ roles: ['HR'] })).user_id);

/** All data of a person, each with its own URL. */
async function reach(client: Client, id: number) {
  const path = `/api/employees/${id}`;
  const { data } = (await client.get('/api/employees?per_page=100')).body as { data: { id: number }[] };
  return {
    record: (await client.get(path)).status,
    papers: (await client.get(`${path}/attachments`)).status,
    history: (await client.get(`${path}/job-history`)).status,
    picture: (await client.get(`${path}/profile-picture`)).status,
    listed: data.some((person) => person.id === id),
    found: (await client.get('/api/search?q=Wanderer')).bytes.toString().includes('Wanderer'),
    drawn: (await client.get('/api/org-chart')).bytes.toString().includes('Wanderer'),
  };
}
const everything = { record: 200, papers: 200, history: 200, picture: 200, listed: true, found: true, drawn: true };
const unreachable = { record: 404, papers: 404, history: 404, picture: 404, listed: false, found: false, drawn: false };

async function wanderer(fields: Parameters<typeof make.employee>[0]) {
  const person = await make.employee({ first_name: 'Wim', last_name: 'Wanderer', ...fields });
  const picture = await hr.upload(`/api/employees/${person.id}/profile-picture`, {
    name: 'a.png',
    content: samples.png,
  });
  expect(picture.status).toBe(200);
  return person;
}

describe('K15: a former superior', () => {
  test('loses access to people with a new manager', async () => {
    const [old, next] = [await make.employee({ roles: ['Manager'] }), await make.employee({ roles: ['Manager'] })];
    const person = await wanderer({ reporting_manager_id: old.id });
    const [former, present] = [await two.as(old.user_id), await two.as(next.user_id)];
    expect([await reach(former, person.id), await reach(present, person.id)]).toEqual([everything, unreachable]);
    expect((await hr.put(`/api/employees/${person.id}`, { reporting_manager_id: next.id })).status).toBe(200);
    expect([await reach(former, person.id), await reach(present, person.id)]).toEqual([unreachable, everything]);
    await hr.put(`/api/employees/${person.id}`, { reporting_manager_id: null });
    expect(await reach(present, person.id)).toEqual(unreachable);
    await hr.put(`/api/employees/${person.id}`, { last_name: 'Settled' });
  });

  test('of a department loses its people, descendants and files with a known address', async () => {
    const head = await make.employee({ roles: ['Manager'] });
    const hall = await make.department({ entity_id: north.id });
    const below = await make.department({ entity_id: north.id, parent_id: hall.id });
    expect((await hr.put(`/api/departments/${hall.id}/manager`, { employee_id: head.id })).status).toBe(200);
    const person = await wanderer({ department_id: below.id });
    const added = await hr.upload(
      `/api/employees/${person.id}/attachments`,
      { name: 'a.pdf', content: samples.pdf },
      { category: 'letter', visibility: 'manager' },
    );
    const client = await two.as(head.user_id);
    expect(await reach(client, person.id)).toEqual(everything);
    expect((await client.get(added.body.data.download_url)).status).toBe(200);
    expect((await hr.delete(`/api/departments/${hall.id}/manager`)).status).toBe(204);
    expect(await reach(client, person.id)).toEqual(unreachable);
    expect((await client.get(added.body.data.download_url)).status).toBe(404);
    await hr.put(`/api/employees/${person.id}`, { last_name: 'Settled' });
  });
});

describe('K15: a role', () => {
  const limitedHr = async (id: number) =>
    make.employee({ department_id: office.id, roles: [{ role: 'HR', entity_ids: [id] }] });

  test('for a company loses people who move to another one, with the whole department', async () => {
    const [northern, southern] = [await limitedHr(north.id), await limitedHr(south.id)];
    const clients = [await two.as(northern.user_id), await two.as(southern.user_id)] as const;
    const moving = await make.department({ entity_id: north.id });
    const person = await wanderer({ department_id: moving.id });
    expect([await reach(clients[0], person.id), await reach(clients[1], person.id)]).toEqual([everything, unreachable]);
    const moved = await hr.put(`/api/departments/${moving.id}`, { entity_id: south.id, move_employees: true });
    expect(moved.status).toBe(200);
    expect([await reach(clients[0], person.id), await reach(clients[1], person.id)]).toEqual([unreachable, everything]);
    expect((await clients[0].put(`/api/employees/${person.id}`, { job_title: 'Mine still' })).status).toBe(404);
    expect((await clients[0].get(`/api/departments/${moving.id}`)).status).toBe(404);
    await hr.put(`/api/employees/${person.id}`, { last_name: 'Settled' });
  });

  test('with changed permissions, scope or companies takes effect at the next request of all holders', async () => {
    const person = await wanderer({ department_id: plant.id });
    const holder = await limitedHr(south.id);
    const client = await two.as(holder.user_id);
    const mayExport = async () => (await client.get('/api/employees/export')).status;
    expect([await mayExport(), await reach(client, person.id)]).toEqual([200, everything]);
    await owner.query(
      "delete from role_permissions where permission = 'employees.export' and role_id = (select id from roles where name = 'HR')",
    );
    expect(await mayExport()).toBe(403);
    await owner.query("insert into role_permissions select id, 'employees.export' from roles where name = 'HR'");
    expect(await mayExport()).toBe(200);
    await owner.query('update role_assignments set entity_ids = $1 where user_id = $2', [[north.id], holder.user_id]);
    expect(await reach(client, person.id)).toEqual(unreachable);
    await owner.query('update role_assignments set entity_ids = $1 where user_id = $2', [[south.id], holder.user_id]);
    expect(await reach(client, person.id)).toEqual(everything);
    await owner.query("update roles set scope = 'own' where name = 'HR'");
    // a separate permission widens the view of a role with scope `own`
    await owner.query("delete from role_permissions where permission = 'employees.view_all'");
    expect(await reach(client, person.id)).toEqual(unreachable);
    await owner.query("update roles set scope = 'all' where name = 'HR'");
    await owner.query(
      "insert into role_permissions select id, 'employees.view_all' from roles where name in ('HR', 'Admin')",
    );
    expect(await reach(client, person.id)).toEqual(everything);
    await hr.put(`/api/employees/${person.id}`, { last_name: 'Settled' });
  });
});

describe('K15: rows across two companies', () => {
  const links = async () =>
    (
      await owner.query(
        `select (select count(*)::int from employees e join departments d on d.id = e.department_id where d.entity_id <> e.entity_id) as people,
                (select count(*)::int from departments d join departments p on p.id = d.parent_id where p.entity_id <> d.entity_id) as departments,
                (select count(*)::int from job_history h join employees e on e.id = h.employee_id
                 where h.status = 'current' and (h.entity_id, h.department_id) <> (e.entity_id, e.department_id)) as history`,
      )
    ).rows[0] as unknown;

  test('are refused by every form that could create one', async () => {
    const person = await make.employee({ department_id: office.id });
    const newcomer = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com', joining_date: '2026-01-05' };
    const attempts: [method: string, path: string, body: object][] = [
      ['POST', '/api/employees', { ...newcomer, entity_id: north.id, department_id: plant.id }],
      ['PUT', `/api/employees/${person.id}`, { department_id: plant.id }],
      ['PUT', `/api/employees/${person.id}`, { entity_id: south.id }],
      ['POST', `/api/employees/${person.id}/job-history`, { department_id: plant.id, effective_from: '2099-01-01' }],
      ['POST', `/api/employees/${person.id}/job-history`, { entity_id: south.id, effective_from: '2099-01-01' }],
      ['POST', '/api/departments', { entity_id: north.id, name: 'Branch', parent_id: plant.id }],
      ['PUT', `/api/departments/${office.id}`, { parent_id: plant.id }],
    ];
    for (const [method, path, body] of attempts)
      expect([method, path, (await hr.send(method, path, { body })).status]).toEqual([method, path, 422]);
    expect(await links()).toEqual({ people: 0, departments: 0, history: 0 });
  });

  test('are refused by the database itself', async () => {
    const person = await make.employee({ department_id: office.id });
    for (const statement of [
      deps.db.updateTable('employees').set({ department_id: plant.id }).where('id', '=', person.id),
      deps.db.updateTable('departments').set({ parent_id: plant.id }).where('id', '=', office.id),
    ])
      await expect(statement.execute()).rejects.toMatchObject({ code: '23503' });
  });

  test('do not come from a form and a simultaneous move', async () => {
    for (let round = 0; round < 5; round += 1) {
      const moving = await make.department({ entity_id: north.id });
      const person = await make.employee({ department_id: office.id });
      const answers = await Promise.all([
        hr.put(`/api/departments/${moving.id}`, { entity_id: south.id, move_employees: true }),
        hr.put(`/api/employees/${person.id}`, { department_id: moving.id }),
      ]);
      for (const { status } of answers) expect([200, 422]).toContain(status);
    }
    expect(await links()).toEqual({ people: 0, departments: 0, history: 0 });
  });
});
