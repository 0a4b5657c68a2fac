import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const counts = { total: 4_000, valid: 3_990, created: 3_990, updated: 0, skipped: 0, failed: 10, warnings: 0 };
const running = {
  id: 41,
  status: 'processing',
  phase: 'writing',
  file_name: 'staff.csv',
  progress: { processed: 1_500, total: 4_000 },
  counts,
  created_by: { user_id: 7, name: 'Hana Ito' },
  allowed_actions: [],
};

const service = () =>
  serve({
    'GET /api/me': signedInAs(['employees.import']),
    'GET /api/employees/imports': listOf([running]),
    'GET /api/employees/imports/41': itemOf(running),
  });

const card = () => screen.findByRole('complementary', { name: 'Imports in progress' });

test('a running import is followed on every page until it ends, with a link to its result', async () => {
  const served = service();
  start('/no-such-page');
  expect(within(await card()).getByText('1,500 of 4,000 rows')).toBeDefined();
  const query = served.to('GET /api/employees/imports')[0]?.query;
  expect([query?.get('status'), query?.get('created_by')]).toEqual(['processing', '7']);
  served.replies['GET /api/employees/imports'] = listOf([]);
  served.replies['GET /api/employees/imports/41'] = itemOf({ ...running, status: 'completed', phase: null });
  expect(await within(await card()).findByText('Import complete')).toBeDefined();
  expect(screen.getByText('3,990 created · 0 updated · 10 not imported')).toBeDefined();
  expect(screen.getByRole('link', { name: /^View results/ }).getAttribute('href')).toBe('/imports/41');
});

test('one key closes it for good', async () => {
  const served = service();
  const { user } = start('/no-such-page');
  await user.click(within(await card()).getByRole('button', { name: 'Close staff.csv' }));
  const before = served.to('GET /api/employees/imports').length;
  await waitFor(() => expect(served.to('GET /api/employees/imports').length).toBeGreaterThan(before));
  expect(screen.queryByText('staff.csv')).toBeNull();
});

test('the page of the import does not show it', async () => {
  service();
  start('/imports/41');
  await screen.findByRole('heading', { level: 1, name: 'Saving rows' });
  expect(screen.queryByRole('complementary', { name: 'Imports in progress' })).toBeNull();
});
