import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { complete } from '../testing/people.ts';
import { guest, itemOf, listOf, serve, signedInAs } from '../testing/service.ts';
import { start } from '../testing/start.tsx';
import { streams } from '../testing/stream.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const path = 'GET /api/employees/export';

/** Requests the list of employees as CSV; returns the downloaded file. */
async function exportList(replies: Parameters<typeof serve>[0]) {
  const handed: string[] = [];
  URL.createObjectURL = () => 'blob:list';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    handed.push(this.download);
  });
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.export']),
    'GET /api/employees': listOf([complete]),
    'GET /api/saved-views': listOf([]),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    ...replies,
  });
  const opened = streams();
  const application = start('/employees?search=lena');
  // the shell loads `Downloads` last, with the event stream; until then the browser saves the file itself
  await waitFor(() => expect(opened).toHaveLength(1));
  await application.user.click(await screen.findByRole('button', { name: 'Export' }));
  await application.user.click(await screen.findByRole('menuitem', { name: 'Export as CSV' }));
  return { service, handed, ...application };
}

const file = {
  body: 'a,b',
  headers: { 'Content-Disposition': `attachment; filename="Z_e.csv"; filename*=UTF-8''Zo%C3%AB.csv` },
};

test('a file is saved under the name from the service', async () => {
  const { service, handed } = await exportList({ [path]: file });
  await waitFor(() => expect(handed).toEqual(['Zoë.csv']));
  expect(Object.fromEntries(service.to(path)[0]?.query ?? [])).toEqual({ search: 'lena', format: 'csv' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refused file shows an error and can be requested again', async () => {
  const refusal = { status: 429, body: { message: 'Too Many Attempts.' }, headers: { 'Retry-After': '17' } };
  const { service, user, handed } = await exportList({ [path]: refusal });
  const dialog = within(await screen.findByRole('dialog', { name: 'We couldn’t download the file' }));
  expect(dialog.getByText('Too Many Attempts.')).toBeDefined();
  expect(dialog.getByText(/Try again in 1[67] seconds/)).toBeDefined();
  expect(handed).toEqual([]);
  service.replies[path] = file;
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(handed).toEqual(['Zoë.csv']));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('requesting a file after the end of the session leads to the sign-in page', async () => {
  const { where } = await exportList({ [path]: guest });
  await waitFor(() => expect(where()).toMatch(/^\/login\?next=.*expired=true$/));
});
