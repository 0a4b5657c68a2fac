import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const acme = { id: 7, name: 'Acme ID' };
const email = () => screen.findByLabelText('Work email');
const button = (name: string) => screen.findByRole('button', { name });
const sentence = 'You are signed in at Acme ID, but no account here belongs to you. Please ask your HR department.';

let visited: string[] = [];
beforeEach(() => {
  visited = [];
  const assign = (url: string) => void visited.push(url);
  vi.stubGlobal('location', { href: location.href, origin: location.origin, assign });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

type Ways = { by_address: boolean; providers: (typeof acme)[] };

function service(ways: Ways, offer: unknown = { provider: acme, password: true }) {
  return serve({
    'GET /api/me': guest,
    'GET /api/employees': listOf([]),
    'GET /api/sign-in/options': itemOf(ways),
    'POST /api/sign-in/options': itemOf(offer),
    'POST /api/sso/7/start': itemOf({ url: 'https://op.example/auth?state=x' }),
  });
}

test('the page asks for the address first, then offers its provider, and keeps where to go', async () => {
  const served = service({ by_address: true, providers: [] });
  const { user } = start('/employees?search=lena');
  await button('Continue');
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.type(await email(), 'hana.ito@acme.example{Enter}');
  const go = await button('Sign in with Acme ID');
  await waitFor(() => expect(document.activeElement).toBe(go));
  expect(served.to('POST /api/sign-in/options')[0]?.body).toEqual({ email: 'hana.ito@acme.example' });
  await user.click(go);
  await waitFor(() => expect(visited).toEqual(['https://op.example/auth?state=x']));
  expect(served.to('POST /api/sso/7/start')[0]?.body).toEqual({ next: '/employees?search=lena' });
  expect(JSON.stringify(Object.entries(localStorage))).not.toContain('hana.ito');
});

test('another address is asked for again; without a provider it leads to the password', async () => {
  const served = service({ by_address: true, providers: [] });
  served.replies['POST /api/login'] = () => {
    served.replies['GET /api/me'] = signedInAs(['employees.view']);
    return { body: { message: 'Logged in successfully.' } };
  };
  const { user, where } = start('/login?next=/employees');
  await button('Continue');
  await user.type(await email(), 'hana@acme.example{Enter}');
  await button('Sign in with Acme ID');
  served.replies['POST /api/sign-in/options'] = itemOf({ provider: null, password: true });
  await user.clear(await email());
  await user.type(await email(), 'lena@other.example');
  expect(screen.queryByRole('button', { name: 'Sign in with Acme ID' })).toBeNull();
  await user.click(await button('Continue'));
  const password = await screen.findByLabelText('Password');
  await waitFor(() => expect(document.activeElement).toBe(password));
  await user.type(password, 'right{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees');
  expect(served.to('POST /api/login')[0]?.body).toEqual({ email: 'lena@other.example', password: 'right' });
});

test('where a rule demands the provider, emergency accounts still reach the password', async () => {
  service({ by_address: true, providers: [] }, { provider: acme, password: false });
  const { user } = start('/login');
  await button('Continue');
  await user.type(await email(), 'hana@acme.example{Enter}');
  expect(screen.queryByLabelText('Password')).toBeNull();
  await user.click(await button('Emergency account? Sign in with a password'));
  expect(await screen.findByLabelText('Password')).toBeDefined();
});

test('a provider without domains is a button beside the password; one that was switched off is named so', async () => {
  const served = service({ by_address: false, providers: [acme] });
  served.replies['POST /api/sso/7/start'] = { status: 404, body: { message: 'Not found.' } };
  const { user } = start('/login');
  await user.click(await button('Sign in with Acme ID'));
  expect(await screen.findByText('This way to sign in is turned off. Choose another one.')).toBeDefined();
  expect(screen.getByLabelText('Password')).toBeDefined();
  expect(visited).toEqual([]);
});

test('a password that was typed before the service answers stays', async () => {
  service({ by_address: true, providers: [acme] });
  const soon = fetch;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (...input: Parameters<typeof fetch>) => {
    if ((input[0] as string).endsWith('/sign-in/options')) await answered;
    return soon(...input);
  });
  const { user } = start('/login');
  await user.type(await screen.findByLabelText('Password'), 'right');
  answer();
  await button('Sign in with Acme ID');
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('right');
});

test('the second visit on a device shows the same form at once', async () => {
  const served = service({ by_address: true, providers: [] });
  start('/login');
  await button('Continue');
  await waitFor(() => expect(localStorage.getItem('tenure.sign-in.ways')).toContain('true'));
  served.replies['GET /api/sign-in/options'] = { status: 503, body: { message: 'Away.' } };
  start('/login');
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Continue' })).toHaveLength(2));
});

test('the answer of the provider leaves the address, is sent once and leads to where the user wanted to go', async () => {
  const served = service({ by_address: false, providers: [acme] });
  served.replies['POST /api/sso/7/complete'] = () => {
    served.replies['GET /api/me'] = signedInAs(['employees.view']);
    return { body: { message: 'Logged in successfully.', next: '/employees?page=2' } };
  };
  const { router, where } = start('/sso/callback/7?code=a%2Bb&state=s&iss=https%3A%2F%2Fop.example');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees?page=2');
  const [sent, ...others] = served.to('POST /api/sso/7/complete');
  expect(others).toEqual([]);
  const body = sent?.body as { query: string } | undefined;
  expect(Object.fromEntries(new URLSearchParams(body?.query))).toEqual({
    code: 'a+b',
    state: 's',
    iss: 'https://op.example',
  });
  router.history.back();
  expect(router.history.location.href).not.toContain('code=');
});

test('a place that is too long for the service is kept by the tab', async () => {
  const place = `/employees?search=${'a'.repeat(90)}&sort=${'b'.repeat(300)}`;
  const served = service({ by_address: false, providers: [acme] });
  const { user } = start(`/login?next=${encodeURIComponent(place)}`);
  await user.click(await button('Sign in with Acme ID'));
  await waitFor(() => expect(visited).toHaveLength(1));
  expect(served.to('POST /api/sso/7/start')[0]?.body).toEqual({});
  served.replies['POST /api/sso/7/complete'] = () => {
    served.replies['GET /api/me'] = signedInAs(['employees.view']);
    return { body: { message: 'Logged in successfully.', next: null } };
  };
  const { where } = start('/sso/callback/7?code=a&state=s');
  await waitFor(() => expect(where()).toMatch(/^\/employees\?search=a+/));
});

test('an unreadable answer of last time is no answer', async () => {
  service({ by_address: false, providers: [] });
  localStorage.setItem('tenure.sign-in.ways', '{"by_address":true}');
  start('/login');
  expect(await screen.findByLabelText('Password')).toBeDefined();
});

test('a handoff of SAML is sent in place of the query, and leaves the address', async () => {
  const served = service({ by_address: false, providers: [acme] });
  served.replies['POST /api/sso/7/complete'] = () => {
    served.replies['GET /api/me'] = signedInAs(['employees.view']);
    return { body: { message: 'Logged in successfully.', next: '/employees' } };
  };
  const { router } = start('/sso/callback/7?handoff=a-handoff');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(served.to('POST /api/sso/7/complete').map(({ body }) => body)).toEqual([{ handoff: 'a-handoff' }]);
  router.history.back();
  expect(router.history.location.href).not.toContain('handoff');
});

test('a refused answer is explained, and the way back keeps where to go', async () => {
  const served = service({ by_address: false, providers: [acme] });
  served.replies['POST /api/sso/7/complete'] = {
    status: 422,
    body: { message: sentence, errors: { sso: [sentence] } },
  };
  sessionStorage.setItem('tenure.sso', JSON.stringify({ next: '/employees?page=2' }));
  const { user, where } = start('/sso/callback/7?code=a&state=s');
  await screen.findByRole('heading', { level: 1, name: 'We couldn’t sign you in' });
  expect(screen.getByText(sentence)).toBeDefined();
  expect(where()).toBe('/sso/callback/7');
  await user.click(screen.getByRole('link', { name: 'Back to sign-in' }));
  await email();
  expect(where()).toBe('/login?next=%2Femployees%3Fpage%3D2');
});

test.each([
  [503, /The sign-in provider isn’t answering/],
  [404, /This way to sign in is turned off/],
])('an answer of %i is explained', async (status, text) => {
  const served = service({ by_address: false, providers: [] });
  served.replies['POST /api/sso/7/complete'] = { status, body: { message: 'x' } };
  start('/sso/callback/7?code=a&state=s');
  expect(await screen.findByText(text)).toBeDefined();
});

test('without the network, the same answer can be sent again', async () => {
  const served = service({ by_address: false, providers: [] });
  const { user } = start('/sso/callback/7?code=a&state=s');
  const again = await button('Try again');
  served.replies['POST /api/sso/7/complete'] = () => {
    served.replies['GET /api/me'] = signedInAs(['employees.view']);
    return { body: { message: 'Logged in successfully.', next: '/employees' } };
  };
  await user.click(again);
  expect(await screen.findByRole('heading', { level: 1, name: 'Employees' })).toBeDefined();
});

test('the address without an answer says so', async () => {
  service({ by_address: false, providers: [] });
  start('/sso/callback/7');
  expect(await screen.findByRole('heading', { level: 1, name: 'This sign-in is incomplete' })).toBeDefined();
  expect(screen.getByRole('link', { name: 'Back to sign-in' })).toBeDefined();
});

test('after linking, the profile confirms it', async () => {
  const served = service({ by_address: false, providers: [] });
  served.replies['GET /api/me'] = signedInAs([]);
  served.replies['GET /api/profile/sessions'] = listOf([]);
  served.replies['GET /api/profile/identities'] = itemOf({ identities: [], providers: [] });
  served.replies['POST /api/sso/7/complete'] = {
    body: { message: 'Your account is now linked to Acme ID.', next: '/profile' },
  };
  sessionStorage.setItem('tenure.sso', JSON.stringify({ links: true }));
  const { where } = start('/sso/callback/7?code=a&state=s');
  expect(await screen.findByText('Your account is now linked to Acme ID.')).toBeDefined();
  expect(where()).toBe('/profile?part=security');
});
