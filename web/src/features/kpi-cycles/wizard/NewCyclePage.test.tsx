import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chosenDepartment, cycle, preflight } from '../../../testing/cycles.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';
import { department } from '../../../testing/structure.ts';

const permissions = ['kpi-cycle.view', 'kpi-cycle.create', 'entities.view', 'departments.view', 'kpi-template.view'];
const refused = (errors: Record<string, string[]>, more: object = {}) => ({
  status: 422,
  body: { message: 'Refused.', errors, ...more },
});

const service = (draft = cycle()) =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/kpi-templates': listOf([{ id: 3, name: 'Buying' }]),
    'GET /api/departments': listOf([department(), department({ id: 5, name: 'Sales' })]),
    'GET /api/kpi-cycles': listOf([]),
    'GET /api/kpi-cycles/9': itemOf(draft),
    'GET /api/kpi-cycles/9/departments': listOf([]),
    'POST /api/kpi-cycles': itemOf(draft),
  });

test('the first step stores the cycle; a refusal is shown at its field', async () => {
  const served = service();
  served.replies['POST /api/kpi-cycles'] = refused({ name: ['The name field is required.'] });
  const { user, where } = start('/kpi/cycles/new');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await screen.findByText('The name field is required.');
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /^Name/ })));
  expect(where()).toBe('/kpi/cycles/new');
  served.replies['POST /api/kpi-cycles'] = itemOf(cycle());
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Q4 2026');
  await user.type(screen.getByLabelText(/^Start/), '2026-10-01');
  expect(screen.getByLabelText<HTMLInputElement>(/^End/).value).toBe('31 Dec 2026');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles/new?cycle=9&step=who'));
  expect(served.to('POST /api/kpi-cycles')[1]?.body).toMatchObject({
    name: 'Q4 2026',
    type: 'quarterly',
    start_date: '2026-10-01',
    end_date: '2026-12-31',
    entity_id: null,
  });
});

test('a new cycle begins with an earlier one, in the period after it', async () => {
  const served = service();
  const last = cycle({ id: 7, name: 'Q4 2026', type: 'quarterly', start_date: '2026-10-01', end_date: '2026-12-31' });
  served.replies['GET /api/kpi-cycles'] = listOf([last]);
  const { user } = start('/kpi/cycles/new');
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Q1 2027');
  await screen.findByRole('option', { name: 'Q4 2026' });
  await user.selectOptions(screen.getByRole('combobox', { name: 'Copy from' }), 'Q4 2026');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Start/ }).value).toBe('1 Jan 2027');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(served.to('POST /api/kpi-cycles')).toHaveLength(1));
  expect(served.to('POST /api/kpi-cycles')[0]?.body).toMatchObject({
    copy_from: 7,
    name: 'Q1 2027',
    start_date: '2027-01-01',
    end_date: '2027-03-31',
    entity_id: last.entity_id,
  });
});

test('a cycle for all companies may need more permissions, and its field says so', async () => {
  const message = 'Select a company. Your role can’t create cycles for all companies.';
  const served = service();
  served.replies['POST /api/kpi-cycles'] = {
    status: 403,
    body: { message: 'This action is unauthorized.', errors: { entity_id: [message] } },
  };
  const { user, where } = start('/kpi/cycles/new');
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Q4 2026');
  await user.click(screen.getByRole('button', { name: 'Save and finish later' }));
  await screen.findByText(message);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(where()).toBe('/kpi/cycles/new');
});

test('refused departments can be retried, without storing the others again', async () => {
  const served = service();
  const path = '/api/kpi-cycles/9/departments';
  served.replies[`PUT ${path}/4`] = () => {
    served.replies[`GET ${path}`] = listOf([chosenDepartment()]);
    return itemOf(chosenDepartment());
  };
  served.replies[`PUT ${path}/5`] = { status: 503, body: { message: 'The service is away.' } };
  const { user, where } = start('/kpi/cycles/new?cycle=9&step=who');
  await user.click(await screen.findByRole('checkbox', { name: /^All of Acme Foods Ltd/ }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('Sales: The service is away.');
  expect(where()).toBe('/kpi/cycles/new?cycle=9&step=who');
  served.replies[`PUT ${path}/5`] = itemOf(chosenDepartment({ id: 32, department_id: 5 }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' })).not.toHaveProperty('disabled', true));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles/new?cycle=9&step=templates'));
  expect(served.to(`PUT ${path}/4`)).toHaveLength(1);
  expect(served.to(`PUT ${path}/5`)).toHaveLength(2);
  expect(served.to('POST /api/kpi-cycles')).toHaveLength(0);
});

test('one template is assigned to all departments of a company that have none', async () => {
  const served = service();
  const path = '/api/kpi-cycles/9/departments';
  const given = { template_id: 6, template: { id: 6, name: 'Selling' } };
  served.replies[`GET ${path}`] = listOf([
    chosenDepartment(),
    chosenDepartment({ id: 32, department_id: 5, department: { id: 5, name: 'Sales' }, ...given }),
    chosenDepartment({ id: 33, department_id: 6, department: { id: 6, name: 'Stores' } }),
  ]);
  for (const id of [4, 6]) served.replies[`PUT ${path}/${id}`] = itemOf(chosenDepartment());
  const { user } = start('/kpi/cycles/new?cycle=9&step=templates');
  await screen.findByText(/^2 departments still need a template/);
  const forAll = screen.getByRole('combobox', { name: 'Acme Foods Ltd: all 3 departments' });
  await user.click(forAll);
  const offered = document.getElementById(forAll.getAttribute('aria-controls') ?? '') as HTMLElement;
  await user.click(await within(offered).findByRole('option', { name: 'Buying', hidden: true }));
  await user.click(screen.getByRole('button', { name: 'Use for 2 departments' }));
  await waitFor(() => expect(served.asked.filter(({ method }) => method === 'PUT')).toHaveLength(2));
  expect(served.to(`PUT ${path}/4`)[0]?.body).toEqual({ template_id: 3, revision: 1 });
  expect(served.to(`PUT ${path}/6`)[0]?.body).toEqual({ template_id: 3, revision: 1 });
});

test('without an active template the select says what to do first', async () => {
  const served = service();
  served.replies['GET /api/kpi-templates'] = listOf([]);
  served.replies['GET /api/kpi-cycles/9/departments'] = listOf([chosenDepartment()]);
  const { user } = start('/kpi/cycles/new?cycle=9&step=templates');
  await user.click(await screen.findByRole('combobox', { name: /^Template for/ }));
  const message = await screen.findByText(/^No active templates\./);
  expect(message.textContent).toBe('No active templates. Activate a draft before you use it.');
});

test('dates and rules are saved together; the weights always sum to 100', async () => {
  const served = service();
  served.replies['PUT /api/kpi-cycles/9'] = refused({
    self_assessment_closes_on: ['It must not be before it opens.'],
    'band_caps.b': ['The cap is required.'],
  });
  const { user, where } = start('/kpi/cycles/new?cycle=9&step=dates');
  const manager = await screen.findByRole('textbox', { name: 'Manager' });
  await user.clear(manager);
  await user.type(manager, '70');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Self' }).value).toBe('30');
  await user.type(screen.getByRole('textbox', { name: 'Band A' }), '20');
  await user.click(screen.getByRole('switch', { name: /^Auto-accept if there’s no response/ }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByText('It must not be before it opens.');
  await screen.findByText('The cap is required.');
  expect(served.to('PUT /api/kpi-cycles/9')[0]?.body).toEqual({
    manager_weight_pct: 70,
    self_weight_pct: 30,
    auto_accept: true,
    band_caps: { a: 20, b: null, c: null, d: null },
    revision: 1,
  });
  served.replies['PUT /api/kpi-cycles/9'] = itemOf(cycle({ revision: 2 }));
  await user.click(screen.getByRole('button', { name: 'Save and finish later' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles/9'));
});

test('a conflict on one field shows both versions to choose from', async () => {
  const served = service();
  served.replies['PUT /api/kpi-cycles/9'] = refused({ revision: ['Somebody else changed it.'] }, { revision: 2 });
  const { user } = start('/kpi/cycles/new?cycle=9&step=dates');
  const days = await screen.findByRole('textbox', { name: /^Days to respond/ });
  await user.clear(days);
  await user.type(days, '10');
  served.replies['GET /api/kpi-cycles/9'] = itemOf(cycle({ revision: 2, acceptance_days: 14 }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  await user.click(within(dialog).getByRole('radio', { name: /14/ }));
  served.replies['PUT /api/kpi-cycles/9'] = itemOf(cycle({ revision: 3, acceptance_days: 14 }));
  await user.click(within(dialog).getByRole('button', { name: 'Save selection' }));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Days to respond/ })).toBeNull());
});

test('a conflict about a day shows both in the format of the language', async () => {
  const served = service();
  served.replies['PUT /api/kpi-cycles/9'] = refused({ revision: ['Somebody else changed it.'] }, { revision: 2 });
  const { user } = start('/kpi/cycles/new?cycle=9&step=dates');
  const [closes] = await screen.findAllByLabelText('Closes');
  await user.type(closes as HTMLElement, '2026-12-10');
  served.replies['GET /api/kpi-cycles/9'] = itemOf(cycle({ revision: 2, self_assessment_closes_on: '2026-12-20' }));
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  const days = within(dialog).getByRole('group', { name: 'Self-assessment closes' });
  expect(within(days).getByText('10 Dec 2026')).toBeDefined();
  expect(within(days).getByText('20 Dec 2026')).toBeDefined();
});

test('departments are grouped by company, in the order of the companies’ names', async () => {
  const served = service();
  served.replies['GET /api/departments'] = listOf([
    department({ entity_id: 2, entity: { id: 2, name: 'Northwind' } }),
    department({ id: 5, name: 'Sales' }),
  ]);
  start('/kpi/cycles/new?cycle=9&step=who');
  const all = await screen.findAllByRole('checkbox', { name: /^All of / });
  expect(all.map((box) => box.closest('fieldset')?.querySelector('legend')?.textContent)).toEqual([
    'Acme Foods Ltd',
    'Northwind',
  ]);
});

test('an account without a person is not said to become the owner', async () => {
  const served = service();
  served.replies['GET /api/me'] = signedInAs([...permissions, 'employees.view'], { employee_id: null });
  served.replies['GET /api/employees'] = listOf([]);
  start('/kpi/cycles/new');
  await screen.findByText(/^Responsible for the cycle/);
  expect(screen.queryByText('Defaults to you')).toBeNull();
});

test('two departments are called both', async () => {
  const served = service();
  served.replies['GET /api/kpi-cycles/9/departments'] = listOf([
    chosenDepartment(),
    chosenDepartment({ id: 32, department_id: 5, department: { id: 5, name: 'Sales' } }),
  ]);
  start('/kpi/cycles/new?cycle=9&step=templates');
  expect(await screen.findByRole('combobox', { name: 'Acme Foods Ltd: both departments' })).toBeDefined();
});

test('the review shows the effect of publishing', async () => {
  const served = service();
  served.replies['GET /api/kpi-cycles/9/preflight'] = itemOf(preflight());
  const { user, where } = start('/kpi/cycles/new?cycle=9&step=review');
  await screen.findByText('Creates 12 evaluations and notifies 14 people.');
  await user.click(screen.getByRole('button', { name: 'Continue to publish' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles/9?do=publish'));
});

test('only departments and templates can be added to a published cycle', async () => {
  service(cycle({ status: 'published' }));
  start('/kpi/cycles/new?cycle=9&step=dates');
  await screen.findByRole('heading', { name: 'Who takes part' });
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toContain('2Templates');
  expect(screen.queryByText('Dates and rules')).toBeNull();
});
