import { employeeFieldGroups } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

/** Private details of another person are returned on request, and the access is recorded. */

const { as, make, deps } = await startApp();

const company = await make.entity();
const department = await make.department({ entity_id: company.id });
const person = (last_name: string) =>
  make.employee({
    department_id: department.id,
    last_name,
    nationality: 'Utopian',
    bank: { iban: 'GB00123456781234' },
  });
const [ann, bob] = [await person('Ann'), await person('Bob')];
const [hr, other] = [await make.employee({ roles: ['HR'] }), await make.employee({ roles: ['HR'] })];
const manager = await make.employee({ roles: ['Manager'] });
await deps.db.updateTable('employees').set({ reporting_manager_id: manager.id }).where('id', '=', ann.id).execute();
const clients = { hr: await as(hr.user_id), other: await as(other.user_id), manager: await as(manager.user_id) };

const url = ({ id }: { id: number }) => `/api/employees/${id}`;
const opened = ({ id }: { id: number }) => `${url({ id })}?reveal=private`;
const privateIn = (data: object) => employeeFieldGroups.private.filter((field) => field in data);

async function traces() {
  const rows = await deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'action'])
    .where('action', 'in', ['employee.private_viewed', 'employee.reveal_refused', 'employee.bank_revealed'])
    .orderBy('id')
    .execute();
  return rows.map(({ actor_id, subject_id, action }) => `${actor_id} ${subject_id} ${action}`);
}
/** The entries recorded meanwhile. */
async function tracesOf(work: () => Promise<unknown>): Promise<string[]> {
  const before = (await traces()).length;
  await work();
  return (await traces()).slice(before);
}
const look = (reader: { user_id: number }, { id }: { id: number }) => `${reader.user_id} ${id} employee.private_viewed`;

test('reading a person in the organisation chart or a filter returns nothing private and records nothing', async () => {
  const noted = await tracesOf(async () => {
    const { body } = await clients.hr.get(url(ann));
    expect(privateIn(body.data)).toEqual([]);
    expect(body.data.private_details).toBe('on_request');
  });
  expect(noted).toEqual([]);
});

test('a request for private details returns all, with masked numbers, and records one entry per quarter of an hour', async () => {
  const first = await tracesOf(async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => clients.hr.get(opened(ann))));
    for (const { body } of answers) {
      expect(privateIn(body.data)).toEqual(employeeFieldGroups.private);
      expect([body.data.private_details, body.data.bank.iban]).toEqual(['included', '****1234']);
    }
  });
  expect(first).toEqual([look(hr, ann)]);
  expect(await tracesOf(() => clients.hr.get(opened(ann)))).toEqual([]);
  expect(await tracesOf(() => clients.other.get(opened(ann)))).toEqual([look(other, ann)]);
  expect(await tracesOf(() => clients.hr.get(opened(bob)))).toEqual([look(hr, bob)]);
  const later = (minutes: number) =>
    sql`update private_looks set looked_at = now() - make_interval(mins => ${minutes}) where user_id = ${hr.user_id}`.execute(
      deps.db,
    );
  await later(14);
  expect(await tracesOf(() => clients.hr.get(opened(ann)))).toEqual([]);
  await later(16);
  expect(await tracesOf(() => Promise.all([1, 2, 3].map(() => clients.hr.get(opened(ann)))))).toEqual([look(hr, ann)]);
});

test('a reader without the permission is refused, which is recorded each time', async () => {
  const noted = await tracesOf(async () => {
    expect((await clients.manager.get(opened(ann))).status).toBe(403);
    expect((await clients.manager.get(opened(bob))).status).toBe(404);
    const { body } = await clients.manager.get(url(ann));
    expect(['private_details' in body.data, privateIn(body.data)]).toEqual([false, []]);
  });
  expect(noted).toEqual([`${manager.user_id} ${ann.id} employee.reveal_refused`]);
});

test('reading the own details records nothing', async () => {
  const noted = await tracesOf(async () => {
    for (const address of [url(manager), opened(manager)]) {
      const { body } = await clients.manager.get(address);
      expect([privateIn(body.data), body.data.private_details]).toEqual([employeeFieldGroups.private, 'included']);
    }
  });
  expect(noted).toEqual([]);
});

test('the answer to a change has them for the author of private fields, and a change without effect is an access', async () => {
  const noted = await tracesOf(async () => {
    expect(privateIn((await clients.hr.put(url(bob), { grade: 'T3' })).body.data)).toEqual([]);
    expect(privateIn((await clients.hr.put(url(bob), {})).body.data)).toEqual([]);
    const { body } = await clients.hr.put(url(bob), { nationality: 'Atlantean' });
    expect([body.data.nationality, privateIn(body.data)]).toEqual(['Atlantean', employeeFieldGroups.private]);
  });
  expect(noted).toEqual([]);
  await sql`delete from private_looks`.execute(deps.db);
  expect(await tracesOf(() => clients.hr.put(url(bob), { nationality: 'Atlantean' }))).toEqual([look(hr, bob)]);
});
