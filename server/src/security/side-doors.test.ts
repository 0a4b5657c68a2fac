import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { aboutHidden, hidePerson, readEndpoints } from '../testing/hidden-person.ts';

/**
 * K6 and K7: every path to a record has the checks of the main one, and no user acts on their own record.
 * `side-doors.extended.test.ts` tries every reading endpoint with every parameter.
 */

const service = await startApp({ RATE_LIMIT_PER_MINUTE: '100000', DIRECTORY: 'off' });
const { as, make, deps, owner } = service;
const { north, south, office, plant, hidden, boss, lena, hrPerson, fullHr, northHr, attackers } =
  await hidePerson(service);

describe('K6: ways around the list', { timeout: 180_000 }, () => {
  test('changes in one company change no byte of what another one sees', async () => {
    // a PDF contains its time of creation; a separate test covers its content
    const ofTheMoment = ['/profile/sessions', '/employees/:id/pdf'];
    const volatile = new Set(['/audit-log', '/audit-log/:id', '/audit-log/export', ...ofTheMoment]);
    const look = async (client: Client) => {
      const seen: Record<string, string> = {};
      for (const endpoint of readEndpoints.filter(({ path }) => !volatile.has(path)))
        for (const url of [
          endpoint.path.replaceAll(/:\w+/g, String(lena.id)),
          endpoint.path.replaceAll(/:\w+/g, String(north.id)),
        ])
          // the time when a figure was computed does not matter
          seen[url] = (await client.get(`/api${url}`)).bytes.toString().replaceAll(/"as_of":"[^"]+"/g, '');
      return seen;
    };
    const before = await Promise.all(attackers.map(([, client]) => look(client)));
    for (const name of ['One', 'Two', 'Three']) await make.employee({ department_id: plant.id, first_name: name });
    const shed = await fullHr.post('/api/departments', { entity_id: south.id, name: 'Shed', manager_id: hidden.id });
    expect(shed.status).toBe(201);
    await fullHr.post(`/api/employees/${hidden.id}/deactivate`, { reason: 'Works no longer for us' });
    await fullHr.put(`/api/entities/${south.id}`, { description: 'Quite another company' });
    expect(await Promise.all(attackers.map(([, client]) => look(client)))).toEqual(before);
    await fullHr.post(`/api/employees/${hidden.id}/reactivate`, { reason: 'Works for us after all' });
  });

  test('bulk actions check each person', async () => {
    const account = () => owner.query('select * from users where id = $1', [hidden.user_id]).then(({ rows }) => rows);
    const before = await account();
    const answer = await northHr.post('/api/employees/reset-passwords', {
      employee_ids: [lena.id, hidden.id, 987_654],
    });
    const { issued, refused } = answer.body.data as Record<string, { employee_id: number; reason: string }[]>;
    expect([answer.status, issued?.map(({ employee_id: id }) => id)]).toEqual([200, [lena.id]]);
    expect(answer.bytes.toString()).not.toMatch(aboutHidden);
    // a hidden person is refused like a missing one
    expect(new Set(refused?.map(({ employee_id: id }) => id))).toEqual(new Set([hidden.id, 987_654]));
    expect(new Set(refused?.map(({ reason }) => reason)).size).toBe(1);
    expect(await account()).toEqual(before);
  });
});

describe('K7: on the own record', () => {
  const bodies = {
    reason: 'It would suit me very well',
    job_title: 'Director',
    effective_from: '2099-01-01',
    last_working_date: '2099-01-01',
    confirmation_date: '2026-01-01',
    employment_lifecycle: 'resigned',
    separation_type: 'resigned',
    notice_date: '2026-01-01',
    assignments: [],
  };
  const personal = routes
    .map(({ endpoint }) => endpoint)
    .filter(({ path, scope }) => scope === 'relationship' && path.startsWith('/employees/:id'));
  const owned = async (id: number) =>
    (
      await owner.query(
        `select (select to_jsonb(e) from employees e where e.id = $1) as person,
                (select to_jsonb(u) from users u join employees e on e.user_id = u.id where e.id = $1) as account,
                (select count(*) from job_history where employee_id = $1) as history,
                (select count(*) from session_register s join employees e using (user_id)
                 where e.id = $1 and revoked_at is null) as sessions`,
        [id],
      )
    ).rows[0] as unknown;

  test.each(['HR', 'Admin'] as const)('%s cannot decide about themselves', async (role) => {
    const self = await make.employee({ department_id: office.id, roles: [role], employment_lifecycle: 'probationary' });
    const client = await as(self.user_id);
    const before = await owned(self.id);
    expect(personal.length).toBeGreaterThan(10);
    for (const { method, path } of personal) {
      const url = `/api${path.replace(':id', String(self.id)).replace(/:\w+/, '1')}`;
      const answer = await client.send(method, url, { body: bodies });
      expect([method, path, [403, 404].includes(answer.status)], JSON.stringify(answer.body)).toEqual([
        method,
        path,
        true,
      ]);
    }
    for (const [field, value] of Object.entries({
      department_id: plant.id,
      entity_id: south.id,
      job_title: 'Director',
      grade: 'A1',
      employment_type: 'contract',
      joining_date: '2001-01-01',
      reporting_manager_id: boss.id,
      probation_end_date: '2026-12-31',
      bank: { iban: 'DE1' },
    }))
      expect([field, (await client.put(`/api/employees/${self.id}`, { [field]: value })).status]).toEqual([field, 403]);
    const many = await client.post('/api/employees/reset-passwords', { employee_ids: [self.id] });
    expect(many.status === 403 || many.body.data.issued.length === 0).toBe(true);
    expect(await owned(self.id)).toEqual(before);
  });

  test('nor by an import', async () => {
    const before = await owned(hrPerson.id);
    const content = `employee_number,job_title,grade\n${hrPerson.employee_number},Director,A1\n`;
    const answer = await fullHr.upload('/api/employees/import', { name: 'me.csv', content }, { on_conflict: 'update' });
    expect([answer.status, answer.body.data.counts.updated]).toEqual([201, 0]);
    expect(await owned(hrPerson.id)).toEqual(before);
  });
});

describe('K7: a restriction that also applies to managers', () => {
  const statuses = async (client: Client) => {
    const path = `/api/employees/${hidden.id}`;
    return {
      seen: (await client.get(path)).status,
      changed: (await client.put(path, { job_title: 'Mine' })).status,
      reset: (await client.post(`${path}/reset-password`)).status,
      roles: (await client.put(`${path}/roles`, { assignments: [] })).status,
      deactivated: (await client.post(`${path}/deactivate`, { reason: 'Because I say so' })).status,
      picture: (await client.delete(`${path}/profile-picture`)).status,
    };
  };
  const leading = async (...roles: NonNullable<Parameters<typeof make.employee>[0]>['roles'] & object) => {
    const person = await make.employee({ department_id: office.id, roles });
    await deps.db.updateTable('departments').set({ manager_id: person.id }).where('id', '=', plant.id).execute();
    return as(person.user_id);
  };
  const nothing = { changed: 404, reset: 404, roles: 404, deactivated: 404, picture: 404 };

  test("HR of one company who leads a department of another one has only the manager's rights there", async () => {
    const client = await leading('Manager', { role: 'HR', entity_ids: [north.id] });
    expect(await statuses(client)).toEqual({ seen: 200, ...nothing });
    const { data } = (await client.get(`/api/employees/${hidden.id}`)).body;
    expect([data.allowed_actions, 'date_of_birth' in data, 'bank' in data]).toEqual([[], false, false]);
    const list = await client.get('/api/employees/export');
    expect(list.bytes.toString()).not.toMatch(aboutHidden);
  });

  test('a manager limited to one company manages no person in another one', async () => {
    const client = await leading({ role: 'Manager', entity_ids: [north.id] });
    const refused = await statuses(client);
    expect(refused.seen).toBe(404);
    expect(Object.values(refused).every((status) => [403, 404].includes(status))).toBe(true);
    expect((await client.get('/api/employees?search=zyxwald')).body.meta.total).toBe(0);
  });
});
