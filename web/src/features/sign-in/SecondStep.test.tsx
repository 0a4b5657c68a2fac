import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const wrong = 'The code is not right.';
const signedIn = signedInAs(['employees.view']);

function service() {
  const served = serve({
    'GET /api/me': guest,
    'GET /api/employees': listOf([]),
    'POST /api/two-factor-challenge/options': itemOf({ totp: true, options: null }),
    'POST /api/login': { body: { message: 'A second step is needed.', two_factor: true } },
    'POST /api/two-factor-challenge': ({ body }) => {
      const [field = '', value] = Object.entries(body as object)[0] ?? [];
      if (value !== '123 456' && value !== 'ABCD-EFGH')
        return { status: 422, body: { message: wrong, errors: { [field]: [wrong] } } };
      served.replies['GET /api/me'] = signedIn;
      return { body: { message: 'Logged in successfully.' } };
    },
  });
  return served;
}

async function afterPassword(address = '/login') {
  const opened = start(address);
  const { user } = opened;
  await user.type(await screen.findByLabelText('Work email'), 'hana.ito@acme.example');
  await user.type(screen.getByLabelText('Password'), 'right{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Two-step sign-in' });
  return opened;
}

test('an account with a second factor is asked for a code, and goes on where it wanted to', async () => {
  const served = service();
  const { user, where } = await afterPassword('/employees?search=lena');
  const field = screen.getByLabelText('Code');
  expect(document.activeElement).toBe(field);
  expect([field.getAttribute('autocomplete'), field.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
  await user.type(field, '000000{Enter}');
  expect(await screen.findByText(wrong)).toBeDefined();
  await waitFor(() => expect((field as HTMLInputElement).value).toBe(''));
  expect(document.activeElement).toBe(field);
  await user.type(field, '123 456{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Employees' })).toBeDefined();
  expect(where()).toBe('/employees?search=lena');
  expect(served.to('POST /api/two-factor-challenge').map(({ body }) => body)).toEqual([
    { code: '000000' },
    { code: '123 456' },
  ]);
});

test('a recovery code does as well', async () => {
  const served = service();
  const { user } = await afterPassword('/login?next=/employees');
  await user.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  await user.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(served.to('POST /api/two-factor-challenge')[0]?.body).toEqual({ recovery_code: 'ABCD-EFGH' });
});

test('a sign-in that the service ended begins anew, and says so', async () => {
  const served = service();
  const over = 'Please sign in again.';
  served.replies['POST /api/two-factor-challenge'] = {
    status: 422,
    body: { message: over, errors: { sign_in: [over] } },
  };
  const { user } = await afterPassword();
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText(over)).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>('Work email').value).toBe('hana.ito@acme.example');
  await user.type(screen.getByLabelText('Password'), 'right{Enter}');
  await screen.findByLabelText('Code');
  await user.click(screen.getByRole('button', { name: 'Back to sign-in' }));
  expect(await screen.findByLabelText('Work email')).toBeDefined();
  expect(screen.queryByText(over)).toBeNull();
});

test('after too many codes a countdown disables the button', async () => {
  const served = service();
  served.replies['POST /api/two-factor-challenge'] = {
    status: 429,
    body: { message: 'Too many login attempts.', errors: { code: ['Too many login attempts.'] } },
    headers: { 'Retry-After': '30' },
  };
  const { user } = await afterPassword();
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText(/^Try again in \d+ seconds$/)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('disabled')).toBe(true);
});

test('a session that must add a second factor first has this one screen', async () => {
  const served = service();
  const me = signedInAs(['employees.view']);
  const required = structuredClone(me) as { body: { data: { second_factor: object } } };
  required.body.data.second_factor = { state: 'required', from: '2026-01-01' };
  served.replies['GET /api/me'] = required;
  served.replies['POST /api/profile/totp'] = {
    ...itemOf({ secret: 'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP', otpauth_url: 'otpauth://totp/Tenure:a?secret=A' }),
    status: 201,
  };
  served.replies['POST /api/profile/totp/confirm'] = () => {
    served.replies['GET /api/me'] = me;
    return itemOf({ recovery_codes: ['AAAA-BBBB-CCCC-DDDD'] });
  };
  const { user, where } = start('/employees?search=lena');
  await screen.findByRole('heading', { level: 1, name: 'Set up two-step sign-in' });
  expect(where()).toBe('/second-factor?next=%2Femployees%3Fsearch%3Dlena');
  await user.click(screen.getByRole('button', { name: 'Set up authenticator app' }));
  expect(await screen.findByRole('img', { name: 'QR code for the authenticator app' })).toBeDefined();
  expect(screen.getByText('ABCD EFGH IJKL MNOP ABCD EFGH IJKL MNOP')).toBeDefined();
  await user.type(screen.getByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('AAAA-BBBB-CCCC-DDDD')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'I’ve saved my codes' }));
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees?search=lena');
});

test('an account without an app is asked for a recovery code where the browser knows no passkeys', async () => {
  const served = service();
  served.replies['POST /api/two-factor-challenge/options'] = itemOf({
    totp: false,
    options: { challenge: 'x', timeout: 1, rpId: 'localhost', allowCredentials: [], userVerification: 'required' },
  });
  const { user } = await afterPassword();
  expect(screen.queryByLabelText('Code')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull();
  await user.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH{Enter}');
  await waitFor(() =>
    expect(served.to('POST /api/two-factor-challenge')[0]?.body).toEqual({ recovery_code: 'ABCD-EFGH' }),
  );
});
