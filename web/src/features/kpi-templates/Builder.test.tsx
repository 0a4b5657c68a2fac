import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { template, templateItem } from '../../testing/templates.ts';

const hr = ['kpi-template.view', 'kpi-template.create', 'kpi-template.update', 'entities.view'];

const service = (stored = template(), permissions: readonly string[] = hr) =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/kpi-templates': listOf([]),
    'GET /api/kpi-templates/3': itemOf(stored),
    'POST /api/kpi-templates': { status: 201, body: { data: stored, message: '' } },
    'PUT /api/kpi-templates/3': itemOf({ ...stored, revision: 2 }),
  });

afterEach(() => sessionStorage.clear());

const names = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Name of Item/ }).map(({ value }) => value);
const weights = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Weight of Item/ }).map(({ value }) => value);
const weight = (position: number) => screen.getByRole('textbox', { name: `Weight of Item ${position} in percent` });
type User = ReturnType<typeof start>['user'];

async function addItem(user: User, name: string, share: string) {
  await user.click(screen.getByRole('button', { name: 'Add item' }));
  await user.keyboard(name);
  await user.tab();
  await user.keyboard(share);
}

test('a template is built, its weights are distributed, and the input is sent', async () => {
  const served = service();
  const { user, where } = start('/kpi/templates/new');
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Buyer');
  for (const name of ['Savings', 'Suppliers', 'Stock']) await addItem(user, name, '30');
  const meter = screen.getByRole('region', { name: 'Weights' });
  expect(within(meter).getByText('90%')).toBeDefined();
  expect(within(meter).getByText('10% unallocated')).toBeDefined();
  await user.click(within(meter).getByRole('button', { name: 'Distribute evenly' }));
  expect(weights()).toEqual(['33.34', '33.33', '33.33']);
  expect(within(meter).getByText('Weights add up to 100%')).toBeDefined();
  await within(meter).findByText('100%, Weights add up to 100%');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  await waitFor(() => expect(where()).toBe('/kpi/templates/3'));
  expect(served.to('POST /api/kpi-templates')[0]?.body).toMatchObject({
    name: 'Buyer',
    status: 'draft',
    items: [
      { name: 'Savings', weight: 33.34, item_type: 'rating' },
      { name: 'Suppliers', weight: 33.33 },
      { name: 'Stock', weight: 33.33 },
    ],
  });
});

test('the highest possible result follows the caps of measured items', async () => {
  const revenue = templateItem({ id: 31, item_type: 'measured', direction: 'higher_better', target_value: 10 });
  const certified = { ...revenue, id: 32, name: 'Certified', direction: 'boolean' as const, target_value: null };
  service(
    template({
      items: [
        { ...revenue, weight: 40, cap_pct: 105 },
        { ...certified, weight: 60 },
      ],
    }),
  );
  const { user } = start('/kpi/templates/3');
  await screen.findByText(/^Highest possible result: 92%. A cap below 110%/);
  await user.click(screen.getByRole('button', { name: `Details of ${revenue.name}` }));
  const cap = screen.getByRole('textbox', { name: 'Capped at' });
  await user.clear(cap);
  await user.type(cap, '110');
  expect(await screen.findByText('Highest possible result: 100%.')).toBeDefined();
});

test('distributing weights can be undone', async () => {
  service();
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByRole('button', { name: 'Distribute evenly' }));
  expect(weights()).toEqual(['50.00', '50.00']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(weights()).toEqual(['60', '40']);
});

test("an item's error is shown at its field by label, and moves with the item", async () => {
  const served = service();
  served.replies['PUT /api/kpi-templates/3'] = {
    status: 422,
    body: {
      message: 'Too much.',
      errors: { 'items.1.weight': ['The item 2 weight field must not be greater than 100.'] },
    },
  };
  const { user } = start('/kpi/templates/3');
  await screen.findByDisplayValue('Stock');
  await user.clear(weight(2));
  await user.type(weight(2), '400');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('The Weight field must not be greater than 100.')).toBeDefined();
  expect(document.activeElement).toBe(weight(2));
  await user.click(screen.getByRole('button', { name: 'Move Stock up' }));
  expect(weight(1).getAttribute('aria-invalid')).toBe('true');
  expect(weight(2).getAttribute('aria-invalid')).not.toBe('true');
});

test('an error in a folded field opens the item', async () => {
  const measured = templateItem({ id: 12, name: 'Stock', weight: 40, item_type: 'measured' });
  const served = service(template({ items: [templateItem(), measured] }));
  served.replies['POST /api/kpi-templates/3/activate'] = {
    status: 422,
    body: {
      message: 'Needed.',
      errors: { status: ['Needed.'], 'items.1.direction': ['The item 2 scoring direction field is required.'] },
      status: 'draft',
      revision: 1,
    },
  };
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByRole('button', { name: 'Activate' }));
  const field = await screen.findByRole('combobox', { name: 'Scoring direction' });
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(screen.getByText('The Scoring direction field is required.')).toBeDefined();
});

test('the error about the sum of weights stays until one of them changes', async () => {
  const served = service(template({ items: [templateItem(), templateItem({ id: 12, name: 'Stock', weight: 30 })] }));
  const message = 'The weights add up to 90.00; they must add up to exactly 100.00.';
  served.replies['POST /api/kpi-templates/3/activate'] = {
    status: 422,
    body: { message, errors: { status: [message], items: [message] }, status: 'draft', revision: 1 },
  };
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByRole('button', { name: 'Activate' }));
  expect(await screen.findAllByText(message)).toHaveLength(1);
  await user.type(weight(2), '.5');
  expect(screen.queryByText(message)).toBeNull();
});

test('items move by keyboard, the focus stays on the button, and the new position is announced', async () => {
  service(
    template({
      items: [templateItem(), templateItem({ id: 12, name: 'Stock' }), templateItem({ id: 13, name: 'Third' })],
    }),
  );
  const { user } = start('/kpi/templates/3');
  const down = await screen.findByRole('button', { name: 'Move Savings down' });
  down.focus();
  await user.keyboard('{Enter}');
  expect(names()).toEqual(['Stock', 'Savings', 'Third']);
  expect(screen.getByText('Savings is now 2 of 3.')).toBeDefined();
  await user.keyboard('{Enter}{Enter}');
  expect(names()).toEqual(['Stock', 'Third', 'Savings']);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move Savings down');
});

test('an item is removed and restored in place, and copied under another name', async () => {
  service();
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByRole('button', { name: 'Actions for Savings' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove item' }));
  expect(names()).toEqual(['Stock']);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(names()).toEqual(['Savings', 'Stock']);
  await user.click(screen.getByRole('button', { name: 'Actions for Savings' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate item' }));
  expect(names()).toEqual(['Savings', 'Savings (copy)', 'Stock']);
});

test('the preview shows the form with the inputs of one side', async () => {
  const measured = templateItem({
    id: 12,
    name: 'Stock',
    weight: 40,
    item_type: 'measured',
    direction: 'target',
    target_value: 7,
  });
  service(template({ score_step: 0.5, items: [templateItem({ evidence_required: true }), measured] }));
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByRole('button', { name: 'Preview' }));
  const dialog = await screen.findByRole('dialog', { name: 'What reviewers see' });
  const savings = within(dialog).getByRole('group', { name: /Savings/ });
  expect(within(savings).getAllByRole('radio')).toHaveLength(9);
  expect(within(savings).getByText('Evidence is required.')).toBeDefined();
  const stock = within(dialog).getByRole('group', { name: /Stock/ });
  expect(within(stock).getByRole('textbox', { name: 'Actual value' })).toBeDefined();
  expect(within(stock).getByText('The score is calculated from the target: 7.')).toBeDefined();
});

test('once a published cycle uses it, items and scale are read-only, other fields stay editable, and a copy is offered', async () => {
  const served = service(template({ status: 'active', usage: { draft_cycles: 0, published_cycles: 1 } }));
  served.replies['POST /api/kpi-templates/3/duplicate'] = {
    status: 201,
    body: { data: template({ id: 9, name: 'Buyer 2027' }), message: '' },
  };
  served.replies['GET /api/kpi-templates/9'] = itemOf(template({ id: 9, name: 'Buyer 2027' }));
  const { user, where } = start('/kpi/templates/3');
  await screen.findByText(/1 published cycle uses this template/);
  expect(screen.queryByRole('button', { name: 'Add item' })).toBeNull();
  expect(screen.queryByRole('combobox', { name: 'Highest score' })).toBeNull();
  expect(screen.getByText('Savings')).toBeDefined();
  await user.type(screen.getByRole('textbox', { name: 'Grade' }), 'M1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(served.to('PUT /api/kpi-templates/3')[0]?.body).toEqual({ grade: 'M1', revision: 1 }));
  await user.click(screen.getByRole('button', { name: 'Duplicate as draft' }));
  const dialog = await screen.findByRole('dialog', { name: 'Duplicate Buyer' });
  await user.clear(within(dialog).getByRole('textbox', { name: /^Name/ }));
  await user.type(within(dialog).getByRole('textbox', { name: /^Name/ }), 'Buyer 2027');
  await user.click(within(dialog).getByRole('button', { name: 'Duplicate' }));
  await waitFor(() => expect(where()).toBe('/kpi/templates/9'));
  expect(served.to('POST /api/kpi-templates/3/duplicate')[0]?.body).toEqual({ name: 'Buyer 2027', entity_id: 1 });
});

test('scores get words, which the preview shows', async () => {
  const served = service();
  const { user } = start('/kpi/templates/3');
  await user.click(await screen.findByText('Words for the scores (optional)'));
  await user.type(screen.getByRole('textbox', { name: 'Word for 5' }), 'Outstanding');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  const preview = await screen.findByRole('dialog');
  const [words] = within(preview).getAllByRole('list', { name: 'What the scores mean' });
  expect(words?.textContent).toBe('5 Outstanding');
  await user.click(within(preview).getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(served.to('PUT /api/kpi-templates/3')).toHaveLength(1));
  expect(served.to('PUT /api/kpi-templates/3')[0]?.body).toMatchObject({
    scale_words: [null, null, null, null, 'Outstanding'],
  });
});

test('a conflict on one item shows both versions to choose from', async () => {
  const served = service();
  const { user } = start('/kpi/templates/3');
  await screen.findByDisplayValue('Stock');
  await user.clear(weight(2));
  await user.type(weight(2), '45');
  await user.type(screen.getByRole('textbox', { name: 'Grade' }), 'M1');
  const theirs = template({
    revision: 5,
    description: 'Theirs',
    items: [templateItem(), templateItem({ id: 12, name: 'Stock', weight: 35 })],
  });
  served.replies['GET /api/kpi-templates/3'] = itemOf(theirs);
  served.replies['PUT /api/kpi-templates/3'] = ({ body }) =>
    (body as { revision: number }).revision === 5
      ? itemOf({ ...theirs, revision: 6 })
      : { status: 422, body: { message: 'Changed.', errors: { revision: ['Changed.'] }, revision: 5 } };
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  const item = within(dialog).getByRole('group', { name: 'Item: Stock' });
  within(item).getByText('Stock · 35%');
  within(item).getByText('Stock · 45%');
  await user.click(within(item).getByRole('radio', { name: /Their version/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Save selection' }));
  await waitFor(() => expect(served.to('PUT /api/kpi-templates/3')).toHaveLength(2));
  expect(served.to('PUT /api/kpi-templates/3')[1]?.body).toEqual({ grade: 'M1', revision: 5 });
});

test('leaving with unsaved input asks first', async () => {
  service();
  const { user, where } = start('/kpi/templates/3');
  await user.type(await screen.findByRole('textbox', { name: 'Grade' }), 'M1');
  await user.click(screen.getByRole('link', { name: 'KPI templates' }));
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.click(within(dialog).getByRole('button', { name: 'Keep editing' }));
  expect(where()).toBe('/kpi/templates/3');
});

test('input survives the end of the session', async () => {
  const served = service();
  const { user } = start('/kpi/templates/3');
  await user.type(await screen.findByRole('textbox', { name: 'Grade' }), 'M1');
  served.replies['PUT /api/kpi-templates/3'] = guest;
  served.replies['GET /api/me'] = guest;
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.type(await screen.findByLabelText('Work email'), 'a@acme.example');
  served.replies['GET /api/me'] = signedInAs(hr);
  served.replies['POST /api/login'] = { body: { message: 'Login successful.' } };
  await user.type(screen.getByLabelText('Password'), 'x');
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  await screen.findByText(/We restored what you entered/);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Grade' }).value).toBe('M1');
});

test('a user who may not add templates for all companies must choose one, at the field', async () => {
  const served = service();
  const message = 'Select a company.';
  served.replies['POST /api/kpi-templates'] = {
    status: 403,
    body: { message: 'This action is unauthorized.', errors: { entity_id: [message] } },
  };
  const { user } = start('/kpi/templates/new');
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Buyer');
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  const company = await screen.findByRole('combobox', { name: 'Company' });
  await waitFor(() => expect(company.getAttribute('aria-invalid')).toBe('true'));
  expect(screen.queryByRole('alert')).toBeNull();
  served.replies['POST /api/kpi-templates'] = {
    status: 403,
    body: { message: 'You view Tenure as another role. Nothing can be changed.', explained: true },
  };
  await user.click(screen.getByRole('button', { name: 'Save draft' }));
  expect((await screen.findByRole('alert')).textContent).toContain('as another role');
  expect(screen.queryByText(message)).toBeNull();
});

test('a user with read access sees the template and the allowed actions', async () => {
  service(template({ allowed_actions: ['duplicate', 'export'] }), ['kpi-template.view']);
  start('/kpi/templates/3');
  await screen.findByText('You can view this template but not edit it.');
  expect(screen.getByText('Savings')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Duplicate' })).toBeDefined();
});

test('an unknown template, and adding without permission, show an error', async () => {
  const served = service(template(), ['kpi-template.view']);
  served.replies['GET /api/kpi-templates/3'] = { status: 404, body: { message: 'Not found.' } };
  const { router } = start('/kpi/templates/3');
  await screen.findByRole('heading', { level: 1, name: 'Page not found' });
  await router.navigate({ to: '/kpi/templates/new' });
  expect(await screen.findByRole('heading', { level: 1, name: 'You don’t have access to this page' })).toBeDefined();
});
