import { expect, test } from 'vitest';
import { rsaCertificate } from '../../testing/certificates.ts';
import { startSaml } from '../../testing/saml-sign-on.ts';
import { remindOfCertificates } from './ending.ts';

const { admin, as, make, owner, deps, addProvider } = await startSaml();
const acme = await make.entity();

/** A user with a custom role that permits managing providers. */
async function manager(entity_ids: number[] | null) {
  const name = `IT ${String(entity_ids)}`;
  const { rows } = await owner.query("insert into roles (name, scope) values ($1, 'all') returning id", [name]);
  await owner.query("insert into role_permissions (role_id, permission) values ($1, 'identity.manage')", [rows[0].id]);
  const { user_id } = await make.employee();
  await owner.query('insert into role_assignments (user_id, role_id, entity_ids) values ($1, $2, $3)', [
    user_id,
    rows[0].id,
    entity_ids,
  ]);
  return as(user_id);
}
const [ofAll, ofAcme] = [await manager(null), await manager([acme.id])];
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

/** Days from now until it expires. */
const certificate = (days: number) => rsaCertificate({ days: [-1, days] }).cert.replaceAll(/-----[^-]+-----|\s/g, '');
const store = (id: number, ...ends: number[]) =>
  owner.query('update identity_providers set certificates = $2 where id = $1', [id, ends.map(certificate)]);
const remind = (inDays = 0) =>
  remindOfCertificates({ deps, now: Temporal.Now.instant().add({ seconds: Math.round(inDays * 86_400) }) });

type Heard = { event: string; title: string; body: string; data: { url: string } };
const heard = async (client: typeof admin) =>
  ((await client.get('/api/notifications')).body.data as Heard[]).filter(({ event }) => event === 'certificate_ending');

test('those who manage providers are reminded 30, 14, 7 and 1 days before the last certificate ends', async () => {
  const id = await addProvider({ name: 'Entra' });
  await store(id, 20, 400);
  const after = async (inDays: number) => {
    await remind(inDays);
    await remind(inDays);
    return (await heard(admin)).length;
  };
  const counts: number[] = [];
  for (const left of [31, 29.5, 15, 13.5, 8, 6.5, 2, 0.5, -0.5]) counts.push(await after(400 - left));
  expect(counts).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
  const [newest] = await heard(admin);
  expect(newest).toMatchObject({
    title: expect.stringMatching(/^The certificate of Entra expires on \d/),
    data: { url: `/settings/sign-in?provider=${id}` },
  });
  const { rows } = await owner.query(
    "select distinct subject_type, subject_id from notifications where event = 'certificate_ending'",
  );
  expect(rows).toEqual([{ subject_type: 'identity_provider', subject_id: String(id) }]);
  expect((await heard(ofAll)).map(({ title }) => title)).toEqual((await heard(admin)).map(({ title }) => title));
  expect([await heard(hr), await heard(ofAcme)]).toEqual([[], []]);
});

test('metadata with the next certificate ends the reminders, which begin again before its end', async () => {
  const id = await addProvider({ name: 'Renewed' });
  await store(id, 10);
  const of = async () => (await heard(admin)).filter(({ title }) => title.includes('Renewed')).length;
  await remind();
  expect(await of()).toBe(1);
  await store(id, 10, 300);
  await remind(5);
  expect(await of()).toBe(1);
  await remind(290);
  expect(await of()).toBe(2);
});

test('a provider that is off reminds no one', async () => {
  const id = await addProvider({ name: 'Off' });
  await store(id, 10);
  expect((await admin.post(`/api/identity-providers/${id}/disable`, {})).status).toBe(200);
  const before = await heard(admin);
  await remind();
  expect(await heard(admin)).toEqual(before);
});

test('the days are those of the settings of notifications', async () => {
  const id = await addProvider({ name: 'Settings' });
  await store(id, 50);
  await owner.query("update notification_settings set lead_days = '{60}' where event = 'certificate_ending'");
  await remind();
  await owner.query(
    "update notification_settings set in_app = false, email = false where event = 'certificate_ending'",
  );
  await store(id, 40);
  await remind();
  expect((await heard(admin)).filter(({ title }) => title.includes('Settings'))).toHaveLength(1);
});
