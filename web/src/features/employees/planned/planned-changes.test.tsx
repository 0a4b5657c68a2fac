import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const job = (department: string) => ({
  entity: { id: 1, name: 'Acme' },
  department: { id: department.length, name: department },
  reporting_manager: null,
  job_title: 'Buyer',
  grade: null,
  employment_type: 'full_time',
});
const change = (id: number, name: string, fields: object = {}) => ({
  id,
  employee_id: id + 50,
  employee: { id: id + 50, name, employee_number: `A-${id}` },
  effective_from: '2026-12-12',
  status: 'scheduled',
  changed_fields: ['department_id'],
  entity_id: 1,
  department_id: 5,
  reporting_manager_id: null,
  ...job('Sales'),
  employment_lifecycle: 'confirmed',
  now: job('Purchasing'),
  reason: 'New plan',
  failure: null,
  created_by: { user_id: 1, name: 'Hana Ito' },
  allowed_actions: ['delete'],
  ...fields,
});

function service(permissions: readonly string[] = ['employees.view', 'employees.update']) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/job-changes': listOf([change(7, 'Lena Park'), change(8, 'Jon Reed', { allowed_actions: [] })]),
  });
}

test('planned changes say who, what, from which day and by whom; filters are in the address', async () => {
  const served = service();
  start('/job-changes?from=2026-12-01&search=park');
  const line = await screen.findByRole('row', { name: /Lena Park/ });
  expect(line.textContent).toMatch(/Department:.*Purchasing.*Sales.*12 Dec 2026.*Hana Ito.*New plan/);
  expect(Object.fromEntries(served.to('GET /api/job-changes')[0]?.query ?? [])).toEqual({
    from: '2026-12-01',
    search: 'park',
  });
});

test('several changes are cancelled after a preview that lists the refused ones, and can be undone', async () => {
  const served = service();
  const cancel = 'POST /api/job-changes/cancel';
  served.replies[cancel] = itemOf({
    counts: { cancelled: 1, refused: 1 },
    rows: [
      { id: 7, label: 'Lena Park', outcome: 'cancelled', errors: {} },
      { id: 9, label: 'Mia Wong', outcome: 'refused', errors: { status: ['It took effect.'] } },
    ],
  });
  served.replies['GET /api/job-changes'] = listOf([change(7, 'Lena Park'), change(9, 'Mia Wong')]);
  served.replies['POST /api/employees/57/job-history'] = { status: 201, body: itemOf({}).body };
  const { user } = start('/job-changes');
  await user.click(await screen.findByRole('checkbox', { name: 'Select the change for Lena Park' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select the change for Mia Wong' }));
  await user.click(screen.getByRole('button', { name: 'Cancel 2 changes…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel 2 planned changes' }));
  expect(await dialog.findByText('1 change won’t take effect. The job stays as it is.')).toBeDefined();
  expect(dialog.getByRole('region', { name: '1 change can’t be cancelled:' }).textContent).toContain('It took effect.');
  await user.click(dialog.getByRole('button', { name: 'Cancel 1 change' }));
  await screen.findByText('1 planned change cancelled.');
  expect(served.to(cancel).map(({ body }) => body)).toEqual([{ ids: [7, 9], dry_run: true }, { ids: [7, 9] }]);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await screen.findByRole('row', { name: /Lena Park/ });
  expect(served.to('POST /api/employees/57/job-history').map(({ body }) => body)).toEqual([
    { department_id: 5, effective_from: '2026-12-12', reason: 'New plan' },
  ]);
});

test('a change that the user may not cancel cannot be selected, alone or with the page', async () => {
  service();
  const { user } = start('/job-changes');
  const other = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select the change for Jon Reed' });
  expect(other.disabled).toBe(true);
  const [all] = screen.getAllByRole<HTMLInputElement>('checkbox');
  await user.click(all as HTMLElement);
  expect(all?.checked).toBe(true);
  expect(screen.getByRole('button', { name: 'Cancel 1 change…' })).toBeDefined();
});

test('a reader is offered nothing to cancel; an empty list says what belongs here', async () => {
  const served = service(['employees.view']);
  const { user } = start('/job-changes?search=nobody');
  await screen.findByRole('row', { name: /Lena Park/ });
  expect(screen.queryByRole('checkbox')).toBeNull();
  served.replies['GET /api/job-changes'] = listOf([]);
  await user.clear(screen.getByRole('searchbox'));
  expect(await screen.findByText('Job changes with a future date appear here until they take effect.')).toBeDefined();
});
