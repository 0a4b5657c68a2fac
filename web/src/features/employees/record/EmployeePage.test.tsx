import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { card, complete, onRequest } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const asHr = ['employees.view', 'employees.view_sensitive', 'audit.view'];
type Served = ReturnType<typeof service>;
/** For each read of the person, whether private details were requested. */
const revealed = (served: Served) => served.to('GET /api/employees/57').map(({ query }) => query.get('reveal'));

function service(person: object, permissions: readonly string[] = ['employees.view']) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees/57': itemOf(person),
    'GET /api/employees/57/job-history': listOf([]),
    'GET /api/employees/57/attachments': listOf([]),
    'GET /api/audit-log': listOf([]),
  });
}

test('private details stay closed until they are opened, and can be closed again', async () => {
  const served = service(complete, asHr);
  served.replies['GET /api/employees/57'] = onRequest(complete);
  const { user } = start('/employees/57');
  await screen.findByRole('heading', { level: 2, name: 'Private details' });
  await screen.findByText('2 May 2026');
  for (const text of ['South Korean', '****4711', 'Date of birth', 'Mobile'])
    expect(screen.queryByText(text)).toBeNull();
  expect(revealed(served)).toEqual([null]);
  await user.click(screen.getByRole('button', { name: 'Show private details' }));
  for (const text of ['South Korean', '****4711', 'Mobile']) expect(await screen.findByText(text)).toBeDefined();
  expect(revealed(served)).toEqual([null, 'private']);
  await user.click(screen.getByRole('button', { name: 'Hide private details' }));
  expect(screen.queryByText('South Korean')).toBeNull();
  expect(screen.getByRole('button', { name: 'Show private details' })).toBeDefined();
});

test('unreadable private details show an error and stay closed', async () => {
  const served = service(complete, asHr);
  served.replies['GET /api/employees/57'] = (request) =>
    request.url.searchParams.has('reveal')
      ? { status: 403, body: { message: 'This action is unauthorized.' } }
      : onRequest(complete)(request);
  const { user } = start('/employees/57');
  await user.click(await screen.findByRole('button', { name: 'Show private details' }));
  expect((await screen.findByRole('alert')).textContent).toContain('You don’t have access to this page');
  expect(screen.getByRole('button', { name: 'Show private details' })).toBeDefined();
});

test('HR sees the whole record, with account numbers masked by the service', async () => {
  service(complete, asHr).replies['GET /api/employees/57'] = onRequest(complete);
  const { user } = start('/employees/57');
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  await user.click(await screen.findByRole('button', { name: 'Show private details' }));
  await screen.findByRole('heading', { level: 2, name: 'Bank account' });
  for (const title of ['Contact', 'Work', 'Employment', 'Personal details', 'Bank account', 'Sign-in'])
    expect(screen.getByRole('heading', { level: 2, name: title })).toBeDefined();
  for (const text of ['South Korean', '****4711', '14 Jul 1995', '2 May 2026', 'Probation', 'LS1 5HD'])
    expect(screen.getByText(text)).toBeDefined();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Overview', 'Job', 'Documents', 'History']);
  expect(document.title).toBe('Lena Park · Tenure');
});

test('a colleague sees the card only', async () => {
  service(card);
  start('/employees/57');
  await screen.findByRole('heading', { level: 1, name: 'Lena Park' });
  expect(screen.getAllByText('Purchasing').length).toBeGreaterThan(0);
  for (const title of ['Employment', 'Personal details', 'Private details', 'Bank account', 'Sign-in'])
    expect(screen.queryByRole('heading', { level: 2, name: title })).toBeNull();
  for (const label of ['Phone', 'Grade', 'Address', 'Date of birth', 'Start date'])
    expect(screen.queryByText(label)).toBeNull();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Overview', 'Documents']);
});

test('a tab is in the address; a tab that the user may not see shows the overview instead', async () => {
  const served = service(card);
  const { user, where } = start('/employees/57?tab=history');
  await screen.findByRole('heading', { level: 2, name: 'Contact' });
  expect(served.to('GET /api/audit-log')).toHaveLength(0);
  await user.click(screen.getByRole('tab', { name: 'Documents' }));
  await screen.findByText('No documents yet');
  expect(where()).toBe('/employees/57?tab=documents');
});

test('a person out of scope is not found', async () => {
  const served = service(card);
  served.replies['GET /api/employees/57'] = { status: 404, body: { message: 'Not found.' } };
  start('/employees/57');
  expect(await screen.findByRole('heading', { level: 1, name: 'Page not found' })).toBeDefined();
});

test.each(['0', 'x', '1.5', '-3', '00057', '99999999999999999'])(
  'the address /employees/%s sends no request',
  async (id) => {
    const served = service(card);
    start(`/employees/${id}`);
    await screen.findByRole('heading', { level: 1, name: 'Page not found' });
    expect(served.asked.filter(({ path }) => path.startsWith('/api/employees'))).toEqual([]);
  },
);

test('the profile can be downloaded as PDF, and printed', async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  service(card);
  const { user } = start('/employees/57');
  const link = await screen.findByRole('link', { name: 'Download PDF' });
  expect(link.getAttribute('href')).toBe('/api/employees/57/pdf');
  await user.click(screen.getByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
});
