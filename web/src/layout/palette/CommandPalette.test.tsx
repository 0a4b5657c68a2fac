import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { listOf, itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['employees.view', 'employees.create', 'employees.import'];
const found = {
  people: [
    { id: 57, label: 'Lena Park', sublabel: 'Buyer · Purchasing', url: '/employees/57' },
    { id: 58, label: 'Leo Park', sublabel: null, url: '/employees/58' },
  ],
  departments: [{ id: 4, label: 'Parking', sublabel: 'Acme Foods Ltd', url: '/departments/4' }],
  cycles: [{ id: 9, label: 'Parks 2026', sublabel: null, url: '/kpi/cycles/9' }],
  templates: [{ id: 3, label: 'Park keeper', sublabel: 'Keeper', url: '/kpi/templates/3' }],
};

function open(permissions: readonly string[] = hr) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/employees': listOf([]),
    'GET /api/search': itemOf(found),
    'GET /api/entities': listOf([]),
  });
  return { service, ...start('/') };
}

const field = () => screen.findByRole('combobox', { name: 'Search people, departments and pages' });

test('Control+K opens it anywhere, and Escape returns the focus', async () => {
  const { user } = open();
  const launcher = await screen.findByRole('button', { name: 'Search or jump to…' });
  launcher.focus();
  await user.keyboard('{Control>}k{/Control}');
  expect(await field()).toBe(document.activeElement);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(launcher));
});

test('the arrow keys choose among the results, and Enter opens and remembers one', async () => {
  const { user, where } = open();
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await field(), 'park');
  const people = await screen.findByRole('group', { name: 'People' });
  expect(within(people).getAllByRole('option')[0]?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowDown}');
  expect((await field()).getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
  await user.keyboard('{Enter}');
  expect(where()).toBe('/employees/58');
  await user.keyboard('{Control>}k{/Control}');
  const recent = await screen.findByRole('group', { name: 'Recent' });
  within(recent).getByRole('option', { name: 'Leo Park' });
});

test.each([
  ['signs out', 'menu'],
  ['notices that the session has ended', 'refusal'],
])('a browser that %s stores no names of people', async (_what, how) => {
  const { service, user, queries } = open();
  service.replies['POST /api/logout'] = { body: { message: 'Logged out successfully.' } };
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await field(), 'park');
  await user.click(await screen.findByRole('option', { name: 'Leo Park' }));
  await waitFor(() => expect(JSON.stringify(sessionStorage)).toContain('Leo Park'));
  service.replies['GET /api/me'] = { status: 401, body: { message: 'Unauthenticated.' } };
  if (how === 'refusal') await act(() => queries.refetchQueries({ queryKey: ['session'] }));
  else {
    await user.click(screen.getByRole('button', { name: /Hana Ito/ }));
    await user.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  }
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(JSON.stringify(sessionStorage)).not.toContain('Park');
  expect(JSON.stringify(localStorage)).not.toContain('Park');
});

test('cycles and templates have their own groups in the results', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await field(), 'park');
  const templates = await screen.findByRole('group', { name: 'KPI templates' });
  expect(within(templates).getByRole('option', { name: /Park keeper/ })).toBeDefined();
  expect(within(screen.getByRole('group', { name: 'KPI cycles' })).getByRole('option')).toBeDefined();
});

test('only pages and actions that the user may open are offered', async () => {
  const { user } = open([]);
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await screen.findByRole('option', { name: 'Home' });
  for (const name of ['Employees', 'Imports', 'Add employee', 'Import people'])
    expect(screen.queryByRole('option', { name })).toBeNull();
});

test('a single letter sends no request, and an empty result is shown', async () => {
  const { user, service } = open();
  service.replies['GET /api/search'] = itemOf({ people: [], departments: [] });
  await user.click(await screen.findByRole('button', { name: 'Search or jump to…' }));
  await user.type(await field(), 'z');
  await screen.findByText('No results');
  expect(service.to('GET /api/search')).toHaveLength(0);
});

test('G and a letter open a page, the question mark lists the keys, and they can be turned off', async () => {
  const { user, where } = open();
  await screen.findByRole('button', { name: 'Search or jump to…' });
  await user.keyboard('ge');
  await screen.findByRole('heading', { level: 1, name: 'Employees' });
  expect(where()).toBe('/employees');
  await user.keyboard('?');
  const help = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await user.click(within(help).getByRole('switch', { name: /^Single-key shortcuts/ }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('gh/');
  expect(where()).toBe('/employees');
  expect(screen.queryByRole('dialog')).toBeNull();
});
