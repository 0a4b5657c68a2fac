import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { programOf } from '../testing/programs.ts';
import { provisioning } from '../testing/provisioning.ts';
import { enterpriseSchema } from './attributes.ts';

const service = await startApp();
const { deps, as, make } = service;
const connect = provisioning(service);
const acme = await make.entity();
const other = await make.entity();
await make.admin();

let serial = 0;
/** A person of the company with an account. */
async function person(fields: Record<string, unknown> = {}) {
  serial += 1;
  return make.employee({ entity_id: acme.id, email: `ada${serial}@acme.example`, ...fields });
}
const work = (value: string) => ({ emails: [{ value, type: 'work', primary: true }] });
const statusOf = async (userId: number) =>
  (await (await as(userId)).get('/api/me').catch(() => ({ status: 0 }))).status;

const entra = await connect({ entity_ids: [acme.id] });

describe('a user that a provider adds', () => {
  test('is the account with the work address, which stays as it is', async () => {
    const ada = await person({ first_name: 'Ada', last_name: 'Byron', job_title: 'Analyst' });
    const before = await rowsOf(ada.user_id);
    const { status, body, headers } = await entra.addUser('ada.byron', {
      externalId: 'e-1',
      displayName: 'Somebody Else',
      name: { givenName: 'Some', familyName: 'Body' },
      title: 'Boss',
      ...work(ada.email.toUpperCase()),
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      userName: 'ada.byron',
      externalId: 'e-1',
      active: true,
      displayName: 'Ada Byron',
      name: { givenName: 'Ada', familyName: 'Byron' },
      title: 'Analyst',
      emails: [{ value: ada.email, type: 'work', primary: true }],
      [enterpriseSchema]: { employeeNumber: ada.employee_number, organization: acme.name },
      meta: { resourceType: 'User', location: `http://localhost:8000/scim/v2/Users/${body.id}` },
    });
    expect([headers['location'], headers['etag']]).toEqual([body.meta.location, body.meta.version]);
    expect(headers['content-type']).toBe('application/scim+json; charset=utf-8');
    expect(headers['set-cookie']).toBeUndefined();
    expect(await rowsOf(ada.user_id)).toEqual(before);
  });

  test('is the account with the employee number, where one company uses it', async () => {
    const [ada, stranger] = [await person(), await make.employee({ entity_id: other.id, email: 'x@other.example' })];
    const number = (value: string) => ({ [enterpriseSchema]: { employeeNumber: value } });
    const { body } = await entra.addUser('by.number', number(ada.employee_number));
    expect(body.emails[0].value).toBe(ada.email);
    const { status, body: out } = await entra.addUser('out.of.reach', number(stranger.employee_number));
    expect([status, out.emails]).toEqual([201, undefined]);
  });

  test.each([
    ['an administrator', async () => (await person({ roles: ['Admin'] })).email],
    ['a person of another company', async () => (await make.employee({ entity_id: other.id })).email],
    [
      'a deleted person',
      async () => {
        const ada = await person();
        await deps.db
          .updateTable('employees')
          .set({ deleted_at: sql`now()`, activity_status: 'inactive' })
          .where('id', '=', ada.id)
          .execute();
        return ada.email;
      },
    ],
    [
      'an account of another connection',
      async () => {
        const ada = await person();
        await (await connect({ entity_ids: [acme.id] })).addUser('theirs', work(ada.email));
        return ada.email;
      },
    ],
    ['an account without a person', async () => (await make.admin()).email],
    ['a person whose address only looks alike', async () => (await person()).email.replace('a', '\u{ff41}')],
    [
      'a person whose address has another letter',
      async () => (await person({ email: 'kim@acme.example' })).email.replace('k', '\u{212a}'),
    ],
  ])('is never %s: it waits for HR', async (_who, addressOf) => {
    serial += 1;
    const { status, body } = await entra.addUser(`waits${serial}`, { ...work(await addressOf()), displayName: 'Ada' });
    expect([status, body.active, body.displayName]).toEqual([201, true, 'Ada']);
    const row = await deps.db.selectFrom('scim_users').selectAll().where('id', '=', body.id).executeTakeFirstOrThrow();
    expect(row.user_id).toBeNull();
  });

  test('is refused without an account, where the connection says so', async () => {
    const strict = await connect({ unmatched: 'refuse' });
    const { status, body } = await strict.addUser('nobody');
    expect([status, body.scimType]).toEqual([400, 'invalidValue']);
    expect((await strict.get('/Users')).body.totalResults).toBe(0);
  });

  test('has a name of its own in any case, and an id of the provider', async () => {
    await entra.addUser('Twice', { externalId: 'twice' });
    for (const [userName, externalId] of [
      ['tWICE', 'x'],
      ['another', 'twice'],
    ] as const) {
      const { status, body } = await entra.addUser(userName, { externalId });
      expect([status, body.scimType, body.schemas]).toEqual([
        409,
        'uniqueness',
        ['urn:ietf:params:scim:api:messages:2.0:Error'],
      ]);
    }
  });

  test('needs a name', async () => {
    const { status, body } = await entra.send('POST', '/Users', { displayName: 'Ada' });
    expect([status, body.scimType]).toEqual([400, 'invalidValue']);
  });
});

const rowsOf = async (userId: number) => {
  const { rows } = await sql`
    select to_jsonb(u) as account, to_jsonb(e) as person from users u left join employees e on e.user_id = u.id
    where u.id = ${userId}`.execute(deps.db);
  return rows[0];
};

describe('switched off at the provider', () => {
  test('a person is out at the next request, and nothing but the sign-in changes', async () => {
    const ada = await person();
    const browser = await as(ada.user_id);
    const { body } = await entra.addUser('off.1', work(ada.email));
    const program = await programOf(service, ada.user_id, ['employees.view']);
    expect([(await browser.get('/api/me')).status, (await program.get('/api/me')).status]).toEqual([200, 200]);
    const before = (await rowsOf(ada.user_id)) as { person: unknown };
    // as sent by Entra ID
    const off = await entra.patch(`/Users/${body.id}`, { op: 'Replace', path: 'active', value: 'False' });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect([(await browser.get('/api/me')).status, (await program.get('/api/me')).status]).toEqual([401, 401]);
    expect(((await rowsOf(ada.user_id)) as { person: unknown }).person).toEqual(before.person);

    // as sent by Okta; the ended session stays ended
    const on = await entra.patch(`/Users/${body.id}`, { op: 'replace', value: { active: true } });
    expect(on.body.active).toBe(true);
    expect([(await browser.get('/api/me')).status, (await program.get('/api/me')).status]).toEqual([401, 401]);
    expect(await statusOf(ada.user_id)).toBe(200);
  });

  test('the own block alone is lifted', async () => {
    const ada = await person();
    const { body } = await entra.addUser('left.1', work(ada.email));
    await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', ada.id).execute();
    const { body: on } = await entra.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: true });
    expect(on.active).toBe(false);

    const eve = await person();
    await deps.db.updateTable('users').set({ is_enabled: false }).where('id', '=', eve.user_id).execute();
    const { body: made } = await entra.addUser('off.by.others', work(eve.email));
    await entra.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: false });
    const { body: after } = await entra.patch(`/Users/${made.id}`, { op: 'replace', path: 'active', value: true });
    expect(after.active).toBe(false);
  });

  test('a change of something else says nothing of the sign-in', async () => {
    const ada = await person();
    const { body } = await entra.addUser('left.2', work(ada.email));
    await deps.db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', ada.id).execute();
    await entra.patch(`/Users/${body.id}`, { op: 'replace', path: 'userName', value: 'left.2b' });
    expect(await deps.db.selectFrom('sign_in_blocks').selectAll().where('user_id', '=', ada.user_id).execute()).toEqual(
      [],
    );
  });

  test('the last active administrator stays', async () => {
    const lone = await startApp();
    const admin = await lone.make.employee({ roles: ['Employee'] });
    const directory = await provisioning(lone)();
    const { body } = await directory.addUser('admin', work(admin.email));
    await lone.deps.db
      .insertInto('role_assignments')
      .values({ user_id: admin.user_id, role_id: sql`(select id from roles where name = 'Admin')` })
      .execute();
    const off = await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false });
    expect([off.status, off.body.detail]).toEqual([403, 'The last active administrator cannot be switched off.']);
    expect((await directory.send('DELETE', `/Users/${body.id}`)).status).toBe(403);
    expect((await (await lone.as(admin.user_id)).get('/api/me')).status).toBe(200);
    await lone.make.admin();
    expect((await directory.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false })).status).toBe(
      200,
    );
  });

  test('an emergency account is let go', async () => {
    const ada = await person();
    const { body } = await entra.addUser('emergency', work(ada.email));
    await entra.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false });
    await deps.db.updateTable('users').set({ break_glass: true }).where('id', '=', ada.user_id).execute();
    expect((await entra.get(`/Users/${body.id}`)).status).toBe(404);
    expect(await statusOf(ada.user_id)).toBe(200);
  });

  test('a person who moved out of reach is left alone', async () => {
    const ada = await person();
    const { body } = await entra.addUser('moved', work(ada.email));
    const { id: department_id } = await make.department({ entity_id: other.id });
    await deps.db
      .updateTable('employees')
      .set({ entity_id: other.id, department_id })
      .where('id', '=', ada.id)
      .execute();
    const { body: after } = await entra.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false });
    expect(after).not.toHaveProperty('active');
    expect(await rowsOf(ada.user_id)).toMatchObject({ account: { is_enabled: true } });
  });

  test('a removed user is a person who cannot sign in', async () => {
    const ada = await person();
    const { body } = await entra.addUser('removed', work(ada.email));
    expect((await entra.send('DELETE', `/Users/${body.id}`)).status).toBe(204);
    expect((await entra.get(`/Users/${body.id}`)).status).toBe(404);
    const row = (await rowsOf(ada.user_id)) as {
      account: { is_enabled: boolean };
      person: { activity_status: string };
    };
    expect([row.account.is_enabled, row.person.activity_status]).toEqual([false, 'active']);
    // after being added again, the person can sign in again
    const { body: again } = await entra.addUser('removed', work(ada.email));
    expect([again.active, again.emails[0].value]).toEqual([true, ada.email]);
  });
});

describe('a change', () => {
  test('keeps the name that a replacement leaves out, and says what it did', async () => {
    const { body } = await entra.addUser('keeps', { externalId: 'k1', displayName: 'K' });
    const put = await entra.send('PUT', `/Users/${body.id}`, { displayName: 'Kay', externalId: 'k2' });
    expect(put.body).toMatchObject({ userName: 'keeps', externalId: 'k2', displayName: 'Kay', active: true });
    expect((await entra.send('PUT', `/Users/${body.id}`, { id: 'x', userName: 'y' })).body.scimType).toBe('mutability');
  });

  test('finds the account that HR added meanwhile', async () => {
    const { body } = await entra.addUser('early', work('early@acme.example'));
    const ada = await person({ email: 'early@acme.example' });
    const { body: after } = await entra.patch(`/Users/${body.id}`, { op: 'add', path: 'title', value: 'x' });
    expect(after[enterpriseSchema].employeeNumber).toBe(ada.employee_number);
  });

  test('of another version is refused, and a version that is known is not sent', async () => {
    const { body } = await entra.addUser('versions');
    const path = `/Users/${body.id}`;
    const { version } = body.meta;
    expect((await entra.get(path, { 'if-none-match': version })).status).toBe(304);
    const put = (tag: string, userName: string) => entra.send('PUT', path, { userName }, { 'if-match': tag });
    expect((await put(version, 'versions2')).status).toBe(200);
    expect((await put(version, 'versions3')).status).toBe(412);
    expect((await put('*', 'versions3')).status).toBe(200);
    expect((await entra.get(path, { 'if-none-match': version })).status).toBe(200);
  });

  test('is all or nothing', async () => {
    const { body } = await entra.addUser('whole');
    const { status } = await entra.patch(
      `/Users/${body.id}`,
      { op: 'replace', path: 'userName', value: 'half' },
      { op: 'replace', path: 'active', value: 'maybe' },
    );
    expect(status).toBe(400);
    expect((await entra.get(`/Users/${body.id}`)).body.userName).toBe('whole');
  });
});

describe('a dry run', () => {
  test('answers everything and changes no row but its log', async () => {
    const [ada, eve] = [await person(), await person()];
    const tried = await connect({ entity_ids: [acme.id] });
    const { body } = await tried.addUser('dry', work(ada.email));
    const { body: group } = await tried.addGroup('dry', [body.id]);
    await deps.db.updateTable('scim_connections').set({ is_dry_run: true }).where('id', '=', tried.id).execute();
    const before = await countsOf();
    const off = await tried.patch(`/Users/${body.id}`, { op: 'replace', path: 'active', value: false });
    expect([off.status, off.body.active]).toEqual([200, false]);
    expect((await tried.addUser('dry2', work(eve.email))).status).toBe(201);
    expect((await tried.send('DELETE', `/Users/${body.id}`)).status).toBe(204);
    expect(
      (await tried.patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: [{ value: body.id }] })).status,
    ).toBe(200);
    expect((await tried.addGroup('dry2')).status).toBe(201);
    expect(await countsOf()).toEqual(before);
    expect(await statusOf(ada.user_id)).toBe(200);
    const log = await deps.db
      .selectFrom('scim_requests')
      .select(['effect', 'is_dry_run'])
      .where('connection_id', '=', tried.id)
      .orderBy('id')
      .execute();
    expect(log.slice(2)).toEqual(
      ['sign_in_blocked', 'adopted', 'sign_in_blocked', 'updated', 'updated'].map((effect) => ({
        effect,
        is_dry_run: true,
      })),
    );
  });
});

/** A hash of every row of every table that a request could change. */
async function countsOf() {
  const tables = [
    'users',
    'employees',
    'scim_users',
    'scim_groups',
    'scim_members',
    'sign_in_blocks',
    'audit_log',
    'session_register',
    'role_assignments',
    'notifications',
  ];
  const rows = await Promise.all(
    tables.map(async (table) => {
      const {
        rows: [row],
      } = await sql<{ n: number; sum: string }>`
        select count(*) as n, md5(coalesce(string_agg(md5(t::text), '' order by md5(t::text)), '')) as sum from ${sql.table(table)} t`.execute(
        deps.db,
      );
      return [table, row];
    }),
  );
  return Object.fromEntries(rows) as object;
}

describe('a list', () => {
  test('has pages, filters and chosen attributes', async () => {
    const listed = await connect({ entity_ids: [acme.id] });
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      await listed.addUser(`list.${name}`, { externalId: name, displayName: name });
    const first = (await listed.get('/Users?startIndex=1&count=2')).body;
    const second = (await listed.get('/Users?startIndex=3&count=2&attributes=userName')).body;
    expect([first.totalResults, first.startIndex, first.itemsPerPage]).toEqual([5, 1, 2]);
    expect([second.totalResults, second.startIndex, second.itemsPerPage]).toEqual([5, 3, 2]);
    expect(Object.keys(second.Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName']);
    const rest = (await listed.get('/Users?startIndex=5&excludedAttributes=userName,meta.location')).body.Resources;
    expect(rest).toHaveLength(1);
    expect([rest[0].userName, rest[0].meta.location, rest[0].meta.resourceType]).toEqual([
      undefined,
      undefined,
      'User',
    ]);
    expect((await listed.get('/Users?count=0')).body).toMatchObject({ totalResults: 5, Resources: [] });
    const found = async (filter: string) =>
      (await listed.get(`/Users?filter=${encodeURIComponent(filter)}`)).body.Resources?.map(
        ({ userName }: { userName: string }) => userName,
      );
    expect(await found('userName eq "LIST.A"')).toEqual(['list.a']);
    expect(await found('externalId eq "A"')).toEqual([]);
    expect((await found('externalId eq "a" or (userName ew ".b" and active eq true)')).toSorted()).toEqual([
      'list.a',
      'list.b',
    ]);
    expect(await found('not (userName sw "list") or displayName eq "c"')).toEqual(['list.c']);
    expect(await found(`id eq "${first.Resources[0].id}"`)).toEqual([first.Resources[0].userName]);
    expect(await found('active eq "False"')).toEqual([]);
    expect((await found('meta.lastModified gt "2020-01-01T00:00:00Z"')).length).toBe(5);
    expect(await found('urn:ietf:params:scim:schemas:core:2.0:User:userName eq "list.e"')).toEqual(['list.e']);
  });

  test('can be asked for by a body, of users, of groups and of both', async () => {
    const searched = await connect();
    await searched.addUser('search.user');
    await searched.addGroup('search.group');
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const search = async (path: string, fields: object) => {
      const { body } = await searched.send('POST', `${path}/.search`, { schemas, ...fields });
      return [
        body.totalResults,
        body.Resources?.map((one: Record<string, string>) => one['userName'] ?? one['displayName']),
      ];
    };
    expect(await search('/Users', { filter: 'userName eq "search.user"', count: 1 })).toEqual([1, ['search.user']]);
    expect(await search('/Groups', { count: 0 })).toEqual([1, []]);
    expect(await search('', {})).toEqual([2, ['search.user', 'search.group']]);
    expect(await search('', { startIndex: 2 })).toEqual([2, ['search.group']]);
    expect(await search('', { count: 1 })).toEqual([2, ['search.user']]);
    expect(await search('', { filter: 'displayName eq "search.group"' })).toEqual([1, ['search.group']]);
    expect((await searched.send('POST', '/.search', {})).status).toBe(400);
  });

  test('finds an account by its address, also in brackets', async () => {
    const ada = await person();
    await entra.addUser('addressed', work(ada.email));
    for (const filter of [
      `emails.value eq "${ada.email}"`,
      `emails[type eq "work" and value eq "${ada.email}"]`,
      `emails eq "${ada.email}"`,
    ]) {
      const { body } = await entra.get(`/Users?filter=${encodeURIComponent(filter)}`);
      expect(body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual(['addressed']);
    }
  });

  test.each([
    'password eq "x"',
    'groups pr',
    'userName eq 1',
    'active gt true',
    'id co "a"',
    'meta.lastModified eq "today"',
  ])('takes no filter such as %s', async (filter) => {
    const { status, body } = await entra.get(`/Users?filter=${encodeURIComponent(filter)}`);
    expect([status, body.scimType]).toEqual([400, 'invalidFilter']);
  });
});

describe('the service', () => {
  test('describes itself', async () => {
    const { body: config } = await entra.get('/ServiceProviderConfig');
    expect(config).toMatchObject({ patch: { supported: true }, bulk: { supported: false }, etag: { supported: true } });
    expect((await entra.get('/Schemas')).body.Resources.map(({ id }: { id: string }) => id)).toEqual([
      'urn:ietf:params:scim:schemas:core:2.0:User',
      enterpriseSchema,
      'urn:ietf:params:scim:schemas:core:2.0:Group',
    ]);
    expect((await entra.get('/ResourceTypes/User')).body.endpoint).toBe('/Users');
    expect((await entra.get('/Schemas?filter=x')).status).toBe(403);
    expect([(await entra.get('/Me')).status, (await entra.send('POST', '/Bulk', {})).status]).toEqual([501, 501]);
    expect((await entra.get('/Roles')).body.status).toBe('404');
    expect((await entra.send('DELETE', '/Schemas')).body.status).toBe('405');
  });

  test('refuses what is no JSON, no SCIM, or too large', async () => {
    const post = (body: unknown, type = 'application/scim+json') =>
      entra.send('POST', '/Users', body, { 'content-type': type });
    expect((await post('{')).body).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
    expect((await post([1])).body).toMatchObject({ status: '400', scimType: 'invalidSyntax' });
    expect((await post('userName=a', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post({ userName: 'x'.repeat(5_000_000) })).status).toBe(413);
    expect((await post({ userName: 'json', title: 'x' }, 'application/json')).status).toBe(201);
  });
});
