import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';

const list = 'GET /api/employees/imports';
const service = () => serve({ 'GET /api/me': signedInAs(['employees.import']), [list]: listOf([]) });
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });
const inShell = () => expect(screen.getByRole('navigation', { name: 'Main' })).toBeDefined();

afterEach(() => vi.restoreAllMocks());

const withLock = 'GET /api/employees/imports/41';
const refused = (status: number, body: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const served = service();
  served.replies[withLock] = { status, body: { message: 'No.', ...body }, headers };
  return served;
};

test('an unknown address links to the home page and back to the previous page', async () => {
  service();
  const { user, where, router } = start('/imports');
  await heading('Imports');
  await act(() => router.navigate({ to: '/nowhere' as '/' }));
  await heading('Page not found');
  inShell();
  expect(document.title).toBe('Page not found · Tenure');
  await user.click(screen.getByRole('button', { name: 'Go back' }));
  await heading('Imports');
  expect(where()).toBe('/imports');
});

test.each([
  [403, 'You don’t have access to this page'],
  [404, 'Page not found'],
])('a record refused with %i shows an error inside the shell, with a link to the home page', async (status, title) => {
  refused(status);
  start('/imports/41');
  await heading(title);
  inShell();
  expect(screen.getByRole('link', { name: 'Back to home' }).getAttribute('href')).toBe('/');
});

test('after too many requests the page counts down and retries automatically', async () => {
  const served = refused(429, {}, { 'Retry-After': '1' });
  start('/imports/41');
  await heading('Too many requests');
  expect(screen.getByText('We’ll try again in 1 second.')).toBeDefined();
  served.replies[withLock] = { status: 404, body: { message: 'No.' } };
  await heading('Page not found');
  expect(served.to(withLock)).toHaveLength(2);
});

test('an unavailable service is retried automatically, or at once by button', async () => {
  const served = refused(503, {}, { 'Retry-After': '30' });
  const { user } = start('/imports/41');
  await heading('Tenure is down for maintenance');
  expect(screen.getByText(/^It will be back shortly\. We’ll try again in \d+ seconds/)).toBeDefined();
  inShell();
  served.replies[withLock] = { status: 404, body: { message: 'No.' } };
  await user.click(screen.getByRole('button', { name: 'Try now' }));
  await heading('Page not found');
});

test('an internal error has an id to report, and can be retried', async () => {
  const served = refused(500, { request_id: '9a5eb339-592a' });
  const { user } = start('/imports/41');
  await heading('Something went wrong');
  expect(screen.getByText(/9a5eb339-592a/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Copy ID' }));
  expect(await navigator.clipboard.readText()).toBe('9a5eb339-592a');
  served.replies[withLock] = { status: 404, body: { message: 'No.' } };
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await heading('Page not found');
});

test('a rate-limited change shows when to retry', async () => {
  const served = service();
  served.replies['GET /api/entities'] = listOf([]);
  served.replies['POST /api/employees/import'] = {
    status: 429,
    body: { message: 'Too Many Attempts.' },
    headers: { 'Retry-After': '20' },
  };
  const { user } = start('/imports/new');
  await user.upload(await screen.findByLabelText(/^Drop the file here/), new File(['a'], 'staff.csv'));
  await user.click(screen.getByRole('button', { name: 'Check file' }));
  const notice = await screen.findByRole('alert');
  expect(within(notice).getByText(/^Try again in \d+ seconds\.$/)).toBeDefined();
});

test('without a network a banner says what still works, and then that the connection is back', async () => {
  service();
  start('/imports');
  await heading('Imports');
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(await screen.findByText(/^You’re offline/)).toBeDefined();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('You’re back online.')).toBeDefined();
  expect(screen.queryByText(/^You’re offline/)).toBeNull();
});

const page = (script: string) => `<html><script type="module" crossorigin src="${script}"></script></html>`;

/** Sets the running build and the build that the service offers. */
function buildsOf(own: string, served: string) {
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', own);
  document.head.append(script);
  const service = globalThis.fetch.bind(globalThis);
  const asked = vi.fn<() => Promise<Response>>(() => Promise.resolve(new Response(page(served))));
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => (input === '/' ? asked() : service(input, init)));
  return { asked, end: () => script.remove() };
}

async function comeBack(afterMinutes: number) {
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + afterMinutes * 60_000);
  await act(async () => void window.dispatchEvent(new Event('focus')));
  vi.mocked(Date.now).mockRestore();
}

test('a newer version is announced when the user returns to the page, at most every few minutes', async () => {
  service();
  const builds = buildsOf('/assets/index-a.js', '/assets/index-b.js');
  const { user } = start('/imports');
  await heading('Imports');
  await comeBack(2);
  expect(builds.asked).not.toHaveBeenCalled();
  await comeBack(6);
  expect(await screen.findByText('A new version of Tenure is ready.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(screen.queryByText('A new version of Tenure is ready.')).toBeNull();
  builds.end();
});

test('no banner while the same build is served', async () => {
  const served = service();
  served.replies[withLock] = itemOf({});
  const builds = buildsOf('/assets/index-a.js', '/assets/index-a.js');
  start('/imports');
  await heading('Imports');
  await comeBack(6);
  await waitFor(() => expect(builds.asked).toHaveBeenCalledOnce());
  expect(screen.queryByText('A new version of Tenure is ready.')).toBeNull();
  builds.end();
});
