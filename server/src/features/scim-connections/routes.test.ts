import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { scimClient } from '../../testing/provisioning.ts';

const service = await startApp();
const { as, make, deps, owner } = service;
const admin = await as((await make.admin()).user_id);
const [acme, beta] = [await make.entity(), await make.entity()];
const path = '/api/scim-connections';
let serial = 0;

/** A connection created through the API, with its token. */
async function connect(fields: Record<string, unknown> = {}) {
  serial += 1;
  const made = await admin.post(path, { name: `Directory ${serial}`, ...fields });
  expect([made.status, made.body.errors]).toEqual([201, undefined]);
  const { id } = made.body.data as { id: number };
  const { body } = await admin.post(`${path}/${id}/token`, {});
  return { id, ...scimClient(service, body.data.token as string) };
}
const hr = async (entity_ids?: number[]) =>
  as((await make.employee({ roles: [entity_ids ? { role: 'HR', entity_ids } : 'HR'] })).user_id);
const work = (value: string) => ({ emails: [{ value, type: 'work' }] });

describe('a connection', () => {
  test('is added, changed, switched off and removed by administrators', async () => {
    const made = await admin.post(path, { name: 'Entra ID', entity_ids: [beta.id, acme.id, acme.id] });
    const { id } = made.body.data;
    expect(made.body.data).toMatchObject({
      is_enabled: true,
      is_dry_run: false,
      entity_ids: [acme.id, beta.id],
      unmatched: 'stage',
      base_url: 'http://localhost:8000/scim/v2',
      token: null,
      waiting_count: 0,
      allowed_actions: ['update', 'disable', 'token', 'delete'],
    });
    const put = await admin.put(`${path}/${id}`, { revision: 1, is_dry_run: true, entity_ids: null });
    expect(put.body.data).toMatchObject({ name: 'Entra ID', is_dry_run: true, entity_ids: null, revision: 2 });
    expect((await admin.put(`${path}/${id}`, { revision: 1, name: 'Late' })).status).toBe(422);
    expect((await admin.post(path, { name: 'ENTRA id' })).body.errors).toHaveProperty('name');
    expect((await admin.post(path, { name: 'Other', entity_ids: [999] })).body.errors).toHaveProperty('entity_ids');
    expect((await admin.post(path, { name: 'Other', provider_id: 999 })).body.errors).toHaveProperty('provider_id');
    expect((await admin.get(`${path}?search=entra`)).body.data).toHaveLength(1);
    expect((await admin.delete(`${path}/${id}`)).status).toBe(204);
    expect((await admin.get(`${path}/${id}`)).status).toBe(404);
    const { rows } = await owner.query(
      "select action from audit_log where subject_type = 'scim_connection' and subject_id = $1 order by id",
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'scim_connection.created',
      'scim_connection.updated',
      'scim_connection.deleted',
    ]);
  });

  test('has one token, which is shown once and ends with the next one', async () => {
    const first = await connect();
    expect((await first.get('/Users')).status).toBe(200);
    const answer = await admin.post(`${path}/${first.id}/token`, {});
    expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
    const { token } = answer.body.data;
    expect(token).toMatch(/^tnrc_[0-9A-Za-z]{49}$/);
    expect((await first.get('/Users')).status).toBe(401);
    const second = scimClient(service, token as string);
    expect((await second.get('/Users')).status).toBe(200);
    const shown = await admin.get(`${path}/${first.id}`);
    expect(shown.body.data.token).toMatchObject({ hint: (token as string).slice(-4), last_used_ip: '127.0.0.1' });
    expect(JSON.stringify(shown.body)).not.toContain(token);
    const { rows } = await owner.query('select count(*)::int as n from audit_log where changes::text like $1', [
      `%${token}%`,
    ]);
    expect(rows[0].n).toBe(0);
    expect((await admin.delete(`${path}/${first.id}/token`)).status).toBe(204);
    expect((await second.get('/Users')).status).toBe(401);
    expect((await admin.get(`${path}/${first.id}`)).body.data.token).toBeNull();
  });

  test('answers no more while it is off, and none of the next requests after it is gone', async () => {
    const one = await connect();
    expect((await admin.post(`${path}/${one.id}/disable`, {})).body.data.is_enabled).toBe(false);
    expect((await one.get('/Users')).status).toBe(401);
    await admin.post(`${path}/${one.id}/enable`, {});
    expect((await one.get('/Users')).status).toBe(200);
    await admin.delete(`${path}/${one.id}`);
    expect((await one.get('/Users')).status).toBe(401);
  });

  test('acts with an account that no rule of sign-in counts', async () => {
    const people = async () => (await admin.get('/api/sign-in-policies')).body.data.policies[0].people_count as number;
    const before = await people();
    await connect();
    expect(await people()).toBe(before);
  });

  test('is nothing to HR', async () => {
    const { id } = await connect();
    const browser = await hr();
    expect((await browser.get(path)).status).toBe(403);
    expect((await browser.get(`${path}/${id}`)).status).toBe(403);
    expect((await browser.post(`${path}/${id}/token`, {})).status).toBe(403);
    expect((await browser.get(`${path}/${id}/requests`)).status).toBe(403);
  });
});

describe('users who wait', () => {
  test('are linked by HR to people whose account HR may give a password', async () => {
    const entra = await connect({ entity_ids: [acme.id] });
    const { body: user } = await entra.addUser('a.byron', {
      displayName: 'Ada Byron',
      ...work('ada@old.example'),
      active: false,
    });
    const [near, far] = [await hr([acme.id]), await hr([beta.id])];
    const listed = await near.get(`${path}/${entra.id}/waiting`);
    expect(listed.body.data).toMatchObject([
      { id: user.id, user_name: 'a.byron', display_name: 'Ada Byron', email: 'ada@old.example', is_active: false },
    ]);
    expect((await far.get(`${path}/${entra.id}/waiting`)).status).toBe(404);
    const [ada, boss, stranger] = [
      await make.employee({ entity_id: acme.id }),
      await make.employee({ entity_id: acme.id, roles: ['Admin'] }),
      await make.employee({ entity_id: beta.id }),
    ];
    const link = (employee_id: number, browser = near) =>
      browser.post(`${path}/${entra.id}/waiting/${user.id}/link`, { employee_id });
    expect([(await link(boss.id)).status, (await link(stranger.id)).status, (await link(ada.id, far)).status]).toEqual([
      403, 422, 404,
    ]);
    expect((await link(boss.id, admin)).body.errors).toHaveProperty('employee_id');
    const own = await as(ada.user_id);
    expect((await link(ada.id)).status).toBe(200);
    // the provider had already switched the user off
    expect((await own.get('/api/me')).status).toBe(401);
    expect((await entra.get(`/Users/${user.id}`)).body).toMatchObject({
      active: false,
      emails: [{ value: ada.email }],
    });
    expect((await near.get(`${path}/${entra.id}/waiting`)).body.data).toEqual([]);
    const { body: again } = await entra.addUser('second');
    const other = await near.post(`${path}/${entra.id}/waiting/${again.id}/link`, { employee_id: ada.id });
    expect(other.body.errors).toHaveProperty('employee_id');
  });

  test.each([
    ['in a dry run', (id: number) => admin.put(`${path}/${id}`, { revision: 1, is_dry_run: true })],
    ['disabled', (id: number) => admin.post(`${path}/${id}/disable`, {})],
  ])('are linked by no one while the connection is %s', async (_how, change) => {
    const entra = await connect({ entity_ids: [acme.id] });
    const { body: user } = await entra.addUser('dry', { active: false });
    expect((await change(entra.id)).status).toBe(200);
    const ada = await make.employee({ entity_id: acme.id });
    const near = await hr([acme.id]);
    const link = await near.post(`${path}/${entra.id}/waiting/${user.id}/link`, { employee_id: ada.id });
    expect([link.status, Object.keys(link.body.errors as object)]).toEqual([422, ['employee_id']]);
    expect((await near.get(`${path}/${entra.id}/waiting`)).body.data).toHaveLength(1);
    expect((await (await as(ada.user_id)).get('/api/me')).status).toBe(200);
  });

  test('are no people of companies that HR does not have', async () => {
    const entra = await connect({ entity_ids: [acme.id] });
    const [stranger, boss] = [await make.employee({ entity_id: beta.id }), await make.admin()];
    const number = (value: string) => ({
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { employeeNumber: value },
    });
    const { body: hidden } = await entra.addUser('by.address', work(stranger.email.toUpperCase()));
    await entra.addUser('by.second', { emails: [...work('x@old.example').emails, { value: stranger.email }] });
    await entra.addUser(stranger.email);
    await entra.addUser('by.number', number(stranger.employee_number.toLowerCase()));
    await entra.addUser('of.account', work(boss.email));
    await entra.addUser('new', { ...work('new@old.example'), ...number('NEW-1') });
    const [near, wide] = [await hr([acme.id]), await hr()];
    const namesOf = async (browser: typeof near) => {
      const { body } = await browser.get(`${path}/${entra.id}/waiting`);
      return [(body.data as { user_name: string }[]).map((one) => one.user_name), body.meta?.total];
    };
    expect((await namesOf(near))[0]).toEqual(['new']);
    expect((await namesOf(wide))[0]).toHaveLength(6);
    expect((await near.delete(`${path}/${entra.id}/waiting/${hidden.id}`)).status).toBe(404);
    expect((await wide.delete(`${path}/${entra.id}/waiting/${hidden.id}`)).status).toBe(204);
  });

  test('are one list over the connections whose companies HR has', async () => {
    await owner.query('delete from scim_users where user_id is null');
    const [ofAcme, ofBoth, ofAll] = [
      await connect({ entity_ids: [acme.id] }),
      await connect({ entity_ids: [acme.id, beta.id] }),
      await connect({ is_dry_run: true }),
    ];
    const stranger = await make.employee({ entity_id: beta.id });
    await ofAcme.addUser('new', { displayName: 'Nora New' });
    await ofAcme.addUser('hidden', work(stranger.email));
    await ofBoth.addUser('both');
    await admin.put(`${path}/${ofAll.id}`, { revision: 1, is_dry_run: false });
    await ofAll.addUser('all');
    await admin.put(`${path}/${ofAll.id}`, { revision: 2, is_dry_run: true });
    const list = '/api/people-waiting/provisioned';
    const namesOf = async (browser: typeof admin, query = '') =>
      ((await browser.get(`${list}?sort_by=user_name${query}`)).body.data as { user_name: string }[]).map(
        (one) => one.user_name,
      );
    const near = await hr([acme.id]);
    expect((await near.get(list)).body.data).toMatchObject([
      { user_name: 'new', connection: { id: ofAcme.id }, allowed_actions: ['link', 'create', 'dismiss'] },
    ]);
    expect(await namesOf(await hr([acme.id, beta.id]))).toEqual(['both', 'hidden', 'new']);
    const wide = await hr();
    expect(await namesOf(wide)).toEqual(['all', 'both', 'hidden', 'new']);
    expect(await namesOf(wide, '&search=nora')).toEqual(['new']);
    expect((await wide.get(`${list}?search=all`)).body.data).toMatchObject([{ allowed_actions: ['dismiss'] }]);
    const plain = await as((await make.employee()).user_id);
    expect((await plain.get(list)).status).toBe(403);
  });

  test('are taken from the list, and stay users of the provider', async () => {
    const entra = await connect();
    const { body: user } = await entra.addUser('robot', { displayName: 'Robot' });
    const browser = await hr();
    const row = `${path}/${entra.id}/waiting/${user.id}`;
    expect((await browser.delete(row)).status).toBe(204);
    expect((await browser.delete(row)).status).toBe(404);
    expect((await browser.get(`${path}/${entra.id}/waiting`)).body.data).toEqual([]);
    expect((await entra.get(`/Users/${user.id}`)).status).toBe(200);
    const theirs = await connect();
    expect((await browser.delete(`${path}/${theirs.id}/waiting/${user.id}`)).status).toBe(404);
  });
});

test('the log of a connection has what was done and refused, without values', async () => {
  const entra = await connect({ entity_ids: [acme.id] });
  const ada = await make.employee({ entity_id: acme.id, first_name: 'Ada', last_name: 'King' });
  const { body: user } = await entra.addUser('king', { ...work(ada.email), title: 'Secret title' });
  await entra.patch(`/Users/${user.id}`, { op: 'replace', value: { active: false, title: 'Secret title' } });
  await entra.get('/Users?filter=password%20eq%20%22secret%20word%22');
  await entra.get('/Users');
  const { body } = await admin.get(`${path}/${entra.id}/requests?sort_direction=asc`);
  expect(body.data).toMatchObject([
    { method: 'POST', resource: 'Users', status: 201, effect: 'adopted', person: 'Ada King', target: user.id },
    { method: 'PATCH', status: 200, effect: 'sign_in_blocked', changed: ['active'], ignored: ['title'] },
    { method: 'GET', status: 400, effect: null, detail: 'The filter cannot use password.' },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/secret/i);
  const { body: refused } = await admin.get(`${path}/${entra.id}/requests?refused=1`);
  expect(refused.data).toHaveLength(1);
  expect((await admin.get(`${path}/${entra.id}`)).body.data).toMatchObject({ users_count: 1, blocked_count: 1 });

  await deps.db
    .updateTable('scim_requests')
    .set({ at: sql`now() - interval '31 days'` })
    .execute();
  const { deleteScimRequests } = await import('../../jobs/housekeeping.ts');
  await deleteScimRequests({ deps, now: Temporal.Now.instant() });
  expect((await admin.get(`${path}/${entra.id}/requests`)).body.data).toEqual([]);
});

test('a block is seen by HR, outlives its connection, and is lifted by an administrator', async () => {
  const entra = await connect({ entity_ids: [acme.id], name: 'Gone directory' });
  const ada = await make.employee({ entity_id: acme.id });
  const { body: user } = await entra.addUser('gone', work(ada.email));
  await entra.send('DELETE', `/Users/${user.id}`);
  await admin.delete(`${path}/${entra.id}`);
  const [near, far] = [await hr([acme.id]), await hr([beta.id])];
  const blocks = `/api/employees/${ada.id}/sign-in-blocks`;
  const { body } = await near.get(blocks);
  expect(body.data).toMatchObject([{ source: 'Gone directory' }]);
  expect((await far.get(blocks)).status).toBe(404);
  expect((await near.delete(`${blocks}/${body.data[0].id}`)).status).toBe(403);
  expect((await (await as(ada.user_id)).get('/api/me')).status).toBe(401);
  expect((await admin.delete(`${blocks}/${body.data[0].id}`)).status).toBe(204);
  expect((await admin.delete(`${blocks}/${body.data[0].id}`)).status).toBe(404);
  expect((await (await as(ada.user_id)).get('/api/me')).status).toBe(200);
});
