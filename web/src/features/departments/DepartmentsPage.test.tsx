import type { Department } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { card } from '../../testing/people.ts';
import { stubElementSizes } from '../../testing/element-sizes.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { company, department } from '../../testing/structure.ts';

const hr = [
  'departments.view',
  'departments.create',
  'departments.update',
  'departments.delete',
  'departments.assign_managers',
  'departments.assign_team_leads',
  'employees.view',
  'entities.view',
  'entities.create',
  'entities.update',
  'entities.delete',
];
const omar = { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' };
const buying = department({
  id: 4,
  name: 'Buying',
  code: 'BUY',
  employees_count: 12,
  children_count: 1,
  manager: omar,
  manager_id: 23,
});
const fruit = department({ id: 5, name: 'Fruit', code: null, parent_id: 4, employees_count: 3 });
const empty = department({ id: 6, name: 'Sampling', code: 'SAM', allowed_actions: ['update', 'delete', 'export'] });

function service(rows: Department[] = [buying, fruit, empty], permissions: readonly string[] = hr) {
  return serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([company(), company({ id: 2, name: 'Borealis GmbH', code: 'BOR' })]),
    'GET /api/departments': listOf(rows),
    'GET /api/employees': listOf([card]),
  });
}

const row = (name: RegExp) => screen.findByRole('row', { name });
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((one) => one.querySelector('bdi')?.textContent);
const focused = () => document.activeElement?.querySelector('bdi')?.textContent;

async function choose(user: ReturnType<typeof start>['user'], name: string, action: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: action }));
}

test.each([
  ['may create one is led to it', hr, true],
  ['cannot create one sees why nothing is here', hr.filter((one) => one !== 'entities.create'), false],
])('without a company, a user who %s', async (_, permissions, isLed) => {
  const served = service([], permissions);
  served.replies['GET /api/entities'] = listOf([]);
  start('/departments');
  await screen.findByText('No companies yet');
  const create = screen.queryByRole('link', { name: 'Add your first company' });
  expect(create?.getAttribute('href')).toBe(isLed ? '/companies/new' : undefined);
  expect(screen.queryByText(/you don’t have access to any/) === null).toBe(isLed);
});

test('departments are shown as a tree with their leads and numbers of people', async () => {
  service();
  start('/departments');
  const first = await row(/Buying/);
  expect(names()).toEqual(['Buying', 'Fruit', 'Sampling']);
  expect(
    ['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => first.getAttribute(name)),
  ).toEqual(['1', '1', '2', 'true']);
  expect((await row(/Fruit/)).getAttribute('aria-level')).toBe('2');
  expect(within(first).getByRole('link', { name: 'Omar Diaz' }).getAttribute('href')).toBe('/employees/23');
  expect(within(first).getByText('15 including sub-departments')).toBeDefined();
  expect(within(first).getByRole('link', { name: '12 people' }).getAttribute('href')).toBe(
    '/employees?department_id=4&activity_status=active',
  );
});

test('a long table renders only the visible rows and announces the number of all', async () => {
  stubElementSizes();
  service(Array.from({ length: 150 }, (_, index) => department({ id: index + 1, name: `Branch ${index + 1}` })));
  start('/departments');
  await screen.findByText('Branch 1');
  await waitFor(() => expect(names().length).toBeLessThan(50));
  expect(screen.getByText('Branch 2')).toBeDefined();
  expect((await screen.findByRole('treegrid')).getAttribute('aria-rowcount')).toBe('151');
});

test('the arrow keys move between rows, close and open, and Enter opens the department', async () => {
  const served = service();
  served.replies['GET /api/departments/6'] = itemOf(empty);
  const { user, where } = start('/departments');
  (await row(/Buying/)).focus();
  await user.keyboard('{ArrowRight}');
  await waitFor(() => expect(focused()).toBe('Fruit'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(focused()).toBe('Buying'));
  await user.keyboard('{ArrowLeft}');
  await waitFor(() => expect(names()).toEqual(['Buying', 'Sampling']));
  await user.keyboard('{End}');
  await waitFor(() => expect(focused()).toBe('Sampling'));
  await user.keyboard('{Enter}');
  await screen.findByRole('heading', { level: 1, name: 'Sampling' });
  expect(where()).toBe('/departments/6');
});

test('company, search text and status are in the address', async () => {
  const served = service();
  const { user, where } = start('/departments');
  await user.type(await screen.findByRole('searchbox'), 'fru');
  await waitFor(() => expect(names()).toEqual(['Buying', 'Fruit']));
  expect(where()).toBe('/departments?search=fru');
  await user.click(screen.getByRole('button', { name: 'Inactive' }));
  await screen.findByText('No matching departments');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(where()).toBe('/departments'));
  await user.click(screen.getByRole('tab', { name: 'Borealis GmbH' }));
  await waitFor(() => expect(where()).toBe('/departments?entity_id=2'));
  expect(served.to('GET /api/departments').at(-1)?.query.get('entity_id')).toBe('2');
});

test('all pages of a long tree are read', async () => {
  const served = service();
  served.replies['GET /api/departments'] = ({ url: { searchParams } }) => {
    const page = Number(searchParams.get('page'));
    const answer = listOf([page === 1 ? buying : fruit]).body as { meta: { last_page: number } };
    return { body: { ...answer, meta: { ...answer.meta, last_page: 2 } } };
  };
  start('/departments');
  await row(/Fruit/);
  expect(names()).toEqual(['Buying', 'Fruit']);
});

test('a department is added below another; an error is shown at its field', async () => {
  const served = service();
  const { user, where } = start('/departments');
  await choose(user, 'Buying', 'Add sub-department…');
  const dialog = await screen.findByRole('dialog', { name: 'Add sub-department to Buying' });
  expect(where()).toBe('/departments?dialog=add&id=4');
  served.replies['POST /api/departments'] = {
    status: 422,
    body: { message: 'The name has already been taken.', errors: { name: ['The name has already been taken.'] } },
  };
  await user.type(within(dialog).getByLabelText(/Name/), 'Fruit');
  await user.click(within(dialog).getByRole('button', { name: 'Add department' }));
  await within(dialog).findByText('The name has already been taken.');
  served.replies['POST /api/departments'] = {
    status: 201,
    body: { data: department({ id: 9, name: 'Nuts' }), message: '' },
  };
  await user.clear(within(dialog).getByLabelText(/Name/));
  await user.type(within(dialog).getByLabelText(/Name/), 'Nuts');
  await user.click(within(dialog).getByRole('button', { name: 'Add department' }));
  await screen.findByText('Nuts was added.');
  expect(served.to('POST /api/departments').at(-1)?.body).toEqual({ entity_id: 1, parent_id: 4, name: 'Nuts' });
  await waitFor(() => expect(where()).toBe('/departments'));
});

/** Simulates a rename in another tab while this one renames the department. */
function changedElsewhere(served: ReturnType<typeof service>, theirs: object, renamed: string) {
  const message = 'Changed meanwhile.';
  const outdated = { message, errors: { status: [message] }, status: 'active', revision: 2 };
  served.replies['PUT /api/departments/4'] = ({ body }) =>
    (body as { revision: number }).revision === 1
      ? { status: 422, body: outdated }
      : { body: { data: { ...buying, name: renamed }, message: '' } };
  served.replies['GET /api/departments/4'] = itemOf({ ...buying, ...theirs, revision: 2 });
}

test('only changes are sent; a concurrent change of another field is kept', async () => {
  const served = service();
  changedElsewhere(served, { code: 'NEW' }, 'Purchasing');
  const { user } = start('/departments?dialog=edit&id=4');
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  await user.clear(name);
  await user.type(name, 'Purchasing');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Purchasing was saved.');
  expect(served.to('PUT /api/departments/4').map(({ body }) => body)).toEqual([
    { name: 'Purchasing', revision: 1 },
    { name: 'Purchasing', revision: 2 },
  ]);
});

test('two changes of the same field are shown side by side', async () => {
  const served = service();
  changedElsewhere(served, { name: 'Procurement' }, 'Sourcing');
  const { user } = start('/departments?dialog=edit&id=4');
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  await user.clear(name);
  await user.type(name, 'Sourcing');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  within(dialog).getByText('Procurement');
  await user.click(within(dialog).getByRole('button', { name: 'Save selection' }));
  await screen.findByText('Sourcing was saved.');
  expect(served.to('PUT /api/departments/4').at(-1)?.body).toEqual({ name: 'Sourcing', revision: 2 });
});

test('a move within the company can be undone', async () => {
  const served = service();
  served.replies['PUT /api/departments/5'] = ({ body }) => ({
    body: { data: { ...fruit, ...(body as object), revision: 2 }, message: '' },
  });
  const { user } = start('/departments?dialog=move&id=5');
  const dialog = await screen.findByRole('dialog', { name: 'Move Fruit' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Parent department' }));
  await user.click(await screen.findByRole('option', { name: 'Sampling', hidden: true }));
  await user.click(within(dialog).getByRole('button', { name: 'Move' }));
  await screen.findByText('Fruit was moved.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('PUT /api/departments/5')).toHaveLength(2));
  expect(served.to('PUT /api/departments/5').map(({ body }) => body)).toEqual([
    { parent_id: 6, revision: 1 },
    { parent_id: 4, revision: 2 },
  ]);
});

test('a move into another company shows the affected people first and requires a confirmation', async () => {
  const served = service();
  served.replies['PUT /api/departments/4'] = {
    status: 422,
    body: {
      message: 'Buying holds 15 people.',
      errors: { move_employees: ['Moving Buying would also move 15 people.'] },
    },
  };
  const { user } = start('/departments?dialog=move&id=4');
  const dialog = await screen.findByRole('dialog', { name: 'Move Buying' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Company' }));
  await user.click(await screen.findByRole('option', { name: 'Borealis GmbH', hidden: true }));
  await within(dialog).findByText(/15 people and 1 sub-department will change company/);
  await user.click(within(dialog).getByRole('button', { name: 'Move' }));
  await within(dialog).findByText('Moving Buying would also move 15 people.');
  await user.click(within(dialog).getByRole('checkbox'));
  await user.click(within(dialog).getByRole('button', { name: 'Move' }));
  await waitFor(() => expect(served.to('PUT /api/departments/4')).toHaveLength(2));
  expect(
    served.to('PUT /api/departments/4').map(({ body }) => (body as { move_employees: boolean }).move_employees),
  ).toEqual([false, true]);
});

test('a team lead is found by name and assigned from the row; the advice of the service is shown', async () => {
  const served = service();
  served.replies['PUT /api/departments/4/team-lead'] = {
    body: {
      data: buying,
      message: '',
      warnings: ['Lena Park doesn’t have a role with permission to review KPI evaluations.'],
    },
  };
  const { user } = start('/departments');
  await user.click(within(await row(/Buying/)).getByRole('button', { name: 'Assign' }));
  const dialog = await screen.findByRole('dialog', { name: 'Team lead of Buying' });
  await user.type(within(dialog).getByRole('combobox', { name: 'Team lead' }), 'lena');
  await user.click(await screen.findByRole('option', { name: /Lena Park/, hidden: true }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText(/Lena Park now leads Buying\. Lena Park doesn’t have a role/);
  expect(served.to('PUT /api/departments/4/team-lead').at(-1)?.body).toEqual({ employee_id: 57, revision: 1 });
});

test('a manager can be removed', async () => {
  const served = service();
  served.replies['DELETE /api/departments/4/manager'] = { status: 204 };
  const { user } = start('/departments?dialog=manager&id=4');
  const dialog = await screen.findByRole('dialog', { name: 'Manager of Buying' });
  await user.click(within(dialog).getByRole('combobox', { name: 'Manager' }));
  // Choosing the selected option again clears the selection.
  await user.click(await screen.findByRole('option', { name: /Omar Diaz/, hidden: true }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(served.to('DELETE /api/departments/4/manager')).toHaveLength(1));
});

test('a department with people is not deleted: the consequence is shown, and no request is sent', async () => {
  const served = service();
  const { user, where } = start('/departments');
  await choose(user, 'Buying', 'Delete…');
  const dialog = await screen.findByRole('dialog', { name: 'Delete Buying?' });
  within(dialog).getByText(/12 people still belong to it/);
  within(dialog).getByText('It still has 1 sub-department.');
  expect(within(dialog).queryByRole('button', { name: 'Delete department' })).toBeNull();
  expect(within(dialog).getByRole('link', { name: 'View people' }).getAttribute('href')).toContain('department_id=4');
  await user.click(within(dialog).getByText('Close'));
  await waitFor(() => expect(where()).toBe('/departments'));
  expect(served.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a department without references is deleted after its consequence was shown', async () => {
  const served = service();
  served.replies['DELETE /api/departments/6'] = { status: 204 };
  const { user } = start('/departments');
  await choose(user, 'Sampling', 'Delete…');
  const dialog = await screen.findByRole('dialog', { name: 'Delete Sampling?' });
  within(dialog).getByText(/You can’t undo this/);
  await user.click(within(dialog).getByRole('button', { name: 'Delete department' }));
  await screen.findByText('Sampling was deleted.');
  expect(served.to('DELETE /api/departments/6')).toHaveLength(1);
});

test('deactivating needs no confirmation, is reported and can be undone; a refusal shows its reason', async () => {
  const served = service();
  served.replies['PUT /api/departments/6'] = ({ body }) => ({
    body: { data: { ...empty, ...(body as object), revision: 2 }, message: '' },
  });
  const { user } = start('/departments');
  await choose(user, 'Sampling', 'Deactivate');
  await screen.findByText('Sampling was deactivated.');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('PUT /api/departments/6')).toHaveLength(2));
  expect(served.to('PUT /api/departments/6').at(-1)?.body).toEqual({ status: 'active', revision: 2 });
  served.replies['PUT /api/departments/6'] = {
    status: 422,
    body: { message: 'No.', errors: { status: ['Sampling still has 2 active people.'] } },
  };
  await choose(user, 'Sampling', 'Deactivate');
  expect((await screen.findByRole('alert')).textContent).toContain('Sampling still has 2 active people.');
});

test('a user without write permission gets tabs for the visible departments, and no actions', async () => {
  const served = service(
    [department({ id: 4, name: 'Buying', allowed_actions: ['export'] })],
    ['departments.view', 'employees.view'],
  );
  const { user } = start('/departments');
  await row(/Buying/);
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Acme Foods Ltd']);
  for (const name of ['Add department', 'Add company', 'Assign', 'Edit'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Actions for Buying' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Show in org chart']);
  expect(served.to('GET /api/entities')).toHaveLength(0);
});

test('refusal, failure and an empty list each have their own state', async () => {
  const served = service([]);
  start('/departments');
  await screen.findByText('No departments yet');
  served.replies['GET /api/entities'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  start('/departments');
  expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
});
