import type { Responsibility } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card, complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const north = { id: 1, name: 'North' };
const row = (kind: Responsibility['kind'], id: number, name: string | null, detail: string | null = null) => ({
  kind,
  id,
  name,
  detail,
  status: null,
  entity: north,
});
const rows = [
  row('department_managed', 4, 'Purchasing'),
  row('direct_report', 61, 'Rita Report'),
  row('evaluation', 9, 'Eva Luated', 'Spring round'),
  row('kpi_cycle', 3, null),
];
const counts = {
  departments_managed: 1,
  departments_led: 0,
  direct_reports: 1,
  open_evaluations: 1,
  open_probation_reviews: 0,
  cycles_owned: 1,
};
const leaver = {
  ...complete,
  employment_lifecycle: 'resigned',
  last_working_date: '2026-12-31',
  responsibilities: counts,
  allowed_actions: ['reassign'],
};
const heir = { ...card, id: 77, first_name: 'Hera', last_name: 'Heir', display_name: 'Hera Heir' };
const list = 'GET /api/employees/57/responsibilities';
const reassign = 'POST /api/employees/57/reassign';

const open = (replies: Parameters<typeof serve>[0] = {}) => {
  const service = serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.deactivate']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    'GET /api/employees/57': itemOf(leaver),
    'GET /api/employees': listOf([heir]),
    [list]: listOf(rows),
    [reassign]: itemOf(leaver),
    ...replies,
  });
  return { service, ...start('/employees/57/offboarding') };
};

test('responsibilities link to their records, and one is reassigned after its consequence is shown', async () => {
  const { service, user } = open();
  expect(await screen.findByRole('heading', { level: 1, name: 'Lena Park’s responsibilities' })).toBeDefined();
  const link = await screen.findByRole('link', { name: 'Eva Luated' });
  expect(link.getAttribute('href')).toBe('/kpi/evaluations/9');
  expect(screen.getByText('KPI evaluation · Spring round')).toBeDefined();
  expect(screen.getByText('A cycle')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Reassign Rita Report' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Reassign 1 responsibility of Lena Park' }));
  expect(dialog.getByText(/1 person gets a new manager today/)).toBeDefined();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Reassign' }).disabled).toBe(true);
  await user.click(dialog.getByRole('combobox', { name: /New owner/ }));
  await user.click(await screen.findByRole('option', { name: /Hera Heir/, hidden: true }));
  await user.click(dialog.getByRole('button', { name: 'Reassign' }));
  await waitFor(() => expect(service.to(reassign)).toHaveLength(1));
  expect(service.to(reassign)[0]?.body).toEqual({ reassign_to: 77, items: [{ kind: 'direct_report', id: 61 }] });
  expect(await screen.findByText('1 responsibility reassigned.')).toBeDefined();
});

test('the selected responsibilities are reassigned together, and all of them without a selection', async () => {
  const { service, user } = open();
  await user.click(await screen.findByRole('checkbox', { name: 'Select Department manager: Purchasing' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select KPI cycle: A cycle' }));
  await user.click(screen.getByRole('button', { name: 'Reassign 2 selected…' }));
  const choose = async () => {
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('combobox', { name: /New owner/ }));
    await user.click(await screen.findByRole('option', { name: /Hera Heir/, hidden: true }));
    await user.click(dialog.getByRole('button', { name: 'Reassign' }));
  };
  await choose();
  await waitFor(() => expect(service.to(reassign)).toHaveLength(1));
  expect(service.to(reassign)[0]?.body).toEqual({
    reassign_to: 77,
    items: [
      { kind: 'department_managed', id: 4 },
      { kind: 'kpi_cycle', id: 3 },
    ],
  });
  await user.click(await screen.findByRole('button', { name: 'Reassign all…' }));
  expect(await screen.findByRole('dialog', { name: 'Reassign 4 responsibilities of Lena Park' })).toBeDefined();
  await choose();
  await waitFor(() => expect(service.to(reassign)).toHaveLength(2));
  expect(service.to(reassign)[1]?.body).toEqual({ reassign_to: 77 });
});

test('a refusal is shown at its field, and the input stays', async () => {
  const message = 'The selected reassign to can’t take over evaluations: they don’t have permission to review.';
  const { user } = open({ [reassign]: { status: 422, body: { message, errors: { reassign_to: [message] } } } });
  await user.click(await screen.findByRole('button', { name: 'Reassign all…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('combobox', { name: /New owner/ }));
  await user.click(await screen.findByRole('option', { name: /Hera Heir/, hidden: true }));
  await user.click(dialog.getByRole('button', { name: 'Reassign' }));
  expect(await dialog.findByText(message)).toBeDefined();
});

test('an empty list says so, and responsibilities out of scope are counted', async () => {
  open({
    [list]: listOf([]),
    'GET /api/employees/57': itemOf({ ...leaver, responsibilities: { ...counts, direct_reports: 2 } }),
  });
  expect(await screen.findByText('Nothing left to reassign')).toBeDefined();
  expect(screen.getByText(/5 more responsibilities belong to a company outside your scope/)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Reassign all…' })).toBeNull();
});

test('without the permission the rows are not selectable', async () => {
  open({ 'GET /api/employees/57': itemOf({ ...leaver, allowed_actions: [] }) });
  expect(await screen.findByRole('link', { name: 'Rita Report' })).toBeDefined();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByRole('button', { name: /Reassign/ })).toBeNull();
});
