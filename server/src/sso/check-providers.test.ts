import { expect, test } from 'vitest';
import { startSso } from '../testing/single-sign-on.ts';
import { checkProviders } from './check-providers.ts';

const { op, admin, deps, owner, addProvider, logged } = await startSso();
const id = await addProvider();
const check = () => checkProviders({ deps, now: Temporal.Now.instant() });
const stored = async () =>
  (await owner.query('select metadata from identity_providers where id = $1', [id])).rows[0].metadata;
const notices = async () =>
  (await owner.query("select params from notifications where event = 'sso_provider_changed'")).rows;
const events = (event: string) => logged.filter((line) => line.includes(`"event":"${event}"`)).length;

test('a provider that names the same places is read, and no one hears of it', async () => {
  await owner.query("update identity_providers set checked_at = now() - interval '1 day'");
  await check();
  const { rows } = await owner.query(
    "select checked_at > now() - interval '1 minute' as is_read from identity_providers",
  );
  expect([rows, await notices(), events('sso_provider_changed')]).toEqual([[{ is_read: true }], [], 0]);
});

test('another place is used from then on, and administrators hear of it once', async () => {
  op.discovery = { userinfo_endpoint: `${op.issuer}/elsewhere` };
  await check();
  await check();
  expect((await stored()).userinfo_endpoint).toBe(`${op.issuer}/elsewhere`);
  expect(await notices()).toMatchObject([{ params: { provider: 'Provider 1', fields: 'userinfo_endpoint' } }]);
  expect(events('sso_provider_changed')).toBe(1);
});

test('the change is in the audit log, to which the notification leads', async () => {
  const { rows } = await owner.query(
    "select action, actor_id, subject_label, changes from audit_log where subject_id = $1 and action = 'identity_provider.updated'",
    [id],
  );
  const to = `${op.issuer}/elsewhere`;
  expect(rows).toEqual([
    {
      action: 'identity_provider.updated',
      actor_id: null,
      subject_label: 'Provider 1',
      changes: { userinfo_endpoint: { from: `${op.issuer}/me`, to } },
    },
  ]);
  const { body } = await admin.get('/api/audit-log?subject_type=identity_provider');
  expect(JSON.stringify(body.data)).toContain('userinfo_endpoint');
});

test.each([
  ['names another issuer', { issuer: 'https://op.test' }],
  ['names a place that must not be reached', { jwks_uri: 'https://169.254.169.254/keys' }],
  ['signs with HMAC only', { id_token_signing_alg_values_supported: ['HS256'] }],
])('one that %s keeps what it said last', async (_what, discovery) => {
  const [before, unread] = [await stored(), events('sso_provider_unread')];
  op.discovery = discovery;
  await check();
  op.discovery = {};
  expect([await stored(), events('sso_provider_unread')]).toEqual([before, unread + 1]);
});
