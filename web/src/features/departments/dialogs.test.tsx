import type { Department, Entity } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { card } from '../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { company, department } from '../../testing/structure.ts';

const all = [
  'departments.view',
  'departments.create',
  'departments.assign_managers',
  'departments.assign_team_leads',
  'departments.delete',
  'employees.view',
  'entities.view',
  'entities.create',
  'entities.update',
  'entities.delete',
];
const omar = { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' };
const one = department({ id: 5, name: 'Fruit', code: 'FRU', manager_id: 23, manager: omar });
const path = '/api/departments/5';

beforeEach(() => sessionStorage.clear());

function open(dialog: string, shown: Department = one, replies: Parameters<typeof serve>[0] = {}, permissions = all) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    [`GET ${path}`]: itemOf(shown),
    'GET /api/departments': listOf([department({ id: 4, name: 'Buying' }), shown]),
    'GET /api/entities': listOf([company(), company({ id: 2, name: 'Borealis GmbH' })]),
    'GET /api/entities/1': itemOf(company()),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }]),
    ...replies,
  });
  const bodies = (call: string) => served.to(call).map(({ body }) => body);
  return { served, bodies, ...start(`/departments/5?dialog=${dialog}`) };
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'No.', errors } });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const changes = (served: ReturnType<typeof serve>) => served.asked.filter(({ method }) => method !== 'GET');

describe('the manager and the lead of a department', () => {
  const update = `PUT ${path}/manager`;

  test('saving an unchanged manager sends no request', async () => {
    const { served, user } = open('manager');
    const dialog = await dialogOf('Manager of Fruit');
    expect(dialog.getByRole<HTMLInputElement>('combobox').value).toBe('Omar Diaz');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await isGone();
    expect(changes(served)).toEqual([]);
  });

  test('a refused manager stays chosen, with the reason at the field', async () => {
    const { bodies, user } = open('manager', one, { [update]: refused({ employee_id: ['This person leaves soon.'] }) });
    const dialog = await dialogOf('Manager of Fruit');
    await pick(user, dialog.getByRole('combobox'), /Hera Heir/);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText('This person leaves soon.');
    expect(dialog.queryByRole('alert')).toBeNull();
    expect(dialog.getByRole<HTMLInputElement>('combobox').value).toBe('Hera Heir');
    expect(bodies(update)).toEqual([{ employee_id: 77, revision: 1 }]);
  });

  test('an assigned lead is named, with the advice of the service', async () => {
    const { bodies, user } = open('lead', one, {
      [`PUT ${path}/team-lead`]: { body: { data: one, message: '', warnings: ['Works elsewhere.'] } },
    });
    const dialog = await dialogOf('Team lead of Fruit');
    await pick(user, dialog.getByRole('combobox'), /Hera Heir/);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Hera Heir now leads Fruit. Works elsewhere.');
    expect(bodies(`PUT ${path}/team-lead`)).toEqual([{ employee_id: 77, revision: 1 }]);
  });
});

describe('deleting a department', () => {
  test.each<[string, Partial<Department>, string, string[]]>([
    ['people', { employees_count: 2 }, '2 people still belong to it.', ['Close']],
    ['departments below', { children_count: 1 }, 'It still has 1 sub-department.', ['Deactivate instead', 'Close']],
    ['only a history', {}, 'Former employees or past jobs are linked to it.', ['Deactivate instead', 'Close']],
    ['a history, while inactive', { status: 'inactive' }, 'Former employees or past jobs', ['Close']],
    ['a history, read only', { allowed_actions: [] }, 'Former employees or past jobs', ['Close']],
  ])(
    'a department with %s shows why it cannot be deleted, and the alternative',
    async (_what, fields, text, buttons) => {
      const { served } = open('delete', department({ ...one, ...fields }));
      const dialog = await dialogOf('Delete Fruit?');
      expect(dialog.getByText(new RegExp(text))).toBeDefined();
      const offered = dialog.getAllByRole('button').map(({ textContent }) => textContent);
      expect(offered.filter((name) => name !== '')).toEqual(buttons);
      expect(changes(served)).toEqual([]);
    },
  );

  test('the department can be deactivated instead, and undo reverts that', async () => {
    let revision = 1;
    const { bodies, user } = open('delete', one, {
      [`PUT ${path}`]: ({ body }) => itemOf({ ...one, ...(body as object), revision: (revision += 1) }),
    });
    await user.click((await dialogOf('Delete Fruit?')).getByRole('button', { name: 'Deactivate instead' }));
    await screen.findByText('Fruit was deactivated.');
    await isGone();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('Fruit was activated.');
    expect(bodies(`PUT ${path}`)).toEqual([
      { status: 'inactive', revision: 1 },
      { status: 'active', revision: 2 },
    ]);
  });

  test('a refusal on confirming keeps the department and shows the reason', async () => {
    const free = department({ ...one, allowed_actions: ['update', 'delete'] });
    const { user, where } = open('delete', free, {
      [`DELETE ${path}`]: refused({ id: ['A person was just added to it.'] }),
    });
    const dialog = await dialogOf('Delete Fruit?');
    await user.click(dialog.getByRole('button', { name: 'Delete department' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('A person was just added to it.');
    expect(where()).toBe('/departments/5?dialog=delete');
  });
});

describe('moving a department', () => {
  const update = `PUT ${path}`;

  test('an undo that fails is said', async () => {
    const { served, bodies, user } = open('move', one, { [update]: itemOf({ ...one, parent_id: 4, revision: 2 }) });
    const dialog = await dialogOf('Move Fruit');
    await pick(user, dialog.getByRole('combobox', { name: /Belongs to|Parent|Below/ }), 'Buying');
    await user.click(dialog.getByRole('button', { name: 'Move' }));
    served.replies[update] = { status: 422, body: { message: 'The parent is inactive now.' } };
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The parent is inactive now.')).toBeDefined();
    expect(bodies(update)).toEqual([
      { parent_id: 4, revision: 1 },
      { parent_id: null, revision: 2 },
    ]);
  });

  test('a refused parent shows the reason at its field; a concurrent change asks for another look', async () => {
    const { served, user } = open('move', one, { [update]: refused({ parent_id: ['It would stand below itself.'] }) });
    const dialog = await dialogOf('Move Fruit');
    await user.click(dialog.getByRole('button', { name: 'Move' }));
    await dialog.findByText('It would stand below itself.');
    served.replies[update] = { status: 422, body: { message: 'No.', errors: { status: ['Changed.'] }, revision: 7 } };
    await user.click(dialog.getByRole('button', { name: 'Move' }));
    expect((await dialog.findByRole('alert')).textContent).toMatch(/^Someone else changed this department/);
  });
});

describe('the form of a department', () => {
  test('the manager and lead fields are shown to users who may assign them', async () => {
    open('edit', department({ ...one, allowed_actions: ['update', 'team-lead'] }));
    const dialog = await dialogOf('Edit Fruit');
    expect(dialog.getByRole('combobox', { name: /lead/i })).toBeDefined();
    expect(dialog.queryByRole('combobox', { name: /manager/i })).toBeNull();
  });

  test('leaving with unsaved input asks first, closing without any does not', async () => {
    const { user, where } = open('edit');
    const dialog = await dialogOf('Edit Fruit');
    fill(dialog.getByLabelText(/^Name/), 'Fruits');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click((await dialogOf('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('Fruits');
    fill(dialog.getByLabelText(/^Name/), 'Fruit');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(where()).toBe('/departments/5'));
    await isGone();
  });
});

describe('companies', () => {
  const first = '/api/entities/1';
  const openCompany = (address: string, shown: Entity, replies: Parameters<typeof serve>[0] = {}) => {
    const served = serve({
      'GET /api/me': signedInAs(all),
      'GET /api/entities': listOf([shown]),
      [`GET ${first}`]: itemOf(shown),
      'GET /api/departments': listOf([]),
      ...replies,
    });
    return { served, bodies: (call: string) => served.to(call).map(({ body }) => body), ...start(address) };
  };

  test('a new company is added with the input, and its page is shown', async () => {
    const added = company({ id: 9, name: 'Cedar SA' });
    const { served, bodies, user, where } = openCompany('/departments?dialog=add-company', company(), {
      'POST /api/entities': refused({ code: ['The code has already been taken.'] }),
    });
    const dialog = await dialogOf('Add company');
    fill(dialog.getByLabelText(/^Name/), 'Cedar SA');
    fill(dialog.getByLabelText(/^Code/), 'acme');
    await user.click(dialog.getByRole('button', { name: 'Add company' }));
    await dialog.findByText('The code has already been taken.');
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/^Code/)));
    served.replies['POST /api/entities'] = { status: 201, body: { data: added, message: '' } };
    fill(dialog.getByLabelText(/^Code/), 'ced');
    await user.click(dialog.getByRole('button', { name: 'Add company' }));
    await screen.findByText('Cedar SA was added.');
    await waitFor(() => expect(where()).toBe('/departments?entity_id=9'));
    expect(bodies('POST /api/entities').at(-1)).toMatchObject({ name: 'Cedar SA', code: 'CED' });
  });

  test.each<[string, Partial<Entity>, RegExp]>([
    ['people', { employees_count: 1, departments_count: 0 }, /1 person still works there/],
    ['departments', { employees_count: 0, departments_count: 2 }, /2 departments still belong to it/],
    ['a history', { employees_count: 0, departments_count: 0 }, /You can deactivate it instead/],
  ])('a company with %s is not deleted', async (_what, fields, text) => {
    openCompany('/companies/1?dialog=delete-company', company(fields));
    const dialog = await dialogOf('Delete Acme Foods Ltd?');
    expect(dialog.getByText(text)).toBeDefined();
    expect(dialog.queryByRole('button', { name: 'Delete company' })).toBeNull();
  });

  test('an unused company is deleted after a confirmation', async () => {
    const unused = company({ employees_count: 0, departments_count: 0, allowed_actions: ['update', 'delete'] });
    const { served, user, where } = openCompany('/companies/1?dialog=delete-company', unused, {
      [`DELETE ${first}`]: { status: 503, body: { message: 'Away.' } },
    });
    const dialog = await dialogOf('Delete Acme Foods Ltd?');
    expect(changes(served)).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Delete company' }));
    await dialog.findByRole('alert');
    served.replies[`DELETE ${first}`] = { status: 204 };
    await user.click(dialog.getByRole('button', { name: 'Delete company' }));
    await screen.findByText('Acme Foods Ltd was deleted.');
    await waitFor(() => expect(where()).toMatch(/^\/departments/));
  });

  test('deactivating can be undone; a refusal is shown on the page', async () => {
    let revision = 1;
    const { served, bodies, user } = openCompany('/companies/1', company(), {
      [`PUT ${first}`]: ({ body }) => itemOf(company({ ...(body as object), revision: (revision += 1) })),
    });
    await user.click(await screen.findByRole('button', { name: 'More actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }));
    await screen.findByText('Acme Foods Ltd was deactivated.');
    served.replies[`PUT ${first}`] = refused({ status: ['The group needs one company.'] });
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect((await screen.findByRole('alert')).textContent).toBe('The group needs one company.');
    expect(bodies(`PUT ${first}`)).toEqual([
      { status: 'inactive', revision: 1 },
      { status: 'active', revision: 2 },
    ]);
  });

  test('the first company is added with its required fields, and leads to the import', async () => {
    const { served, bodies, user, where } = openCompany('/companies/new', company(), {
      'POST /api/entities': refused({ name: ['The name field is required.'] }),
    });
    await screen.findByRole('heading', { level: 1, name: 'Add your first company' });
    await user.click(screen.getByRole('button', { name: 'Add company' }));
    await screen.findByText('The name field is required.');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Name/)));
    served.replies['POST /api/entities'] = { status: 201, body: { data: company(), message: '' } };
    fill(screen.getByLabelText(/^Name/), 'Acme Foods Ltd');
    await user.click(screen.getByRole('button', { name: 'Add company' }));
    await waitFor(() => expect(where()).toMatch(/^\/imports\/new/));
    expect(bodies('POST /api/entities').at(-1)).toMatchObject({ name: 'Acme Foods Ltd' });
    expect(within(document.body).queryByText('The name field is required.')).toBeNull();
  });

  test('the page after the first company never says that there is none', async () => {
    const { served, user, where } = openCompany('/imports/new', company(), {
      'GET /api/me': signedInAs([...all, 'employees.import']),
      'GET /api/entities': listOf([]),
      'POST /api/entities': { status: 201, body: { data: company(), message: '' } },
    });
    await user.click(await screen.findByRole('link', { name: 'Add your first company' }));
    fill(await screen.findByLabelText(/^Name/), 'Acme Foods Ltd');
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof listOf>>();
    served.replies['GET /api/entities'] = () => promise;
    await user.click(screen.getByRole('button', { name: 'Add company' }));
    await waitFor(() => expect(where()).toMatch(/^\/imports\/new/));
    await screen.findByRole('heading', { level: 1, name: 'Import people' });
    expect(screen.queryByText('No companies yet')).toBeNull();
    resolve(listOf([company()]));
    await screen.findByRole('button', { name: 'Check file' });
  });
});
