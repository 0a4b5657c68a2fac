import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const entry = {
  id: 1,
  at: '2026-03-01T08:00:00.000Z',
  actor: { user_id: 7, name: 'Hana Ito' },
  action: 'employee.updated',
  subject_type: 'employee',
  subject_id: 57,
  subject_label: 'Lena Park',
  entity_id: 1,
  changes: {
    reporting_manager_id: { from: 23, to: 99 },
    joining_date: { from: null, to: '2026-02-02' },
    employment_type: { from: 'intern', to: 'full_time' },
    address: { from: '[hidden]', to: '[hidden]' },
  },
  labels: { reporting_manager_id: { 23: 'Omar Diaz' } },
  reason: 'Moved to buying',
  request_id: null,
  ip: null,
};
const given = {
  ...entry,
  id: 2,
  actor: { user_id: null, name: 'System' },
  action: 'employee.roles_changed',
  changes: { roles: { from: [], to: [{ role: 'HR', entity_ids: [1, 2] }] } },
  labels: { roles: { 1: 'Acme Foods Ltd', 2: 'Acme Tools Ltd' } },
  reason: null,
};

const open = (rows: readonly object[], search = '') => {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'audit.view']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(complete),
    'GET /api/audit-log': listOf(rows),
  });
  return { service, ...start(`/employees/57?tab=history${search}`) };
};

test('changes are readable: names for ids, formatted dates, labels for values', async () => {
  open([entry, given]);
  const [, first, second] = within(await screen.findByRole('table')).getAllByRole('row');
  const text = (row: HTMLElement | undefined) => row?.textContent.replaceAll(' changed to ', '') ?? '';
  expect(text(first)).toContain('Reports to: Omar Diaz → (you don’t have access)');
  expect(text(first)).toContain('Start date: 2 Feb 2026');
  expect(text(first)).toContain('Employment type: Intern → Full time');
  expect(text(first)).toContain('Address: (hidden) → (hidden)');
  expect(text(first)).toContain('Moved to buying');
  expect(text(second)).toContain('Tenure (automatic)');
  expect(text(second)).toContain('HR (Acme Foods Ltd and Acme Tools Ltd)');
});

test('the history is filtered by kind and period, and the filters are in the address', async () => {
  const { service, user, where } = open([entry], '&from=2026-01-01');
  await user.click(await screen.findByRole('button', { name: 'Roles' }));
  await waitFor(() => expect(where()).toBe('/employees/57?tab=history&kind=access&from=2026-01-01'));
  const begun = new Date('2026-01-01T00:00').toISOString();
  await waitFor(() => {
    const query = service.to('GET /api/audit-log').at(-1)?.query;
    expect([query?.get('action'), query?.get('at_from')]).toEqual(['employee.roles_changed', begun]);
  });
});

test('when no entry matches, one button clears the filters', async () => {
  const { user, where } = open([], '&kind=viewed');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(where()).toBe('/employees/57?tab=history'));
  expect(await screen.findByText('No history yet')).toBeDefined();
});
