import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { complete } from '../../testing/people.ts';
import { start } from '../../testing/start.tsx';

const account = {
  id: 7,
  email: 'lena.park@acme.example',
  last_login_at: null,
  must_change_password: false,
  locale: 'en',
  preferences: {},
};
const profile = { user: account, employee: complete, roles: ['Employee'], permissions: ['employees.view'] };
const session = (fields: object) => ({
  id: 1,
  current: true,
  ip: '192.0.2.10',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  created_at: '2026-04-18T07:58:10.000Z',
  last_seen_at: '2026-04-18T14:10:00.000Z',
  expires_at: '2026-04-19T07:58:10.000Z',
  method: 'password',
  factors: 2,
  provider: null,
  ...fields,
});
const phone = session({
  id: 2,
  current: false,
  user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
});

const security = (fields: object = {}) =>
  itemOf({
    totp: null,
    passkeys: [],
    passkeys_work: false,
    sign_in_through: null,
    password_sign_in: true,
    recovery_codes_left: 0,
    ...fields,
  });

const open = (part: string, replies: Parameters<typeof serve>[0] = {}, own: object = profile) => {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf(own),
    'PUT /api/profile': itemOf(own),
    'GET /api/profile/security': security(),
    'GET /api/profile/sessions': listOf([session({}), phone]),
    ...replies,
  });
  return { service, ...start(`/profile${part}`) };
};

test('users change their own fields, see the others, and can undo a change', async () => {
  const { service, user } = open('');
  await user.click(await screen.findByRole('button', { name: /^Edit\s*Contact$/ }));
  expect(screen.queryByLabelText('Work email')).toBeNull();
  await user.type(await screen.findByLabelText('Mobile'), '+44 7700 900123');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(service.to('PUT /api/profile').map(({ body }) => body)).toContainEqual({
      mobile: '+44 7700 900123',
      revision: 1,
    }),
  );
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(service.to('PUT /api/profile').at(-1)?.body).toEqual({ mobile: null, revision: 1 }));
  expect(screen.queryByRole('button', { name: /^Edit\s*Work$/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /Bank/ })).toBeNull();
});

test('an account without a person has no details, but password and settings', async () => {
  open('', {}, { ...profile, employee: null });
  expect((await screen.findAllByRole('tab')).map(({ textContent }) => textContent)).toEqual([
    'Password and devices',
    'Notifications',
    'Settings',
  ]);
});

test('signs out one device, or all others', async () => {
  const { service, user } = open('?part=security', {
    'DELETE /api/profile/sessions/2': { status: 204 },
    'DELETE /api/profile/sessions': { status: 204 },
  });
  const devices = await screen.findByRole('list', { name: 'Signed-in devices' });
  const [here, there] = within(devices).getAllByRole('listitem');
  expect(here?.textContent).toContain('Firefox 143 on LinuxThis device');
  expect(within(here as HTMLElement).queryByRole('button')).toBeNull();
  await user.click(within(there as HTMLElement).getByRole('button', { name: /^Sign out\s*Safari 18 on iOS$/ }));
  await screen.findByText('Safari 18 on iOS was signed out.');
  await user.click(screen.getByRole('button', { name: 'Sign out all other devices' }));
  await screen.findByText('All other devices were signed out.');
  expect(service.to('DELETE /api/profile/sessions')).toHaveLength(1);
});

test('a wrong current password is shown at its field, and the password rules are ticked', async () => {
  const { user } = open('?part=security', {
    'PUT /api/profile/password': {
      status: 422,
      body: { message: 'No.', errors: { current_password: ['The password is incorrect.'] } },
    },
  });
  await user.type(await screen.findByLabelText('Current password'), 'wrong');
  await user.type(screen.getByLabelText('New password'), 'Quiet-Harbour-42');
  expect(screen.getAllByText('met:')).toHaveLength(4);
  await user.type(screen.getByLabelText('Confirm new password'), 'Quiet-Harbour-42');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  await screen.findByText('The password is incorrect.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Current password')));
});

test('sessions say how they began', async () => {
  open('?part=security', {
    'GET /api/profile/sessions': listOf([
      session({}),
      session({ id: 2, method: 'passkey' }),
      session({ id: 3, method: 'sso', factors: 1, provider: 'Acme ID' }),
      session({ id: 4, method: 'sso', provider: null }),
    ]),
  });
  const devices = await screen.findByRole('list', { name: 'Signed-in devices' });
  for (const text of [
    'by password, with two factors',
    'by passkey',
    'through Acme ID',
    'through single sign-on, with two factors',
  ])
    expect(within(devices).getByText(text)).toBeTruthy();
});

test('people who sign in through a provider only read so in place of a form', async () => {
  open('?part=security', { 'GET /api/profile/security': security({ sign_in_through: 'Acme ID' }) });
  await screen.findByText(/^Your company requires you to sign in through Acme ID\./);
  expect(screen.queryByLabelText('Current password')).toBeNull();
});

test('after a change of the password the tokens that stay are shown, and can be revoked', async () => {
  const kept = { id: 5, name: 'Reports', hint: 'tnrp_…Ab1z', expires_at: '2027-04-18T07:58:10.000Z' };
  const { service, user } = open('?part=security', {
    'GET /api/me': signedInAs(['employees.view', 'tokens.create'], { employee_id: 57 }),
    'GET /api/profile/tokens': listOf([]),
    'PUT /api/profile/password': {
      status: 200,
      body: { data: profile, message: 'Password changed.', kept_tokens: [kept] },
    },
    'DELETE /api/profile/tokens/5': { status: 204 },
  });
  await user.type(await screen.findByLabelText('Current password'), 'Str0ng!Passw0rd');
  await user.type(screen.getByLabelText('New password'), 'Quiet-Harbour-42');
  await user.type(screen.getByLabelText('Confirm new password'), 'Quiet-Harbour-42');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  const list = await screen.findByRole('list', { name: 'This access token still works' }, { timeout: 5_000 });
  await user.click(within(list).getByRole('button', { name: /^Revoke\s*Reports$/ }));
  const dialog = await dialogOf('Revoke “Reports”?');
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(screen.queryByRole('list', { name: 'This access token still works' })).toBeNull());
  expect(service.to('DELETE /api/profile/tokens/5')).toHaveLength(1);
});

test('preferences apply at once, are stored in the account and apply on a new device', async () => {
  const { service, user } = open(
    '?part=settings',
    {},
    {
      ...profile,
      user: { ...account, preferences: { appearance: 'dark', density: 'compact' } },
    },
  );
  await waitFor(() => expect(localStorage.getItem('tenure.scheme')).toBe('dark'));
  expect(document.documentElement.dataset['density']).toBe('compact');
  await user.click(await screen.findByRole('button', { name: 'Comfortable' }));
  expect(document.documentElement.dataset['density']).toBe('comfortable');
  await user.selectOptions(screen.getByLabelText('Start page'), 'Org chart');
  await waitFor(() =>
    expect(service.to('PUT /api/profile').map(({ body }) => body)).toEqual([
      { preferences: { density: 'comfortable' } },
      { preferences: { start_page: '/org-chart' } },
    ]),
  );
});

test('the birthday is shown to colleagues only if the user agrees', async () => {
  const signedIn = signedInAs(['employees.view'], { employee_id: 57 });
  (signedIn.body as { data: { directory?: boolean } }).data.directory = true;
  const { service, user } = open('?part=settings', { 'GET /api/me': signedIn });
  const agree = await screen.findByLabelText<HTMLInputElement>(/^Show my birthday to colleagues/);
  expect(agree.checked).toBe(false);
  await user.click(agree);
  await user.click(agree);
  await waitFor(() =>
    expect(service.to('PUT /api/profile').map(({ body }) => body)).toEqual([
      { preferences: { birthday: 'shown' } },
      { preferences: { birthday: null } },
    ]),
  );
});

test('a picture that would be refused is not sent', async () => {
  const { user } = open('');
  await user.click(await screen.findByRole('button', { name: 'Change picture' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your picture' });
  const field = within(dialog).getByLabelText(/Drop a picture here/);
  await user.upload(field, new File([new Uint8Array(2_097_153)], 'me.png', { type: 'image/png' }));
  await within(dialog).findByText('This file is too large. The limit is 2 MB.');
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
});

test('the own profile is downloaded as PDF and printed, by those who may read people', async () => {
  open('');
  const link = await screen.findByRole('link', { name: 'Download PDF' });
  expect(link.getAttribute('href')).toMatch(/\/api\/employees\/57\/pdf$/);
  expect(screen.getByRole('button', { name: 'Print' })).toBeDefined();
});

test('without access to people the own profile has no PDF', async () => {
  open('', { 'GET /api/me': signedInAs([], { employee_id: 57 }) });
  expect(await screen.findByRole('button', { name: 'Print' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Download PDF' })).toBeNull();
});
