import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { guest, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const credentials = 'These credentials do not match our records.';
const signedIn = signedInAs(['employees.view']);
const email = () => screen.findByLabelText('Work email');
const password = () => screen.findByLabelText('Password');
const submit = () => screen.getByRole('button', { name: 'Sign in' });

/** A service with one account and its password. */
function service() {
  const served = serve({
    'GET /api/me': guest,
    'GET /api/employees': listOf([]),
    'POST /api/login': ({ body }) => {
      if ((body as { password: string }).password !== 'right')
        return { status: 422, body: { message: credentials, errors: { email: [credentials] } } };
      served.replies['GET /api/me'] = signedIn;
      return { body: { message: 'Logged in successfully.' } };
    },
  });
  return served;
}

test('a guest is sent to the sign-in page and back after signing in', async () => {
  const served = service();
  const { user, where } = start('/employees?search=lena&page=2');
  await user.type(await email(), 'hana.ito@acme.example');
  expect(where()).toBe('/login?next=%2Femployees%3Fsearch%3Dlena%26page%3D2');
  await user.type(await password(), 'right');
  await user.click(submit());
  expect(await screen.findByRole('heading', { level: 1, name: 'Employees' })).toBeDefined();
  expect(where()).toBe('/employees?search=lena&page=2');
  expect(served.to('POST /api/login')[0]?.body).toEqual({ email: 'hana.ito@acme.example', password: 'right' });
});

test('wrong credentials are shown under the field, which gets the focus', async () => {
  service();
  const { user, where } = start('/login');
  await user.type(await email(), 'hana.ito@acme.example');
  await user.type(await password(), 'wrong{Enter}');
  expect(await screen.findByText(credentials)).toBeDefined();
  const field = await email();
  expect(document.activeElement).toBe(field);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toBe(credentials);
  expect(where()).toBe('/login');
});

test('after too many attempts a countdown disables the button', async () => {
  const served = service();
  served.replies['POST /api/login'] = {
    status: 429,
    body: { message: 'Too many login attempts.', errors: { email: ['Too many login attempts.'] } },
    headers: { 'Retry-After': '3' },
  };
  const { user } = start('/login');
  await user.type(await email(), 'hana.ito@acme.example');
  await user.type(await password(), 'wrong');
  await user.click(submit());
  expect(await screen.findByText('Try again in 3 seconds')).toBeDefined();
  expect(submit().hasAttribute('disabled')).toBe(true);
  await waitFor(() => expect(submit().hasAttribute('disabled')).toBe(false), { timeout: 6_000 });
  expect(screen.queryByText(/Try again in/)).toBeNull();
});

test('shows an error when the service does not answer', async () => {
  const served = service();
  delete served.replies['POST /api/login'];
  const { user } = start('/login');
  await user.type(await password(), 'right{Enter}');
  expect(await screen.findByText(/Can’t reach Tenure/)).toBeDefined();
});

test('a signed-in user is redirected from the page', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  const { where } = start('/login?next=/employees');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees');
});

test('a session that ends during work leads to the sign-in page and back to the same page', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  const { user, where, queries } = start('/employees?search=lena');
  await screen.findByText('No matching employees');
  served.replies['GET /api/me'] = guest;
  served.replies['GET /api/employees'] = guest;
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText(/You were signed out/)).toBeDefined();
  expect(where()).toMatch(/^\/login\?next=%2Femployees.*&expired=true$/);
  await waitFor(() => expect(queries.getQueryCache().getAll()).toHaveLength(1));
});

test('an ended session noticed by the session query leads to the sign-in page too', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  const { where, queries } = start('/employees?search=lena');
  await screen.findByText('No matching employees');
  served.replies['GET /api/me'] = guest;
  served.replies['GET /api/employees'] = guest;
  await act(() => queries.refetchQueries({ queryKey: ['session'] }));
  expect(await screen.findByText(/You were signed out/)).toBeDefined();
  expect(where()).toMatch(/^\/login\?next=%2Femployees.*&expired=true$/);
});

test('signing out clears the query cache and informs the other tabs', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  served.replies['POST /api/logout'] = { body: { message: 'Logged out successfully.' } };
  const heard = vi.fn<(event: MessageEvent) => void>();
  const otherTab = new BroadcastChannel('tenure.session');
  otherTab.addEventListener('message', heard);
  const { user, where, queries } = start('/employees');
  await user.click(await screen.findByRole('button', { name: /Hana Ito/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  await email();
  expect(where()).toBe('/login');
  await waitFor(() => expect(queries.getQueryCache().getAll()).toHaveLength(1));
  await waitFor(() => expect(heard).toHaveBeenCalled());
  expect(heard.mock.calls[0]?.[0].data).toEqual({ user: null });
  otherTab.close();
});

test('shows the error and stays when signing out fails', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  served.replies['POST /api/logout'] = { status: 503, body: { message: 'Away.' } };
  const { user, where } = start('/employees');
  await user.click(await screen.findByRole('button', { name: /Hana Ito/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  expect(await screen.findByText('We couldn’t sign you out. Try again.')).toBeDefined();
  expect(where()).toBe('/employees');
});

test('signing out in another tab signs out here', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedIn;
  const { where } = start('/employees');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  served.replies['GET /api/me'] = guest;
  const otherTab = new BroadcastChannel('tenure.session');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has none
  otherTab.postMessage({ user: null });
  await email();
  expect(where()).toBe('/login');
  otherTab.close();
});

test('a one-time password leads to choosing a new one, with rules that are ticked while typing', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs(['employees.view'], { must_change_password: true });
  served.replies['PUT /api/profile/password'] = () => {
    served.replies['GET /api/me'] = signedIn;
    return { body: { data: {}, message: 'Operation successful.' } };
  };
  const { user, where } = start('/employees?page=3');
  const next = await screen.findByLabelText('New password');
  expect(where()).toBe('/new-password?next=%2Femployees%3Fpage%3D3');
  await user.type(await screen.findByLabelText('One-time password'), 'once');
  await user.type(next, 'Abcdefg1');
  expect(screen.getAllByText(/^met:/)).toHaveLength(3);
  expect(screen.getAllByText(/^not yet met:/)).toHaveLength(1);
  await user.type(next, '!');
  expect(screen.getAllByText(/^met:/)).toHaveLength(4);
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1?{Enter}');
  expect(await screen.findByText('The passwords don’t match.')).toBeDefined();
  expect(served.to('PUT /api/profile/password')).toHaveLength(0);
  await user.type(screen.getByLabelText('Confirm new password'), '{Backspace}!{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees?page=3');
});

test('who just signed in with a one-time password is welcomed and not asked for it again', async () => {
  const served = service();
  const welcomed = signedInAs(['employees.view'], { must_change_password: true, name: 'Lena Park' });
  served.replies['POST /api/login'] = () => {
    served.replies['GET /api/me'] = welcomed;
    return { body: { message: 'Signed in.' } };
  };
  served.replies['PUT /api/profile/password'] = {
    status: 422,
    body: { message: 'Expired.', errors: { current_password: ['This one-time password has expired.'] } },
  };
  const { user } = start('/login');
  await user.type(await email(), 'lena@acme.example');
  await user.type(screen.getByLabelText('Password'), 'once-Only-1!{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Welcome, Lena Park' });
  expect(screen.queryByLabelText('One-time password')).toBeNull();
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain('once-Only');
  await user.type(screen.getByLabelText('New password'), 'Abcdefg1!');
  await user.type(screen.getByLabelText('Confirm new password'), 'Abcdefg1!{Enter}');
  // a refused one-time password can be corrected
  await screen.findByText('This one-time password has expired.');
  expect(screen.getByLabelText<HTMLInputElement>('One-time password').value).toBe('once-Only-1!');
  expect(served.to('PUT /api/profile/password')[0]?.body).toMatchObject({ current_password: 'once-Only-1!' });
});

test('the email is filled in next time if the user wants that, and forgotten if not', async () => {
  const served = service();
  served.replies['POST /api/login'] = { status: 422, body: { message: '', errors: { email: ['Not accepted.'] } } };
  localStorage.setItem('tenure.sign-in.email', 'hana.ito@acme.example');
  const { user } = start('/login');
  expect(((await email()) as HTMLInputElement).value).toBe('hana.ito@acme.example');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password')));
  const remember = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Remember my email on this device' });
  expect(remember.checked).toBe(true);
  await user.click(remember);
  served.replies['POST /api/login'] = () => {
    served.replies['GET /api/me'] = signedIn;
    return { body: { message: 'Signed in.' } };
  };
  await user.type(screen.getByLabelText('Password'), 'Abcdefg1!{Enter}');
  await waitFor(() => expect(localStorage.getItem('tenure.sign-in.email')).toBeNull());
});
