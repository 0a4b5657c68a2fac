import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { archiveOf } from '../../testing/archive-fixtures.ts';
import type { Answer, Client } from '../../testing/client.ts';
import { sampleFiles } from '../../testing/file-samples.ts';
import type { MadeEmployee } from '../../testing/make.ts';

/** Each staged file passes the checks of adding one file to its person: at the check, the commit and the undo. */

const { as, make, deps, owner } = await startApp();
const samples = await sampleFiles();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const theirs = await make.entity({ name: 'Others Ltd' });
const sales = await make.department({ entity_id: acme.id });
const far = await make.department({ entity_id: theirs.id });
const limited = (role: string) => ({ role, entity_ids: [acme.id] });
const me = await make.employee({ roles: [limited('HR')], department_id: sales.id });
const hr = await as(me.user_id);
const hrOfAll = await as((await make.employee({ roles: ['HR'], department_id: far.id })).user_id);
const other = await as((await make.employee({ roles: [limited('HR')], department_id: sales.id })).user_id);
const person = (fields: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ department_id: sales.id, ...fields });

/** A role that can change people of the company but sees no private details. */
async function officer() {
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, description, scope) values ('Filing', 'Files papers', 'all') returning id`,
  );
  await owner.query(
    `insert into role_permissions (role_id, permission)
     select $1, unnest(array['employees.view', 'employees.update'])`,
    [rows[0]?.id],
  );
  return make.employee({ roles: [limited('Filing')], department_id: sales.id });
}
const clerk = await as((await officer()).user_id);

const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
let serial = 0;
const pdf = () => Buffer.concat([samples.pdf, Buffer.from(`\n%${(serial += 1)}\n%%EOF\n`)]);
const at = (id: number) => `/api/attachments/imports/${id}`;
const send = (files: Readonly<Record<string, Buffer>>, client: Client, category: string, dry_run = '1') => {
  const content = archiveOf(Object.entries(files).map(([name, bytes]) => ({ name, content: bytes })));
  const fields = { dry_run, defaults: JSON.stringify({ category }) };
  return client.upload('/api/attachments/import', { name: `files-${(serial += 1)}.zip`, content }, fields);
};
const rowsOf = async (id: number, client: Client) => ok(await client.get(`${at(id)}/rows?per_page=100`));
async function check(people: readonly MadeEmployee[], client: Client = hr, category = 'contract') {
  const files = Object.fromEntries(people.map(({ employee_number }, n) => [`${employee_number}/Zq${n}.pdf`, pdf()]));
  const { id } = ok(await send(files, client, category));
  return { id: id as number, rows: await rowsOf(id, client) };
}
const commit = async (id: number, client = hr) => ok(await client.post(`${at(id)}/commit`));
const filesOf = async ({ id }: MadeEmployee) =>
  deps.db.selectFrom('attachments').selectAll().where('employee_id', '=', id).orderBy('id').execute();
const unknown = { employee_number: ['No employee with this number. Check the number, or import the person first.'] };

describe('the importer', () => {
  test('adds files to people of the own company; others are unknown, and so are deleted people', async () => {
    const near = await person();
    const gone = await person();
    await owner.query('update employees set deleted_at = now() where id = $1', [gone.id]);
    const stranger = await make.employee({ department_id: far.id });
    const { id, rows } = await check([near, stranger, gone]);
    expect(rows.map(({ errors }: { errors: object }) => errors)).toEqual([{}, unknown, unknown]);
    expect(rows.map(({ key, subject_id }: Record<string, unknown>) => [key, subject_id]).slice(1)).toEqual([
      [stranger.employee_number, null],
      [gone.employee_number, null],
    ]);
    await commit(id);
    expect([await filesOf(near), await filesOf(stranger)].map(({ length }) => length)).toEqual([1, 0]);
  });

  test('without the permission has no import', async () => {
    const plain = await as((await person()).user_id);
    for (const client of [plain, await as()]) {
      const answers = [
        await send({ '1/a.pdf': pdf() }, client, 'contract'),
        await client.get('/api/attachments/imports'),
        await client.get('/api/attachments/import/sample'),
      ];
      const status = client === plain ? 403 : 401;
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
  });

  test('adds no identity documents without access to private details, as alone', async () => {
    const one = await person();
    const { id, rows } = await check([one], clerk, 'id_document');
    expect(rows[0].errors).toEqual({ category: [expect.stringContaining('permi')] });
    ok(await clerk.put(`${at(id)}/rows/1`, { cells: { category: 'letter' } }));
    expect(await commit(id, clerk)).toMatchObject({ counts: { created: 1 } });
    expect((await check([one], hr, 'id_document')).rows[0].errors).toEqual({});
  });

  test('adds no files to administrators without being one', async () => {
    const admin = await person({ roles: ['Admin'] });
    const { rows } = await check([admin]);
    expect(rows[0].errors).toEqual({ employee_number: ['You don’t have permission to import this row.'] });
  });

  test('does not learn that a person has an identity document with the same content', async () => {
    const one = await person();
    const same = pdf();
    ok(
      await hr.upload(
        `/api/employees/${one.id}/attachments`,
        { name: 'a.pdf', content: same },
        { category: 'id_document' },
      ),
    );
    const files = { [`${one.employee_number}/b.pdf`]: same };
    const [asClerk, asHr] = [ok(await send(files, clerk, 'letter')).id, ok(await send(files, hr, 'letter')).id];
    expect([(await rowsOf(asClerk, clerk))[0].action, (await rowsOf(asHr, hr))[0].action]).toEqual(['create', 'skip']);
  });

  test('who lost the right since the check writes nothing', async () => {
    const one = await person();
    const mover = await person({ roles: [limited('HR')] });
    const client = await as(mover.user_id);
    const { id } = await check([one], client);
    await owner.query(
      `update employees set entity_id = $1, department_id = $2, reporting_manager_id = null where id = $3`,
      [theirs.id, far.id, one.id],
    );
    const refused = await client.post(`${at(id)}/commit`);
    expect(refused.status).toBe(422);
    expect((await rowsOf(id, client))[0].errors).toEqual(unknown);
    expect(await filesOf(one)).toEqual([]);
  });

  test('adds no file to the own record', async () => {
    const { id, rows } = await check([me, await person()]);
    expect(rows.map(({ errors }: { errors: object }) => errors)).toEqual([
      { employee_number: ['You don’t have permission to import this row.'] },
      {},
    ]);
    await hr.post(`${at(id)}/commit`);
    expect(await filesOf(me)).toEqual([]);
  });
});

describe('readers of an import', () => {
  test('are its uploader and HR of everything; names of files are for readers of private details', async () => {
    const one = await person();
    const { id } = await check([one], clerk, 'letter');
    for (const client of [hr, other]) {
      expect((await client.get(at(id))).status).toBe(404);
      expect((await client.get(`${at(id)}/rows`)).status).toBe(404);
      expect((await client.post(`${at(id)}/commit`)).status).toBe(404);
      expect((await client.delete(at(id))).status).toBe(404);
    }
    expect((await rowsOf(id, hrOfAll))[0].cells).toMatchObject({ title: 'Zq0' });
    expect((await hrOfAll.post(`${at(id)}/commit`)).status).toBe(403);
    expect((await hrOfAll.put(`${at(id)}/rows/1`, { left_out: true })).status).toBe(403);
  });

  test('without private details see neither names nor categories, nor find by them', async () => {
    const wide = await make.employee({ roles: ['Filing' as 'HR'], department_id: far.id });
    const reader = await as(wide.user_id);
    const one = await person();
    const { id } = await check([one], hr, 'id_document');
    const { status, body } = await reader.get(`${at(id)}/rows`);
    expect([status, Object.keys(body.data[0].cells).toSorted()]).toEqual([
      200,
      ['employee_number', 'size', 'visibility'],
    ]);
    const answers = [body, (await reader.get(at(id))).body, (await reader.get(`${at(id)}/errors.csv`)).body];
    expect(JSON.stringify(answers)).not.toMatch(/Zq0|id_document/);
    expect((await reader.get(`${at(id)}/rows?search=Zq0`)).body.data).toEqual([]);
    expect((await hr.get(`${at(id)}/rows?search=Zq0`)).body.data).toHaveLength(1);
  });

  test('in a view of a role see no names, also of the own imports', async () => {
    const admin = await make.admin();
    const client = await as(admin.user_id);
    const { id } = await check([await person()], client, 'letter');
    const { rows } = await owner.query<{ id: number }>(`select id from roles where name = 'HR'`);
    ok(await client.post(`/api/roles/${rows[0]?.id}/view`, { entity_ids: null }));
    const { status, body } = await client.get(`${at(id)}/rows`);
    expect([status, JSON.stringify(body)]).toEqual([200, expect.not.stringContaining('Zq0')]);
  });
});

describe('an undo', () => {
  const undo = (id: number, client = hr) => client.post(`${at(id)}/undo`);

  test('deletes what the import added, and its content a day later', async () => {
    const [one, two] = [await person(), await person()];
    const { id } = await check([one, two]);
    await commit(id);
    const [file] = await filesOf(one);
    expect(ok(await undo(id))).toMatchObject({ status: 'undone', kept_count: 0 });
    expect([await filesOf(one), await filesOf(two)]).toEqual([[], []]);
    const { rows } = await owner.query('select file_key from removed_files where file_key = $1', [file?.file_key]);
    expect(rows).toHaveLength(1);
    const { rows: log } = await owner.query(
      `select reason from audit_log where action = 'attachment.deleted' and subject_id = $1`,
      [file?.id],
    );
    expect(log).toEqual([{ reason: expect.stringContaining(`Undo of import ${id} (`) }]);
    expect((await rowsOf(id, hr)).map(({ status }: { status: string }) => status)).toEqual(['undone', 'undone']);
  });

  test('leaves files changed or deleted since, and those of people out of reach', async () => {
    const people = [await person(), await person(), await person(), await person()] as const;
    const { id } = await check(people);
    await commit(id);
    const [[changed], [deleted]] = [await filesOf(people[0]), await filesOf(people[1])];
    ok(await hr.put(`/api/employees/${people[0].id}/attachments/${changed?.id}`, { title: 'Other' }));
    await hr.delete(`/api/employees/${people[1].id}/attachments/${deleted?.id}`);
    await owner.query('update employees set entity_id = $1, department_id = $2 where id = $3', [
      theirs.id,
      far.id,
      people[2].id,
    ]);
    const done = ok(await undo(id));
    expect(done).toMatchObject({
      status: 'partly_undone',
      kept_rows: [
        { row: 1, reason: 'changed_since' },
        { row: 2, reason: 'changed_since' },
        { row: 3, reason: 'not_permitted' },
      ],
    });
    expect((await Promise.all(people.map(filesOf))).map(({ length }) => length)).toEqual([1, 0, 1, 0]);
  });

  test('without a row that can go changes nothing', async () => {
    const one = await person();
    const { id } = await check([one]);
    await commit(id);
    await owner.query(`update attachments set title = 'x' where employee_id = $1`, [one.id]);
    const refused = await undo(id);
    expect([refused.status, refused.body.errors.rows]).toEqual([
      422,
      ['The record from row 1 has been changed since the import.'],
    ]);
    expect(await filesOf(one)).toHaveLength(1);
    await owner.query(`update imports set undo_until = now() where id = $1`, [id]);
    expect((await undo(id)).status).toBe(422);
  });

  test('of others leaves the files of the own record', async () => {
    const self = await make.employee({ roles: ['HR'], department_id: sales.id });
    const { id } = await check([self], hrOfAll);
    await commit(id, hrOfAll);
    const refused = await undo(id, await as(self.user_id));
    expect([refused.status, await filesOf(self)]).toEqual([422, [expect.anything()]]);
    expect(ok(await undo(id, hrOfAll))).toMatchObject({ status: 'undone' });
    expect(await filesOf(self)).toEqual([]);
  });
});

describe('HR of all companies', async () => {
  const colleague = await person({ roles: ['HR'] });
  const reader = await as(colleague.user_id);

  test('reads nothing of files about themselves that others import, and all of the rest', async () => {
    const near = await person();
    const secret = {
      [`${colleague.employee_number}/Zqwarning.pdf`]: pdf(),
      [`${near.employee_number}/Zqother.pdf`]: pdf(),
    };
    const { id } = ok(await send(secret, hr, 'other'));
    const seen = async () => {
      const paths = [at(id), `${at(id)}/rows?per_page=100`, `${at(id)}/rows?search=Zqwarning`, `${at(id)}/problems`];
      return JSON.stringify(await Promise.all(paths.map(async (path) => ok(await reader.get(path)))));
    };
    for (const step of [
      () => Promise.resolve(),
      async () => ok(await hr.put(`${at(id)}/rows/1`, { left_out: true })),
      async () => ok(await hr.put(`${at(id)}/rows/1`, { left_out: false, cells: { category: 'Zqnone' } })),
      async () => ok(await hr.put(`${at(id)}/rows/1`, { cells: { category: 'other' } })),
      () => commit(id),
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one state after the other
      await step();
      // oxlint-disable-next-line no-await-in-loop -- one state after the other
      const text = await seen();
      expect(text).toContain('Zqother');
      expect(text).not.toMatch(/Zqwarning|Zqnone/);
      // oxlint-disable-next-line no-await-in-loop -- one state after the other
      expect((await reader.get(`${at(id)}/errors.csv`)).bytes.toString()).not.toMatch(/Zqwarning|Zqnone/);
    }
    expect((await filesOf(colleague)).map(({ visibility }) => visibility)).toEqual(['hr_only']);
    expect((await rowsOf(id, hr)).length).toBe(2);
  });

  test('nor of those in a folder whose person the importer does not reach', async () => {
    const away = await make.employee({ roles: ['HR'], department_id: far.id });
    const secret = {
      [`${away.employee_number} Anna Berg/Zqwarning.pdf`]: pdf(),
      [`${(await person()).employee_number} Zqother/Zqother.pdf`]: pdf(),
    };
    const { id } = ok(await send(secret, hr, 'other'));
    expect((await rowsOf(id, hr)).length).toBe(2);
    const seen = JSON.stringify(await rowsOf(id, await as(away.user_id)));
    expect(seen).toContain('Zqother');
    expect(seen).not.toContain('Zqwarning');
  });
});
