import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { template } from '../../testing/templates.ts';

const hr = ['kpi-template.view', 'kpi-template.create', 'kpi-template.update', 'kpi-template.import', 'entities.view'];
const { items: _items, ...row } = template();

const service = (rows: readonly unknown[], permissions: readonly string[] = hr) =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/kpi-templates': listOf(rows),
    'GET /api/kpi-templates/imports': listOf([]),
  });

test('templates are listed with their use, and found by status and text', async () => {
  const used = { ...row, id: 4, name: 'Seller', entity: null, usage: { draft_cycles: 1, published_cycles: 2 } };
  const served = service([row, used]);
  const { user, where } = start('/kpi/templates');
  const buyer = await screen.findByRole('row', { name: /^Buyer/ });
  expect(within(buyer).getByText('Not used yet')).toBeDefined();
  expect(within(buyer).getByText('Acme Foods Ltd')).toBeDefined();
  const seller = screen.getByRole('row', { name: /^Seller/ });
  expect(within(seller).getByText('2 published cycles, 1 draft cycle')).toBeDefined();
  expect(within(seller).getByText('All companies')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Active' }));
  await user.type(screen.getByRole('searchbox', { name: 'Name, description or job title' }), 'buy');
  await waitFor(() => expect(where()).toBe('/kpi/templates?status=active&search=buy'));
  const { query } = served.to('GET /api/kpi-templates').at(-1) ?? {};
  expect(query?.get('status')).toBe('active');
  expect(query?.get('search')).toBe('buy');
});

test('the actions on a template are those that the service allows', async () => {
  service([
    { ...row, allowed_actions: ['update', 'archive'] },
    { ...row, id: 4, name: 'Seller', allowed_actions: [] },
  ]);
  const { user } = start('/kpi/templates');
  await user.click(await screen.findByRole('button', { name: 'Actions for Buyer' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['Archive']);
  expect(screen.queryByRole('button', { name: 'Actions for Seller' })).toBeNull();
});

test('archiving shows its consequences and can be undone', async () => {
  const active = { ...row, status: 'active', allowed_actions: ['update', 'archive'] };
  const served = service([{ ...active, usage: { draft_cycles: 0, published_cycles: 1 } }]);
  served.replies['POST /api/kpi-templates/3/archive'] = itemOf({ ...active, status: 'archived', revision: 2 });
  served.replies['POST /api/kpi-templates/3/activate'] = itemOf({ ...active, revision: 3 });
  const { user } = start('/kpi/templates');
  await user.click(await screen.findByRole('button', { name: 'Actions for Buyer' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }));
  const dialog = await screen.findByRole('dialog', { name: 'Archive Buyer?' });
  expect(within(dialog).getByText('1 published cycle that uses it continues unchanged.')).toBeDefined();
  expect(served.to('POST /api/kpi-templates/3/archive')).toHaveLength(0);
  await user.click(within(dialog).getByRole('button', { name: 'Archive' }));
  await screen.findByText('Buyer was archived.');
  expect(served.to('POST /api/kpi-templates/3/archive')[0]?.body).toEqual({ revision: 1 });
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('POST /api/kpi-templates/3/activate')[0]?.body).toEqual({ revision: 2 }));
});

test('deleting needs a confirmation, which shows a refusal', async () => {
  const served = service([{ ...row, allowed_actions: ['delete'] }]);
  served.replies['DELETE /api/kpi-templates/3'] = {
    status: 422,
    body: {
      message: 'In use.',
      errors: { kpi_template: ['You can’t delete Buyer. It’s used by 1 draft KPI cycle.'] },
    },
  };
  const { user } = start('/kpi/templates');
  await user.click(await screen.findByRole('button', { name: 'Actions for Buyer' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Buyer?' });
  expect(within(dialog).getByText('The template and its 2 items are deleted permanently.')).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Delete template' }));
  expect(await within(dialog).findByText(/used by 1 draft KPI cycle/)).toBeDefined();
});

test('without templates, a user who may add one gets a button', async () => {
  service([]);
  start('/kpi/templates');
  await screen.findByText('No templates yet');
  expect(screen.getAllByRole('link', { name: 'New template' }).length).toBeGreaterThan(0);
  expect(screen.getByRole('link', { name: 'Import' }).getAttribute('href')).toBe('/kpi/templates/import');
});

test('a user with read access can neither add nor import', async () => {
  service([], ['kpi-template.view']);
  start('/kpi/templates');
  await screen.findByText('No templates yet');
  expect(screen.queryByRole('link', { name: 'New template' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Import' })).toBeNull();
});

test('filters without a match can be cleared in place', async () => {
  service([]);
  const { user, where } = start('/kpi/templates?status=archived&grade=M1');
  await screen.findByText('No matching templates');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(where()).toBe('/kpi/templates'));
});

test('a user who may not see templates gets an explanation', async () => {
  const served = service([], []);
  served.replies['GET /api/kpi-templates'] = { status: 403, body: { message: 'This action is unauthorized.' } };
  start('/kpi/templates');
  expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
});
