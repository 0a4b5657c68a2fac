import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sha256Hex } from '../crypto/crypto.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

// A credential issued or known by another user stops working when the account has more rights than that user.

const { as, make, deps } = await startApp();
const { db } = deps;
const [acme, beta] = [await make.entity({ name: 'Acme' }), await make.entity({ name: 'Beta' })];
const crew = await make.department({ entity_id: acme.id, name: 'Crew' });
const far = await make.department({ entity_id: beta.id, name: 'Far' });
type Fields = NonNullable<Parameters<typeof make.employee>[0]>;
const inAcme = (fields: Fields = {}) => make.employee({ department_id: crew.id, ...fields });
type Person = Awaited<ReturnType<typeof inAcme>>;

const hrPerson = await inAcme({ roles: ['Employee', { role: 'HR', entity_ids: [acme.id] }] });
const hr = await as(hrPerson.user_id);
const admin = await as((await make.admin()).user_id);
const roles = new Map(
  (await db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id] as const),
);
const given = (name: string, ...entity_ids: number[]) => ({
  role_id: roles.get(name),
  ...(entity_ids.length > 0 && { entity_ids }),
});
const give = async (client: Client, person: Person, ...assignments: ReturnType<typeof given>[]) =>
  (await client.put(`/api/employees/${person.id}/roles`, { assignments: [given('Employee'), ...assignments] })).status;

const own = 'My0wn!Passphrase';
const signIn = async (person: Person, password: string) => {
  const client = await as();
  const { status } = await client.post('/login', { email: person.email, password });
  return { client, status };
};
const issue = async (person: Person, client = hr): Promise<string> =>
  (await client.post(`/api/employees/${person.id}/reset-password`)).body.one_time_password;
/** A person signs in with a one-time password and chooses their own. */
async function choosePassword(person: Person, oneTime: string, password = own) {
  const { client, status } = await signIn(person, oneTime);
  expect(status).toBe(200);
  const body = { current_password: oneTime, password, password_confirmation: password };
  expect((await client.put('/api/profile/password', body)).status).toBe(200);
  return client;
}
const isAlive = async (client: Client) => (await client.get('/api/me')).status === 200;
const account = async (person: Person) =>
  (await admin.get(`/api/employees/${person.id}`)).body.data.user as Record<string, unknown>;
const noticesOf = async (userId: number) =>
  db
    .selectFrom('notifications')
    .select(['event', 'variant', 'subject_id'])
    .where('user_id', '=', userId)
    .where('event', '=', 'account_security_notice')
    .execute();

test('a session HR began as another person, and its chosen password, end when the person becomes Admin', async () => {
  const person = await inAcme();
  const stolen = await choosePassword(person, await issue(person));
  expect(await isAlive(stolen)).toBe(true);
  expect(await give(admin, person, given('Admin'))).toBe(200);
  expect(await isAlive(stolen)).toBe(false);
  expect((await signIn(person, own)).status).toBe(422);
  expect(await account(person)).toMatchObject({ has_password: false, must_change_password: false });
});

test.each([
  ['unused', async () => undefined],
  ['used, with no other chosen yet', async (person: Person, oneTime: string) => (await signIn(person, oneTime)).client],
])('a one-time password of HR that is %s ends when the person becomes Admin', async (_title, use) => {
  const person = await inAcme();
  const oneTime = await issue(person);
  const client = await use(person, oneTime);
  expect(await give(admin, person, given('HR'))).toBe(200);
  if (client) expect(await isAlive(client)).toBe(false);
  expect((await signIn(person, oneTime)).status).toBe(422);
});

test('another password chosen by a user who knows the first is void too', async () => {
  const person = await inAcme();
  const client = await choosePassword(person, await issue(person));
  const next = 'An0ther#Phrase';
  const body = { current_password: own, password: next, password_confirmation: next };
  expect((await client.put('/api/profile/password', body)).status).toBe(200);
  expect(await give(admin, person, given('HR'))).toBe(200);
  expect((await signIn(person, next)).status).toBe(422);
});

test('one issued by an administrator afterwards works, and stays through further changes', async () => {
  const person = await inAcme();
  await choosePassword(person, await issue(person));
  expect(await give(admin, person, given('HR'))).toBe(200);
  const client = await choosePassword(person, await issue(person, admin), 'Ag4in#MyOwnPhrase');
  expect(await isAlive(client)).toBe(true);
  expect(await give(admin, person, given('HR'), given('Manager'))).toBe(200);
  expect((await signIn(person, 'Ag4in#MyOwnPhrase')).status).toBe(200);
});

test('a password chosen by a link sent to the person stays', async () => {
  const person = await inAcme();
  await choosePassword(person, await issue(person));
  const token = 'a'.repeat(43);
  await sql`
    insert into account_links (user_id, purpose, token_hash, email, created_by, expires_at)
    values (${person.user_id}, 'password_reset', ${sha256Hex(token)}, ${person.email}, ${hrPerson.user_id},
            now() + interval '1 hour')`.execute(db);
  const password = 'By4Link#OfMyOwn';
  const body = { token, password, password_confirmation: password };
  expect((await (await as()).post('/api/account-links/redeem', body)).status).toBe(200);
  expect(await give(admin, person, given('HR'))).toBe(200);
  expect((await signIn(person, password)).status).toBe(200);
});

test('a password known to its owner only stays; only the sessions end', async () => {
  const person = await inAcme({ password: own });
  const { client } = await signIn(person, own);
  expect(await give(admin, person, given('Admin'))).toBe(200);
  expect(await isAlive(client)).toBe(false);
  expect((await signIn(person, own)).status).toBe(200);
});

test('on the first day HR gives a password and then a role that HR covers', async () => {
  const person = await inAcme();
  const oneTime = await issue(person);
  expect(await give(hr, person, given('Manager', acme.id))).toBe(200);
  const client = await choosePassword(person, oneTime);
  // a permission that is already covered ends nothing
  expect(await give(hr, person, given('Manager', acme.id), given('TeamLead', acme.id))).toBe(200);
  expect(await isAlive(client)).toBe(true);
  expect(await give(hr, person, given('HR', acme.id))).toBe(200);
  // fewer rights end no session
  const { client: again } = await signIn(person, own);
  expect(await give(hr, person)).toBe(200);
  expect(await isAlive(again)).toBe(true);
  expect(await isAlive(client)).toBe(false);
});

test('a role given by an import and one restored by the undo of an import have the same effect', async () => {
  const person = await inAcme({ employee_number: 'GROW-1' });
  await choosePassword(person, await issue(person));
  const content = [
    'employee_number,first_name,last_name,email,entity,department,role',
    `GROW-1,Grow,One,${person.email},Acme,Crew,Employee|HR`,
  ].join('\n');
  const file = { name: 'roles.csv', content };
  const staged = await admin.upload('/api/employees/import', file, { on_conflict: 'update' });
  expect(staged.body.data.counts.updated).toBe(1);
  expect((await signIn(person, own)).status).toBe(422);
});

test('a role with more permissions ends the sessions of its holders and passwords beyond their issuers', async () => {
  const custom = await admin.post('/api/roles', { name: 'Planner', scope: 'managed', permissions: ['employees.view'] });
  const roleId = custom.body.data.id as number;
  const planners = [await inAcme(), await inAcme(), await inAcme({ password: own })] as const;
  const [known, covered, clean] = planners;
  await choosePassword(known, await issue(known));
  await choosePassword(covered, await issue(covered, admin), own);
  for (const person of planners)
    expect(await give(admin, person, { role_id: roleId, entity_ids: [beta.id] })).toBe(200);
  expect((await signIn(known, own)).status).toBe(200);
  const sessions = await Promise.all([covered, clean].map((person) => signIn(person, own)));
  await make.employee({ department_id: far.id, reporting_manager_id: known.id });
  const change = (permissions: string[]) => admin.put(`/api/roles/${roleId}/permissions`, { permissions });
  expect((await change(['employees.view', 'employees.view_sensitive'])).status).toBe(200);
  for (const { client } of sessions) expect(await isAlive(client)).toBe(false);
  expect((await signIn(known, own)).status).toBe(422);
  for (const person of [covered, clean]) {
    const { client, status } = await signIn(person, own);
    expect(status).toBe(200);
    expect((await change(['employees.view'])).status).toBe(200);
    expect(await isAlive(client)).toBe(true);
    expect((await admin.put(`/api/roles/${roleId}`, { scope: 'all' })).status).toBe(200);
    expect(await isAlive(client)).toBe(false);
    expect((await admin.put(`/api/roles/${roleId}`, { scope: 'managed' })).status).toBe(200);
    expect((await change(['employees.view', 'employees.view_sensitive'])).status).toBe(200);
  }
});

test('permissions on the own record end nothing', async () => {
  const person = await inAcme();
  const client = await choosePassword(person, await issue(person));
  const employee = roles.get('Employee') as number;
  const before = (await admin.get(`/api/roles/${employee}`)).body.data.permissions as string[];
  const more = [...before, 'employees.export'];
  expect((await admin.put(`/api/roles/${employee}/permissions`, { permissions: more })).status).toBe(200);
  expect(await isAlive(client)).toBe(true);
  expect((await admin.put(`/api/roles/${employee}/permissions`, { permissions: before })).status).toBe(200);
});

test.each([
  ['unused one-time password', undefined],
  ['password chosen after it', own],
])('an %s is checked again at sign-in, after the person came to manage people', async (_title, chosen) => {
  const person = await inAcme({ roles: ['Employee', 'Manager'] });
  const oneTime = await issue(person);
  if (chosen) await choosePassword(person, oneTime);
  const { id } = await make.employee({ department_id: far.id, reporting_manager_id: person.id });
  expect((await signIn(person, chosen ?? oneTime)).status).toBe(422);
  await db.updateTable('employees').set({ reporting_manager_id: null }).where('id', '=', id).execute();
  // it is permanently void
  expect((await signIn(person, chosen ?? oneTime)).status).toBe(422);
});

test('a one-time password ends with the rights of its issuer; a chosen one does not', async () => {
  const leaver = await inAcme({ roles: ['Employee', { role: 'HR', entity_ids: [acme.id] }] });
  const client = await as(leaver.user_id);
  const [fresh, settled] = [await inAcme(), await inAcme()];
  const oneTime = await issue(fresh, client);
  await choosePassword(settled, await issue(settled, client));
  await db.updateTable('employees').set({ activity_status: 'inactive' }).where('id', '=', leaver.id).execute();
  expect((await signIn(fresh, oneTime)).status).toBe(422);
  expect((await signIn(settled, own)).status).toBe(200);
});

test('the person, HR and administrators are notified, and the log has the reason', async () => {
  const person = await inAcme();
  await choosePassword(person, await issue(person));
  expect(await give(admin, person, given('HR'))).toBe(200);
  const notice = { event: 'account_security_notice', subject_id: person.user_id };
  expect(await noticesOf(person.user_id)).toContainEqual({ ...notice, variant: 'voided' });
  expect(await noticesOf(hrPerson.user_id)).toContainEqual({ ...notice, variant: 'voided_other' });
  const entries = await db
    .selectFrom('audit_log')
    .select(['action', 'reason'])
    .where('subject_type', '=', 'account')
    .where('subject_id', '=', person.user_id)
    .where('action', '=', 'account.password_voided')
    .execute();
  expect(entries).toHaveLength(1);
});
