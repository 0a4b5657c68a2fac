import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { guest, serve } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const url = 'POST /api/password-reset-requests';
const said = 'If an account belongs to this address, a mail is on its way.';
const service = () => serve({ 'GET /api/me': guest, [url]: { body: { message: said } } });

/** Marks the page as the service does. */
const offer = () => {
  document.head.innerHTML = '<meta name="password-reset" content="mail">';
};

beforeEach(() => {
  document.head.innerHTML = '';
});
afterEach(() => {
  document.head.innerHTML = '';
});

test('from the page to sign in a user asks for a link', async () => {
  offer();
  const served = service();
  const { user, where } = start('/login');
  await user.click(await screen.findByRole('link', { name: 'Forgot your password?' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Forgot your password?' })).toBeDefined();
  expect(where()).toBe('/forgot-password');
  await user.type(screen.getByLabelText('Work email'), 'hana.ito@acme.example{Enter}');
  expect(await screen.findByText(new RegExp(said))).toBeDefined();
  expect(served.to(url).map(({ body }) => body)).toEqual([{ email: 'hana.ito@acme.example' }]);
  await user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
  expect(await screen.findByLabelText('Password')).toBeDefined();
});

test('a refused address is shown under the field', async () => {
  offer();
  const served = service();
  const message = 'The email field must be a valid email address.';
  served.replies[url] = { status: 422, body: { message, errors: { email: [message] } } };
  const { user } = start('/forgot-password');
  const field = await screen.findByLabelText('Work email');
  await user.type(field, 'hana{Enter}');
  expect(await screen.findByText(message)).toBeDefined();
  expect(document.activeElement).toBe(field);
});

test('without the setting the page says whom to ask, and there is no such page', async () => {
  service();
  const { where } = start('/forgot-password');
  expect(await screen.findByText(/^Forgot your password\? Ask HR/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Forgot your password?' })).toBeNull();
  await waitFor(() => expect(where()).toBe('/login'));
});
