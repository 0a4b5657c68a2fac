import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sampleFiles } from '../testing/file-samples.ts';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';

/** K4 and K5: neither the id of another person nor acting for them gives access to their data. */

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
const office = await make.department({ entity_id: north.id });
const plant = await make.department({ entity_id: south.id });
const boss = await make.employee({ department_id: office.id, roles: ['Manager'] });
const lena = await make.employee({ department_id: office.id, reporting_manager_id: boss.id });
const carl = await make.employee({ department_id: plant.id });
const fullHr = await as((await make.employee({ roles: ['HR'] })).user_id);
const northHr = await as(
  (await make.employee({ department_id: office.id, roles: [{ role: 'HR', entity_ids: [north.id] }] })).user_id,
);
const [manager, employee] = [await as(boss.user_id), await as(lena.user_id)];
const attackers: [name: string, client: Client][] = [
  ['employee', employee],
  ['manager', manager],
  ['HR of another company', northHr],
];

const filesOf = (id: number) => `/api/employees/${id}/attachments`;
const paper = { name: 'contract.pdf', content: samples.pdf };
async function addPaper(id: number): Promise<number> {
  const answer = await fullHr.upload(filesOf(id), paper, { category: 'contract', visibility: 'manager_employee' });
  expect(answer.status).toBe(201);
  return answer.body.data.id as number;
}
const tables = ['attachments', 'removed_files', 'employees', 'users', 'job_history', 'role_assignments', 'imports'];
const contents = async () => {
  const sums = tables.map(
    (name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t)`,
  );
  return (await owner.query({ text: `select ${sums.join(', ')}`, rowMode: 'array' })).rows[0] as unknown;
};

const carlsPaper = await addPaper(carl.id);
const lenasPaper = await addPaper(lena.id);
await fullHr.upload(`/api/employees/${carl.id}/profile-picture`, { name: 'a.png', content: samples.png });
await fullHr.post(`/api/employees/${carl.id}/job-history`, { job_title: 'Fitter', effective_from: '2099-01-01' });
const { id: carlsChange } = await deps.db
  .selectFrom('job_history')
  .select('id')
  .where('employee_id', '=', carl.id)
  .where('effective_from', '=', '2099-01-01')
  .executeTakeFirstOrThrow();
let before: unknown;
beforeEach(async () => {
  before = await contents();
});

describe('K4: a file by its id under another path', () => {
  test.each(attackers)('%s cannot read, delete or replace the papers of others, by any path', async (_who, client) => {
    // besides the owner's path: those of the attacker, of a person in scope, and of an unknown person
    for (const parent of [carl.id, lena.id, boss.id, 987_654_321])
      for (const [method, tail] of [
        ['GET', ''],
        ['GET', '/download'],
        ['HEAD', '/download'],
        ['DELETE', ''],
      ] as const) {
        const answer = await client.send(method, `${filesOf(parent)}/${carlsPaper}${tail}`);
        expect([parent, method, [403, 404].includes(answer.status)]).toEqual([parent, method, true]);
        expect(answer.bytes.includes('%PDF')).toBe(false);
      }
    for (const method of ['PUT', 'PATCH', 'POST'])
      expect((await client.send(method, `${filesOf(carl.id)}/${carlsPaper}`, { body: {} })).status).toBeGreaterThan(
        402,
      );
    expect(await contents()).toEqual(before);
    expect((await fullHr.get(`${filesOf(carl.id)}/${carlsPaper}/download`)).bytes.equals(samples.pdf)).toBe(true);
  });

  test.each(attackers)('%s sees no list of them, no picture and no job change', async (_who, client) => {
    for (const path of [filesOf(carl.id), `/api/employees/${carl.id}/profile-picture`])
      for (const method of ['GET', 'HEAD']) expect((await client.send(method, path)).status).toBe(404);
    const picture = multipart({ name: 'a.png', content: samples.png });
    for (const answer of [
      await client.send('POST', `/api/employees/${carl.id}/profile-picture`, picture),
      await client.delete(`/api/employees/${carl.id}/profile-picture`),
      await client.delete(`/api/employees/${carl.id}/job-history/${carlsChange}`),
      await client.delete(`/api/employees/${lena.id}/job-history/${carlsChange}`),
    ])
      expect([403, 404]).toContain(answer.status);
    expect(await contents()).toEqual(before);
    expect((await fullHr.get(`/api/employees/${carl.id}/profile-picture`)).status).toBe(200);
  });

  test('an import of another user is absent with its rows and errors, also for HR', async () => {
    const content = 'first_name,last_name,email,entity,department\nA,B,a@example.com,South,Nowhere\n';
    const staged = await fullHr.upload('/api/employees/import', { name: 'p.csv', content }, { dry_run: '1' });
    const path = `/api/employees/imports/${staged.body.data.id}`;
    for (const [method, tail] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['GET', '/errors.csv'],
      ['PUT', ''],
      ['PUT', '/rows/2'],
      ['DELETE', ''],
      ['POST', '/commit'],
      ['POST', '/undo'],
    ] as const)
      expect((await northHr.send(method, `${path}${tail}`, method === 'GET' ? {} : { body: {} })).status).toBe(404);
    expect((await fullHr.get(path)).body.data.status).toBe('preview');
  });

  test('only its own user ends a session, whatever its number', async () => {
    const victim = await as(carl.user_id);
    const { id } = (await victim.get('/api/profile/sessions')).body.data[0] as { id: number };
    for (const [, client] of attackers) expect((await client.delete(`/api/profile/sessions/${id}`)).status).toBe(404);
    expect((await victim.get('/api/me')).status).toBe(200);
  });

  test('no answer reveals a storage path, and no address leads there', async () => {
    const keys = await deps.db.selectFrom('attachments').select('file_key').execute();
    const stored = await readdir(join(deps.config.DATA_DIR, 'kept'));
    expect(stored.length).toBeGreaterThanOrEqual(keys.length);
    const notified = [
      await employee.get(filesOf(lena.id)),
      await employee.get(`${filesOf(lena.id)}/${lenasPaper}`),
      await fullHr.get(`/api/employees/${carl.id}`),
      await fullHr.get(`${filesOf(carl.id)}/${carlsPaper}/download`),
    ].map(({ headers, bytes }) => JSON.stringify(headers) + bytes.toString());
    for (const key of stored) {
      expect(notified.join('')).not.toContain(key);
      for (const address of [`/files/kept/${key}`, `/kept/${key}`, `/storage/${key}`, `/api/files/${key}`, `/${key}`])
        expect((await employee.get(address)).status).toBe(404);
    }
  });
});

describe('K5: acting for another person', () => {
  const victim = { employee_id: carl.id, user_id: carl.user_id, user: carl.user_id, id: carl.id };
  const pretending = { ...victim, acting_as: carl.user_id, as_user: carl.user_id, on_behalf_of: carl.id };
  const query = new URLSearchParams(Object.entries(pretending).map(([key, value]) => [key, String(value)])).toString();
  const headers = {
    'x-user-id': String(carl.user_id),
    'x-acting-as': String(carl.user_id),
    'x-forwarded-user': carl.email,
    'x-original-url': `/api/employees/${carl.id}`,
  };

  test('an employee reads only own data, whatever ids the request names', async () => {
    const plain = await Promise.all(
      ['/api/me', '/api/profile', '/api/profile/sessions', `/api/employees/${lena.id}`].map((path) =>
        employee.get(path),
      ),
    );
    for (const [index, path] of [
      '/api/me',
      '/api/profile',
      '/api/profile/sessions',
      `/api/employees/${lena.id}`,
    ].entries()) {
      const answer = await employee.get(`${path}?${query}`, headers);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.body.data).toEqual(plain[index]?.body.data);
    }
    // some names are filters, which find no hidden person
    const list = await employee.get(`/api/employees?${query}`, headers);
    expect([list.status, list.body.data.filter(({ id }: { id: number }) => id !== lena.id)]).toEqual([200, []]);
  });

  test('an employee changes the own profile and picture and no other', async () => {
    const fields = Object.fromEntries(Object.entries(pretending).map(([key, value]) => [key, String(value)]));
    const picture = multipart({ name: 'a.png', content: samples.png }, fields);
    expect(
      (
        await employee.send('POST', `/api/profile/picture?${query}`, {
          ...picture,
          headers: { ...picture.headers, ...headers },
        })
      ).status,
    ).toBe(200);
    expect((await employee.put(`/api/profile?${query}`, { ...pretending, phone: '+49 30 4711' }, headers)).status).toBe(
      200,
    );
    const rows = await deps.db
      .selectFrom('employees')
      .select(['id', 'phone'])
      .select(({ eb }) => eb('picture_key', 'is not', null).as('has_picture'))
      .where('id', 'in', [lena.id, carl.id])
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { id: lena.id, phone: '+49 30 4711', has_picture: true },
      { id: carl.id, phone: null, has_picture: true },
    ]);
  });

  test('HR of a company files, plans and grants for the person in the path, not for the one in the body', async () => {
    const fields = { category: 'letter', employee_id: String(carl.id), id: String(carlsPaper) };
    const added = await northHr.upload(`${filesOf(lena.id)}?employee_id=${carl.id}`, paper, fields);
    expect([added.status, added.body.data.employee_id]).toEqual([201, lena.id]);
    expect(added.body.data.id).not.toBe(carlsPaper);
    const planned = await northHr.post(`/api/employees/${lena.id}/job-history`, {
      ...pretending,
      job_title: 'Clerk',
      effective_from: '2099-02-01',
    });
    expect([planned.status, planned.body.data.employee_id]).toEqual([201, lena.id]);
    const roles = await northHr.put(`/api/employees/${lena.id}/roles`, { ...pretending, assignments: [] });
    expect([roles.status, roles.body.data.id]).toEqual([200, lena.id]);
    const carls = await deps.db.selectFrom('attachments').select('id').where('employee_id', '=', carl.id).execute();
    expect(carls).toEqual([{ id: carlsPaper }]);
    for (const [method, path] of [
      ['PUT', `/api/employees/${carl.id}`],
      ['PUT', `/api/employees/${carl.id}/roles`],
      ['POST', `/api/employees/${carl.id}/job-history`],
      ['POST', `/api/employees/${carl.id}/reset-password`],
      ['DELETE', `/api/employees/${carl.id}/sessions`],
    ] as const)
      expect([
        path,
        (await northHr.send(method, path, { body: { employee_id: lena.id, id: lena.id } })).status,
      ]).toEqual([path, 404]);
  });
});
