import { expect, test } from 'vitest';
import { startSso } from '../../testing/single-sign-on.ts';

/** HR of a provider's companies sees who tried to sign in through it, without the permission to manage sign-in. */

const { op, as, admin, make, owner, addProvider, come } = await startSso();
const acme = await make.entity();
const beta = await make.entity();
const ofAcme = await addProvider({ name: 'Acme ID', domains: ['acme.example'], entity_ids: [acme.id] });
const ofBoth = await addProvider({ name: 'Group ID', domains: ['group.example'], entity_ids: [acme.id, beta.id] });
const ofAll = await addProvider({ name: 'All ID', domains: ['all.example'] });
const hrOf = async (...entities: { id: number }[]) => {
  const entity_ids = entities.map(({ id }) => id);
  const roles = [entity_ids.length > 0 ? ({ role: 'HR', entity_ids } as const) : ('HR' as const)];
  const { user_id } = await make.employee({ entity_id: acme.id, roles });
  return { user_id, client: await as(user_id) };
};
const tried = async (subject: string, id: number) => {
  op.people.set(subject, { email: `${subject}@elsewhere.example`, email_verified: true, name: `Name ${subject}` });
  expect((await come(subject, id)).status).toBe(422);
};
type Client = Awaited<ReturnType<typeof as>>;
const waiting = async (client: Client, query = '') =>
  (await client.get(`/api/people-waiting${query}`)).body.data as {
    subject: string;
    provider: { name: string };
    allowed_actions: string[];
  }[];
const subjects = async (client: Client) => (await waiting(client)).map(({ subject }) => subject).toSorted();
const tasks = async (client: Client) => (await client.get('/api/actionable-items?kind=people_waiting')).body;
const heard = async ({ user_id }: { user_id: number }) =>
  (await owner.query("select from notifications where event = 'people_waiting' and user_id = $1", [user_id])).rowCount;

test('the list, the task and the notice are for HR of all companies of the provider', async () => {
  const [acmeHr, betaHr, bothHr, allHr] = [await hrOf(acme), await hrOf(beta), await hrOf(acme, beta), await hrOf()];
  const plain = await as((await make.employee({ entity_id: acme.id })).user_id);
  expect((await tasks(acmeHr.client)).data).toEqual([]);
  await tried('ann', ofAcme);
  await tried('bea', ofBoth);
  await tried('cid', ofAll);
  expect(await subjects(acmeHr.client)).toEqual(['ann']);
  expect(await subjects(betaHr.client)).toEqual([]);
  expect(await subjects(bothHr.client)).toEqual(['ann', 'bea']);
  expect(await subjects(allHr.client)).toEqual(['ann', 'bea', 'cid']);
  expect(await subjects(admin)).toEqual(['ann', 'bea', 'cid']);
  expect((await plain.get('/api/people-waiting')).status).toBe(403);
  expect(await waiting(acmeHr.client)).toMatchObject([
    {
      subject: 'ann',
      provider: { id: ofAcme, name: 'Acme ID' },
      allowed_actions: ['link', 'create', 'dismiss', 'add'],
    },
  ]);
  expect(await waiting(allHr.client, '?search=group')).toMatchObject([{ subject: 'bea' }]);

  const { data, meta } = await tasks(acmeHr.client);
  expect([meta.total, data]).toEqual([
    1,
    [
      expect.objectContaining({
        id: `people_waiting:${ofAcme}`,
        title: 'Link people waiting to sign in',
        url: '/people-waiting',
        subject: { type: 'identity_provider', id: ofAcme },
        employee: null,
      }),
    ],
  ]);
  const { body } = await allHr.client.get('/api/actionable-items/counts');
  expect(body.data.by_kind.people_waiting).toBe(3);
  // there is HR for the whole group, so administrators have no task
  expect((await tasks(admin)).meta.total).toBe(0);
  expect(await Promise.all([acmeHr, betaHr, bothHr, allHr].map(heard))).toEqual([1, 0, 2, 3]);
  // one notification per day and provider, however many people try
  await tried('dan', ofAcme);
  await tried('ann', ofAcme);
  expect(await heard(acmeHr)).toBe(1);

  const { rows } = await owner.query('select id from sso_unmatched where provider_id = $1', [ofAcme]);
  for (const { id } of rows)
    expect((await acmeHr.client.delete(`/api/identity-providers/${ofAcme}/unmatched/${Number(id)}`)).status).toBe(204);
  expect((await tasks(acmeHr.client)).data).toEqual([]);
  await owner.query('delete from role_assignments where user_id = any($1)', [[allHr.user_id]]);
  // no HR user covers this provider any more
  expect((await tasks(admin)).data).toMatchObject([{ subject: { id: ofAll } }]);
});

test('who may only add people sees them, and links no one', async () => {
  const made = await admin.post('/api/roles', {
    name: 'Recruiter',
    scope: 'all',
    permissions: ['employees.view', 'employees.create'],
  });
  const { id, user_id } = await make.employee({ entity_id: acme.id });
  const assignments = [{ role_id: made.body.data.id, entity_ids: [acme.id] }];
  expect((await admin.put(`/api/employees/${id}/roles`, { assignments })).status).toBe(200);
  const client = await as(user_id);
  await owner.query('delete from sso_unmatched');
  await tried('eli', ofAcme);
  expect(await waiting(client)).toMatchObject([{ subject: 'eli', allowed_actions: ['add'] }]);
  const { rows } = await owner.query("select id from sso_unmatched where subject = 'eli'");
  const path = `/api/identity-providers/${ofAcme}/unmatched/${Number(rows[0].id)}`;
  expect((await client.delete(path)).status).toBe(403);
  expect((await client.post(`${path}/link`, { employee_id: id })).status).toBe(403);
  expect((await tasks(client)).data).toEqual([]);
});

test('who tried with the address of a person out of reach is shown to those alone who reach that person', async () => {
  await owner.query('delete from sso_unmatched');
  const far = await make.employee({ entity_id: beta.id });
  const { rows } = await owner.query(
    `insert into sso_unmatched (provider_id, subject, email, name, groups_count)
     values ($1, 'far', $2, 'Far Away', null) returning id::int`,
    [ofAcme, far.email],
  );
  const listOf = `/api/identity-providers/${ofAcme}/unmatched`;
  const one = `${listOf}/${rows[0].id}`;
  const [near, both] = [(await hrOf(acme)).client, (await hrOf(acme, beta)).client];
  expect([await subjects(near), await subjects(both)]).toEqual([[], ['far']]);
  expect((await near.get(listOf)).body).toMatchObject({ data: [], meta: { total: 0 } });
  expect((await both.get(listOf)).body.data).toMatchObject([{ subject: 'far' }]);
  for (const [client, status] of [
    [near, 404],
    [both, 200],
  ] as const)
    expect((await client.get(one)).status).toBe(status);
  const link = { employee_id: far.id };
  expect([(await near.post(`${one}/link`, link)).status, (await near.delete(one)).status]).toEqual([404, 404]);
  expect((await both.delete(one)).status).toBe(204);
});
