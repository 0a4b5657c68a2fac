import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { guest, itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const token = 'q3vXo0yH2p1cWm8sRr5TzA7bKd4LfEuNgI6jYVtQxZs';
const invalid = 'This link is not valid any more.';
const dead = { status: 422, body: { message: invalid, errors: { token: [invalid] } } };
const live = itemOf({
  purpose: 'password_reset',
  email_hint: 'l•••@acme.example',
  expires_at: '2026-12-01T09:00:00.000Z',
  second_factor: false,
});

function service(check: Parameters<typeof serve>[0][string] = live) {
  return serve({
    'GET /api/me': guest,
    'POST /api/account-links/check': check,
    'POST /api/account-links/redeem': { body: { message: 'Password saved. You can now sign in.' } },
  });
}

test('a link lets the user choose a password and sign in with it; its token leaves the address at once', async () => {
  const served = service();
  const { user, where } = start(`/reset#${token}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Choose a new password' })).toBeDefined();
  expect(screen.getByText('For l•••@acme.example. This link works only once.')).toBeDefined();
  await waitFor(() => expect(where()).toBe('/reset'));
  await user.type(screen.getByLabelText('New password'), 'Abcdefg1!');
  expect(screen.getAllByText(/^met:/)).toHaveLength(4);
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1?');
  await user.click(screen.getByRole('button', { name: 'Save password' }));
  expect(await screen.findByText('The passwords don’t match.')).toBeDefined();
  expect(served.to('POST /api/account-links/redeem')).toHaveLength(0);
  await user.type(screen.getByLabelText('Confirm new password'), '{Backspace}!{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Your new password is saved' })).toBeDefined();
  const sent = { token, password: 'Abcdefg1!', password_confirmation: 'Abcdefg1!' };
  expect(served.to('POST /api/account-links/redeem').map(({ body }) => body)).toEqual([sent]);
  expect(served.to('POST /api/account-links/check').map(({ body }) => body)).toEqual([{ token }]);
  await user.click(screen.getByRole('link', { name: 'Go to sign-in' }));
  expect(await screen.findByLabelText('Work email')).toBeDefined();
});

test('an invitation welcomes the person to choose a first password', async () => {
  const email_hint = 'l•••@acme.example';
  service(itemOf({ purpose: 'invitation', email_hint, expires_at: '2026-12-01T09:00:00.000Z', second_factor: false }));
  const { user, where } = start(`/welcome#${token}`);
  expect(await screen.findByRole('heading', { level: 1, name: 'Welcome to Tenure' })).toBeDefined();
  expect(screen.getByText('Choose a password for l•••@acme.example. This link works only once.')).toBeDefined();
  await waitFor(() => expect(where()).toBe('/welcome'));
  await user.type(screen.getByLabelText('New password'), 'Abcdefg1!');
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1!{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'You’re all set' })).toBeDefined();
});

test('a refused password is shown under the field, and the link can be used again', async () => {
  const served = service();
  const leaked = 'The given password has appeared in a data leak. Please choose a different password.';
  served.replies['POST /api/account-links/redeem'] = {
    status: 422,
    body: { message: leaked, errors: { password: [leaked] } },
  };
  const { user } = start(`/reset#${token}`);
  const field = await screen.findByLabelText('New password');
  await user.type(field, 'Passw0rd!');
  await user.type(screen.getByLabelText('Confirm new password'), 'Passw0rd!{Enter}');
  expect(await screen.findByText(leaked)).toBeDefined();
  expect(document.activeElement).toBe(field);
});

test.each([
  ['an expired link', `/reset#${token}`, 'This link is no longer valid'],
  ['an address without a token', '/reset', 'This link is incomplete'],
])('%s shows an explanation and leads to the sign-in', async (_what, address, title) => {
  service(dead);
  const { user } = start(address);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
  await user.click(screen.getByRole('link', { name: 'Go to sign-in' }));
  expect(await screen.findByLabelText('Work email')).toBeDefined();
});

test('a link that was used in the meantime is reported as expired', async () => {
  const served = service();
  served.replies['POST /api/account-links/redeem'] = dead;
  const { user } = start(`/reset#${token}`);
  await user.type(await screen.findByLabelText('New password'), 'Abcdefg1!');
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1!{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'This link is no longer valid' })).toBeDefined();
});

test('the request can be retried when the service is unavailable', async () => {
  const served = service({ status: 503, body: { message: 'Away.' } });
  const { user } = start(`/reset#${token}`);
  await screen.findByRole('heading', { level: 1, name: 'We couldn’t check the link' });
  served.replies['POST /api/account-links/check'] = live;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('New password')).toBeDefined();
});

test('a signed-in user can use a link and is signed out by it', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs(['employees.view']);
  const { user } = start(`/reset#${token}`);
  await user.type(await screen.findByLabelText('New password'), 'Abcdefg1!');
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1!{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Your new password is saved' });
  served.replies['GET /api/me'] = guest;
  await user.click(screen.getByRole('link', { name: 'Go to sign-in' }));
  expect(await screen.findByLabelText('Work email')).toBeDefined();
});

describe('a link of an account with a second factor', () => {
  const withFactor = itemOf({
    purpose: 'password_reset',
    email_hint: 'l•••@acme.example',
    expires_at: '2026-12-01T09:00:00.000Z',
    second_factor: true,
  });
  const wrong = 'The code is not right.';
  const required = 'The code field is required.';
  const refused = (field: string, message: string) => ({
    status: 422,
    body: { message, errors: { [field]: [message] } },
  });

  /** A service that requires a code, as for an account with an authenticator app. */
  function serviceWithCode() {
    const served = service(withFactor);
    served.replies['POST /api/account-links/options'] = itemOf({ totp: true, options: null });
    served.replies['POST /api/account-links/redeem'] = ({ body }) => {
      const { code, recovery_code } = body as Record<string, string | undefined>;
      if (code === undefined && recovery_code === undefined) return refused('code', required);
      if (code !== '123456' && recovery_code !== 'ABCD-EFGH') return refused('code', wrong);
      return { body: { message: 'Password saved. You can now sign in.' } };
    };
    return served;
  }

  async function typePassword() {
    const opened = start(`/reset#${token}`);
    const { user } = opened;
    await user.type(await screen.findByLabelText('New password'), 'Abcdefg1!');
    expect(screen.getByText('Your account has a second factor: you’ll be asked for it next.')).toBeDefined();
    await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1!');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    return opened;
  }

  test('asks for a code after the password, and sends both', async () => {
    const served = serviceWithCode();
    const { user } = await typePassword();
    expect(await screen.findByRole('heading', { level: 1, name: 'Confirm that it’s you' })).toBeDefined();
    expect(screen.queryByText(required)).toBeNull();
    await user.type(screen.getByLabelText('Code'), '000000');
    await user.click(screen.getByRole('button', { name: 'Save password' }));
    expect(await screen.findByText(wrong)).toBeDefined();
    await user.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your new password is saved' })).toBeDefined();
    const passwords = { token, password: 'Abcdefg1!', password_confirmation: 'Abcdefg1!' };
    expect(served.to('POST /api/account-links/redeem').map(({ body }) => body)).toEqual([
      passwords,
      { ...passwords, code: '000000' },
      { ...passwords, code: '123456' },
    ]);
  });

  test('takes a recovery code, and leads back to the password with what was typed', async () => {
    serviceWithCode();
    const { user } = await typePassword();
    await user.click(await screen.findByRole('button', { name: 'Back to the password' }));
    expect((await screen.findByLabelText<HTMLInputElement>('New password')).value).toBe('Abcdefg1!');
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await user.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
    await user.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Your new password is saved' })).toBeDefined();
  });

  test('shows a password that is refused only then, and a link that was used meanwhile', async () => {
    const served = serviceWithCode();
    const { user } = await typePassword();
    const same = 'The password field and current password must be different.';
    const field = await screen.findByLabelText('Code');
    served.replies['POST /api/account-links/redeem'] = refused('password', same);
    await user.type(field, '123456{Enter}');
    expect(await screen.findByText(same)).toBeDefined();
    served.replies['POST /api/account-links/redeem'] = refused('code', required);
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    served.replies['POST /api/account-links/redeem'] = dead;
    await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'This link is no longer valid' })).toBeDefined();
  });
});

const email_hint = 'n•••@acme.example';
const addressLink = (purpose: string) =>
  itemOf({ purpose, email_hint, expires_at: '2026-12-01T09:00:00.000Z', second_factor: false });

test.each([
  ['address_change', 'Confirm your new sign-in address', 'Confirm address', 'Address confirmed'],
  ['address_stop', 'Stop the change of your sign-in address?', 'Stop the change', 'Change stopped'],
])('a link of the kind %s does nothing until the button is used', async (purpose, title, action, done) => {
  const served = service(addressLink(purpose));
  served.replies['POST /api/account-links/settle'] = { body: { message: 'Done.' } };
  const { user, where } = start(`/welcome#${token}`);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeDefined();
  expect(screen.getByText(new RegExp(email_hint))).toBeDefined();
  await waitFor(() => expect(where()).toBe('/welcome'));
  expect(screen.queryByLabelText('New password')).toBeNull();
  expect(served.to('POST /api/account-links/settle')).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: action }));
  expect(await screen.findByRole('heading', { level: 1, name: done })).toBeDefined();
  expect(served.to('POST /api/account-links/settle').map(({ body }) => body)).toEqual([{ token }]);
  await user.click(screen.getByRole('link', { name: 'Go to sign-in' }));
  expect(await screen.findByLabelText('Work email')).toBeDefined();
});

test('an address that was taken meanwhile is reported, and a link that was stopped is dead', async () => {
  const served = service(addressLink('address_change'));
  const taken = 'The email has already been taken.';
  served.replies['POST /api/account-links/settle'] = {
    status: 422,
    body: { message: taken, errors: { email: [taken] } },
  };
  const { user } = start(`/welcome#${token}`);
  const button = await screen.findByRole('button', { name: 'Confirm address' });
  await user.click(button);
  expect(await screen.findByText(taken)).toBeDefined();
  served.replies['POST /api/account-links/settle'] = dead;
  await user.click(button);
  expect(await screen.findByRole('heading', { level: 1, name: 'This link is no longer valid' })).toBeDefined();
});
