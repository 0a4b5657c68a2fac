import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

/** The journey `passkeys` tests what real devices do with passkeys. */

const passkey = (id: number, name: string) => ({
  id,
  name,
  added_at: '2026-04-18T07:58:10.000Z',
  last_used_at: null,
  backed_up: id === 2,
  works: true,
});
const security = (passkeys: object[], fields: object = {}) =>
  itemOf({
    totp: null,
    passkeys,
    passkeys_work: true,
    sign_in_through: null,
    password_sign_in: true,
    recovery_codes_left: 10,
    ...fields,
  });

async function open(answer: Parameters<typeof serve>[0][string]) {
  const service = serve({
    'GET /api/me': signedInAs([]),
    'GET /api/profile/sessions': listOf([]),
    'GET /api/profile/security': answer,
  });
  const application = start('/profile?part=security');
  await screen.findByRole('heading', { name: 'Two-step sign-in' });
  return { service, ...application };
}

test('passkeys are listed, renamed and removed; what the service refuses is shown there', async () => {
  const { service, user } = await open(security([passkey(1, 'Laptop'), passkey(2, 'Phone')]));
  const list = within(await screen.findByRole('list', { name: 'Passkeys' }));
  expect(list.getAllByRole('listitem')).toHaveLength(3);
  expect(list.getByText('Synced')).toBeDefined();
  service.replies['PUT /api/profile/passkeys/1'] = itemOf(passkey(1, 'Work laptop'));
  await user.click(list.getByRole('button', { name: /^Rename\s*Laptop$/ }));
  const renaming = within(await screen.findByRole('dialog', { name: 'Rename passkey' }));
  await user.type(renaming.getByLabelText('Name'), ' of work{Enter}');
  await waitFor(() => expect(service.to('PUT /api/profile/passkeys/1')[0]?.body).toEqual({ name: 'Laptop of work' }));
  const demanded = 'Your account needs a second factor, so the last one can’t be removed.';
  service.replies['DELETE /api/profile/passkeys/2'] = {
    status: 422,
    body: { message: demanded, errors: { passkey: [demanded] } },
  };
  await user.click(await list.findByRole('button', { name: /^Remove\s*Phone$/ }));
  const removing = within(await screen.findByRole('dialog', { name: 'Remove Phone?' }));
  await user.click(removing.getByRole('button', { name: 'Remove' }));
  expect(await removing.findByText(demanded)).toBeDefined();
});

test('the password is switched off after a question, and on at once', async () => {
  const two = [passkey(1, 'Laptop'), passkey(2, 'Phone')];
  const { service, user } = await open(security(two));
  const off = 'From now on you sign in with your passkeys only.';
  service.replies['PUT /api/profile/password-sign-in'] = ({ body }) => {
    const { enabled } = body as { enabled: boolean };
    service.replies['GET /api/profile/security'] = security(two, { password_sign_in: enabled });
    return { body: { data: { password_sign_in: enabled }, message: enabled ? 'On.' : off } };
  };
  await user.click(await screen.findByRole('button', { name: /^Turn off\s*Password$/ }));
  const question = within(await screen.findByRole('dialog', { name: 'Sign in with passkeys only?' }));
  await user.click(question.getByRole('button', { name: 'Turn off' }));
  expect(await screen.findByText(off)).toBeDefined();
  await user.click(await screen.findByRole('button', { name: /^Turn on\s*Password$/ }));
  expect(await screen.findByText('You can also sign in with your password.')).toBeDefined();
});

test('one passkey alone offers no switch, and where none can be had nothing is shown', async () => {
  await open(security([passkey(1, 'Laptop')]));
  expect(await screen.findByText('This browser doesn’t support passkeys.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /Password$/ })).toBeNull();
});

test('passkeys of a former address are named as such, and do not stand in for the password', async () => {
  const former = { ...passkey(2, 'Phone'), works: false };
  await open(security([passkey(1, 'Laptop'), former]));
  const list = within(await screen.findByRole('list', { name: 'Passkeys' }));
  const [laptop, phone] = list.getAllByRole('listitem').map((one) => within(one));
  expect([laptop?.queryByText('Can’t be used here'), phone?.getByText('Can’t be used here')]).toEqual([
    null,
    expect.anything(),
  ]);
  expect(phone?.getByText(/former address of Tenure/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /Password$/ })).toBeNull();
});

test('an installation whose address knows no passkeys offers none', async () => {
  await open(security([], { passkeys_work: false }));
  expect(screen.queryByRole('heading', { name: 'Passkeys' })).toBeNull();
});
