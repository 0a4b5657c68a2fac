import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf } from '../../../testing/acts.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const person = { ...complete, allowed_actions: ['reset-password'] };
const ways = {
  identities: [{ provider: { id: 7, name: 'Acme ID' }, linked_by: 'hr', last_used_at: null }],
  connections: [{ id: 3, name: 'Entra ID' }],
  has_app: true,
  passkeys_count: 2,
  recovery_codes_left: 9,
  password_sign_in: false,
  links: [{ purpose: 'password_reset', expires_at: '2026-11-28T09:00:00.000Z' }],
  tokens_count: 1,
};
const since = '2026-11-20T09:00:00.000Z';
const block = { id: 4, source: 'Entra ID', by_hand: false, by: null, reason: null, since };
const byHand = { id: 5, source: null, by_hand: true, by: 'Jo Rim', reason: 'Laptop stolen.', since };
const lift = 'DELETE /api/employees/57/sign-in-blocks/4';

function open(permissions: string[], { blocks = [block] as object[], actions = person.allowed_actions } = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.reset_password', ...permissions]),
    'GET /api/employees/57': itemOf({ ...person, allowed_actions: actions }),
    'GET /api/employees/57/sign-in': itemOf(ways),
    'GET /api/employees/57/sign-in-blocks': itemOf(blocks),
    'PUT /api/employees/57/sign-in-block': itemOf(byHand),
    'DELETE /api/employees/57/sign-in-block': { status: 204 },
    'GET /api/employees/57/roles': { status: 404, body: { message: 'Not found.' } },
    [lift]: { status: 204 },
  });
  return { service, ...start('/employees/57?tab=access') };
}
const valueOf = async (label: string) => (await screen.findByText(label, { selector: 'dt' })).nextSibling?.textContent;

test('HR sees how a person gets in and who switched the sign-in off, without a way to lift it', async () => {
  open([]);
  await screen.findByText(/^Sign-in turned off by Entra ID since .*2026/, undefined, { timeout: 5_000 });
  expect(await valueOf('Linked providers')).toBe('Acme ID · linked by HR · never used');
  expect(await valueOf('Second factors')).toBe('Authenticator app, 2 passkeys and 9 recovery codes left');
  expect(await valueOf('Sign-in by password')).toBe('Turned off by the person');
  expect(await valueOf('Open links')).toMatch(/^Password reset, until .*2026/);
  expect(await valueOf('Access tokens')).toBe('1 active token');
  expect(await valueOf('Turned on and off by')).toBe('Entra ID');
  expect(screen.queryByRole('button', { name: 'Lift block…' })).toBeNull();
});

test('another address at the provider is named', async () => {
  const { service } = open([]);
  const [identity] = ways.identities;
  service.replies['GET /api/employees/57/sign-in'] = itemOf({
    ...ways,
    identities: [{ ...identity, other_email: 'l.park@old.example' }],
  });
  expect(await screen.findByText('Email there: l.park@old.example (different from here)')).toBeDefined();
});

test('an administrator lifts a block after a question', async () => {
  const { service, user } = open(['identity.manage']);
  await user.click(await screen.findByRole('button', { name: 'Lift block…' }));
  const dialog = await dialogOf('Let Lena Park sign in again?');
  expect(dialog.getByText(/^This person is still turned off at Entra ID/)).toBeDefined();
  service.replies['GET /api/employees/57/sign-in-blocks'] = itemOf([]);
  await user.click(dialog.getByRole('button', { name: 'Lift block' }));
  await screen.findByText('Lena Park can sign in again.');
  expect(service.to(lift)).toHaveLength(1);
  expect(screen.queryByText(/^Sign-in turned off/)).toBeNull();
});

test('of an account with more rights only the block is shown', async () => {
  const { service } = open(['employees.assign_roles']);
  service.replies['GET /api/employees/57/sign-in'] = { status: 403, body: { message: 'Forbidden.' } };
  await screen.findByText(/^Sign-in turned off by Entra ID/);
  await waitFor(() => expect(service.to('GET /api/employees/57/sign-in')).toHaveLength(1));
  expect(screen.queryByText('Ways to sign in')).toBeNull();
});

test('HR switches the sign-in off with a reason', async () => {
  const { service, user } = open([], { blocks: [], actions: ['reset-password', 'sign-in-block'] });
  await user.click(await screen.findByRole('button', { name: 'Turn off sign-in…' }, { timeout: 5_000 }));
  const dialog = await dialogOf('Turn off Lena Park’s sign-in?');
  await user.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Laptop stolen.');
  service.replies['GET /api/employees/57/sign-in-blocks'] = itemOf([byHand]);
  await user.click(dialog.getByRole('button', { name: 'Turn off sign-in' }));
  await screen.findByText(/^Sign-in turned off by Jo Rim since .*2026.*\. Reason: Laptop stolen\.$/);
  expect(service.to('PUT /api/employees/57/sign-in-block')[0]?.body).toMatchObject({ reason: 'Laptop stolen.' });
  expect(screen.queryByRole('button', { name: 'Turn off sign-in…' })).toBeNull();
});

test('HR lifts the block by hand; that of a connection stays', async () => {
  const { service, user } = open([], { blocks: [byHand, block], actions: ['reset-password', 'sign-in-block'] });
  const lifts = await screen.findAllByRole('button', { name: 'Lift block…' }, { timeout: 5_000 });
  expect(lifts).toHaveLength(1);
  await user.click(lifts[0] as HTMLElement);
  const dialog = await dialogOf('Let Lena Park sign in again?');
  expect(dialog.getByText(/^Only the block that was set manually is lifted/)).toBeDefined();
  service.replies['GET /api/employees/57/sign-in-blocks'] = itemOf([block]);
  await user.click(dialog.getByRole('button', { name: 'Lift block' }));
  await screen.findByText('The block was lifted. Another one still keeps Lena Park’s sign-in off.');
  expect(service.to('DELETE /api/employees/57/sign-in-block')).toHaveLength(1);
});
