import type { KpiCycle } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { dialogOf, fill, pick } from '../../testing/acts.ts';
import { chosenDepartment, counts, cycle, preflight, runningCycle, summary } from '../../testing/cycles.ts';
import { card } from '../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['kpi-cycle.view', 'kpi-cycle.update', 'kpi-cycle.publish', 'kpi-evaluation.view', 'departments.view'];
const path = '/api/kpi-cycles/9';

beforeEach(() => sessionStorage.clear());

function open(one: KpiCycle, search: string, replies: Parameters<typeof serve>[0] = {}, permissions = hr) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    [`GET ${path}`]: itemOf(one),
    [`GET ${path}/summary`]: itemOf(summary()),
    [`GET ${path}/departments`]: listOf([chosenDepartment()]),
    [`GET ${path}/preflight`]: itemOf(preflight()),
    'GET /api/kpi-evaluations': listOf([]),
    'GET /api/kpi-cycles': listOf([]),
    'GET /api/kpi-templates': listOf([
      { id: 3, name: 'Buying' },
      { id: 4, name: 'Selling' },
    ]),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }]),
    'GET /api/employees/12': itemOf({ ...card, id: 12, display_name: 'Hana Ito' }),
    ...replies,
  });
  const bodies = (call: string) => served.to(call).map(({ body }) => body);
  return { served, bodies, ...start(`/kpi/cycles/9${search}`) };
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'No.', errors } });

describe('participants', () => {
  const row = (fields: object = {}) => ({
    id: 70,
    employee: { id: 57, employee_number: 'ACME-057', name: 'Lena Park' },
    department: { id: 4, name: 'Purchasing' },
    reviewer: { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' },
    status: 'self_assessment',
    due_on: '2026-01-31',
    today: '2026-02-01',
    overall_percentage: null,
    ...fields,
  });
  const list = 'GET /api/kpi-evaluations';

  test('status, band and text filter the list and return to its first page; one button clears all', async () => {
    const { served, user, where } = open(runningCycle(), '?tab=participants&page=2', { [list]: listOf([row()]) });
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'Manager review');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Band' }), 'Band B');
    fill(screen.getByRole('searchbox'), 'lena');
    await waitFor(() =>
      expect(Object.fromEntries(served.to(list).at(-1)?.query ?? [])).toEqual({
        status: 'manager_review',
        band: 'B',
        search: 'lena',
        cycle_id: '9',
        page: '1',
        sort_by: 'employee_name',
      }),
    );
    const there = screen.getByRole('link', { name: 'Open in the evaluations list' }).getAttribute('href');
    expect(there).toContain('tab=all&cycle_id=9&search=lena&status=manager_review&band=B');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(where()).toBe('/kpi/cycles/9?tab=participants'));
  });

  test.each([
    ['department_id=4', row(), 'Filter: Purchasing'],
    ['reviewer_id=23', row(), 'Filter: Omar Diaz'],
    ['reviewer_id=0', row({ reviewer: null }), 'Filter: No reviewer'],
    ['overdue=true&department_id=4', row(), 'Filter: Purchasing, Overdue'],
  ])('an active filter without an input is named: %s', async (search, one, text) => {
    open(runningCycle(), `?tab=participants&${search}`, { [list]: listOf([one]) });
    expect(await screen.findByText(text)).toBeDefined();
  });

  test('late evaluations are marked, ended ones have no deadline, and a result is a percentage', async () => {
    open(runningCycle(), '?tab=participants', {
      [list]: listOf([
        row(),
        row({
          id: 71,
          due_on: '2026-01-31',
          today: '2026-01-31',
          employee: { id: 58, employee_number: 'ACME-058', name: 'Bo Reed' },
        }),
        row({
          id: 72,
          status: 'completed',
          overall_percentage: 78.4,
          employee: { id: 59, employee_number: 'ACME-059', name: 'Cy Moss' },
        }),
      ]),
    });
    const text = async (name: RegExp) => (await screen.findByRole('row', { name })).textContent;
    expect(await text(/^Lena Park/)).toContain('31 Jan 2026 Overdue');
    expect(await text(/^Bo Reed/)).not.toContain('Overdue');
    expect(await text(/^Cy Moss/)).toContain('78.4%');
    expect(await text(/^Cy Moss/)).not.toContain('2026');
  });

  test('an empty list says whether filters or the cycle are the cause', async () => {
    const { user } = open(runningCycle(), '?tab=participants&band=A');
    await screen.findByText('No matching employees');
    await user.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('No evaluations yet')).toBeDefined();
  });
});

describe('templates of departments', () => {
  const assign = `PUT ${path}/departments/4`;

  test('a choice is stored at once with the revision; a refusal is shown at its department', async () => {
    const { bodies, user } = open(cycle(), '?tab=departments', {
      [assign]: refused({ template_id: ['The template is of another company.'] }),
    });
    await pick(user, await screen.findByRole('combobox', { name: 'Template for Purchasing' }), 'Buying');
    await screen.findByText('The template is of another company.');
    expect(bodies(assign)).toEqual([{ template_id: 3, revision: 1 }]);
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Template for Purchasing' }).value).toBe('');
    expect(screen.getByText('Needs a template')).toBeDefined();
  });

  test('a read-only department shows a link to its template', async () => {
    const fixed = chosenDepartment({
      template_id: 3,
      template: { id: 3, name: 'Buying' },
      is_published: true,
      evaluations_count: 12,
      by_status: counts,
      allowed_actions: [],
    });
    open(runningCycle(), '?tab=departments', { [`GET ${path}/departments`]: listOf([fixed]) });
    const row = within(await screen.findByRole('row', { name: /^Purchasing/ }));
    expect(row.getByRole('link', { name: 'Buying' }).getAttribute('href')).toBe('/kpi/templates/3');
    expect(row.getByText('12')).toBeDefined();
    expect(row.queryByRole('combobox')).toBeNull();
    expect(row.queryByRole('button')).toBeNull();
  });

  test('a department that cannot be removed stays, and a failed undo shows its error', async () => {
    const remove = `DELETE ${path}/departments/4`;
    const { served, user } = open(cycle(), '?tab=departments', {
      [remove]: { status: 422, body: { message: 'It has evaluations.' } },
      [assign]: { status: 422, body: { message: 'The department is inactive now.' } },
    });
    await user.click(await screen.findByRole('button', { name: 'Remove Purchasing' }));
    await screen.findByText('It has evaluations.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    served.replies[remove] = { status: 204 };
    await user.click(screen.getByRole('button', { name: 'Remove Purchasing' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The department is inactive now.')).toBeDefined();
  });

  const rows = [
    chosenDepartment(),
    chosenDepartment({ id: 32, department_id: 5, department: { id: 5, name: 'Sales' }, revision: 8 }),
    chosenDepartment({
      id: 33,
      department_id: 6,
      department: { id: 6, name: 'Stock' },
      template_id: 4,
      template: { id: 4, name: 'Selling' },
    }),
  ];

  test('one template is assigned to departments without one, or to all; refused ones are listed', async () => {
    const { bodies, user } = open(cycle(), '', {
      [`GET ${path}/departments`]: listOf(rows),
      [assign]: itemOf(rows[0]),
      [`PUT ${path}/departments/5`]: { status: 422, body: { message: 'It is inactive.' } },
      [`PUT ${path}/departments/6`]: itemOf(rows[2]),
    });
    await user.click(await screen.findByRole('tab', { name: 'Departments' }));
    const area = within(await screen.findByRole('region', { name: 'Same template for all' }));
    expect(area.getByRole('button', { name: /^Use for/ })).toHaveProperty('disabled', true);
    await pick(user, area.getByRole('combobox', { name: 'Acme Foods Ltd: all 3 departments' }), 'Buying');
    await user.click(area.getByRole('button', { name: 'Use for 2 departments' }));
    expect((await area.findByRole('alert')).textContent).toBe('Sales: It is inactive.');
    expect(bodies(assign)).toEqual([{ template_id: 3, revision: 1 }]);
    expect(bodies(`PUT ${path}/departments/5`)).toEqual([{ template_id: 3, revision: 8 }]);
    expect(bodies(`PUT ${path}/departments/6`)).toEqual([]);
    await user.click(area.getByRole('checkbox', { name: 'Only departments without a template' }));
    expect(area.getByRole('button', { name: 'Use for 3 departments' })).toBeDefined();
  });
});

describe('publishing some departments', () => {
  const publish = `POST ${path}/publish`;
  const rows = [
    chosenDepartment(),
    chosenDepartment({ id: 32, department_id: 5, department: { id: 5, name: 'Sales' }, is_published: true }),
  ];

  test('previews the chosen departments again, and publishes only those', async () => {
    const { served, bodies, user } = open(cycle(), '?do=publish', {
      [`GET ${path}/departments`]: listOf(rows),
      [`GET ${path}/preflight`]: ({ url }) =>
        itemOf(
          url.searchParams.get('department_ids') === '4'
            ? preflight({ to_create: 5, notified: 6, existing: 1, plan_hash: 'part' })
            : preflight(),
        ),
      [publish]: { body: { data: runningCycle(), message: '', result: { status: 'processing', created: 0 } } },
    });
    const dialog = await dialogOf('Publish Q4 2026');
    await user.click(await dialog.findByRole('checkbox', { name: 'Both departments' }));
    await user.click(dialog.getByRole('checkbox', { name: /^Sales/ }));
    await dialog.findByText('Creates 5 evaluations and notifies 6 people.');
    expect(dialog.getByText(/1 person already has an evaluation/)).toBeDefined();
    await user.click(dialog.getByRole('checkbox', { name: /^Purchasing/ }));
    expect(dialog.queryByText(/^Creates/)).toBeNull();
    expect(dialog.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('checkbox', { name: /^Purchasing/ }));
    await dialog.findByText('Creates 5 evaluations and notifies 6 people.');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false));
    await user.click(dialog.getByRole('button', { name: 'Publish' }));
    await screen.findByText('Publishing has started.');
    expect(bodies(publish)).toEqual([{ plan_hash: 'part', department_ids: [4] }]);
    expect(served.to(`GET ${path}/preflight`).map(({ query }) => query.get('department_ids'))).not.toContain('');
  });

  test('more than five problems of the same kind are folded', async () => {
    const warnings = Array.from({ length: 7 }, (_, index) => ({
      department_id: 4,
      employee: null,
      code: 'window_passed' as const,
      message: `Window ${index} is over.`,
    }));
    open(cycle(), '?do=publish', { [`GET ${path}/preflight`]: itemOf(preflight({ warnings })) });
    const dialog = await dialogOf('Publish Q4 2026');
    const fold = (await dialog.findByText('2 more')).closest('details') as HTMLElement;
    expect(within(fold).getAllByRole('listitem', { hidden: true })).toHaveLength(2);
    expect(dialog.getByText('7 notes')).toBeDefined();
    expect(dialog.getAllByRole('link', { name: 'Change dates' })[0]?.getAttribute('href')).toBe(
      '/kpi/cycles/new?cycle=9&step=dates',
    );
  });

  test('an undecided move links to the participants', async () => {
    const message = 'Lena Park moved from Purchasing to Sales. What happens to the evaluation isn’t decided yet.';
    const employee = { id: 57, employee_number: 'ACME-057', name: 'Lena Park' };
    const warnings = [{ department_id: 5, employee, code: 'move_undecided' as const, message }];
    open(cycle(), '?do=publish', { [`GET ${path}/preflight`]: itemOf(preflight({ warnings })) });
    const dialog = await dialogOf('Publish Q4 2026');
    await dialog.findByText(message);
    expect(dialog.getByRole('link', { name: 'Decide' }).getAttribute('href')).toBe('/kpi/cycles/9?tab=participants');
  });

  test('a refusal that does not concern the plan shows its own message', async () => {
    const { user } = open(cycle(), '?do=publish', { [publish]: { status: 403, body: { message: 'No.' } } });
    const dialog = await dialogOf('Publish Q4 2026');
    await user.click(await dialog.findByRole('button', { name: 'Publish' }));
    expect((await dialog.findByRole('alert')).textContent).toContain('You don’t have access to this page');
    expect(dialog.queryByText(/^The figures have changed since you opened this/)).toBeNull();
  });
});

describe('other dialogs', () => {
  test('a cycle without open evaluations is closed without force, and a reason is optional', async () => {
    const none = Object.fromEntries(Object.keys(counts).map((status) => [status, 0]));
    const { bodies, user } = open(runningCycle(), '?do=close', {
      [`GET ${path}/summary`]: itemOf(summary({ by_status: { ...none, completed: 12 } as never })),
      [`POST ${path}/close`]: itemOf(cycle({ status: 'closed' })),
    });
    const dialog = await dialogOf('Close Q4 2026?');
    expect(await dialog.findByLabelText('Reason')).toHaveProperty('required', false);
    await user.click(dialog.getByRole('button', { name: 'Close cycle' }));
    await screen.findByText('Q4 2026 was closed.');
    expect(bodies(`POST ${path}/close`)).toEqual([{ revision: 1, reason: null }]);
  });

  test('reopening requires a reason', async () => {
    const closed = cycle({ status: 'closed', allowed_actions: ['reopen'] });
    const { bodies, user } = open(closed, '?do=reopen', {
      [`POST ${path}/reopen`]: refused({ reason: ['Too short.'] }),
    });
    const dialog = await dialogOf('Reopen Q4 2026?');
    fill(dialog.getByLabelText(/^Reason/), 'Oops');
    await user.click(dialog.getByRole('button', { name: 'Reopen cycle' }));
    await dialog.findByText('Too short.');
    expect(bodies(`POST ${path}/reopen`)).toEqual([{ reason: 'Oops', revision: 1 }]);
  });

  test('only the owner is changed, and leaving with unsaved input asks first', async () => {
    const { bodies, user, where } = open(cycle(), '?do=owner', { [`PUT ${path}`]: itemOf(cycle({ revision: 2 })) }, [
      ...hr,
      'employees.view',
    ]);
    const dialog = await dialogOf('Change the owner of Q4 2026');
    expect(dialog.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await pick(user, dialog.getByRole('combobox', { name: /^Owner/ }), /Hera Heir/);
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const question = await dialogOf('Leave without saving?');
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(where()).toBe('/kpi/cycles/9?do=owner');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await screen.findByText('Q4 2026 was saved.');
    expect(bodies(`PUT ${path}`)).toEqual([{ owner_id: 77, revision: 1 }]);
  });

  test('reminding all people starts with the first open stage; a stage without open steps sends no request', async () => {
    const { bodies, user } = open(runningCycle(), '?do=remind', {
      [`GET ${path}/summary`]: itemOf(summary({ by_status: { ...counts, self_assessment: 0, pending_acceptance: 0 } })),
      [`POST ${path}/remind`]: itemOf({ reminded: 2, open: 2 }),
    });
    const dialog = await dialogOf('Send reminders for Q4 2026');
    await waitFor(() => expect(dialog.getByRole('radio', { name: /^Manager review/ })).toHaveProperty('checked', true));
    await user.click(dialog.getByRole('radio', { name: /^Self-assessment/ }));
    expect(dialog.getByRole('button', { name: 'Send reminders' })).toHaveProperty('disabled', true);
    await user.click(dialog.getByRole('radio', { name: /^Manager review/ }));
    await user.click(dialog.getByRole('button', { name: 'Send reminders' }));
    await dialog.findByText('2 reminders sent for 2 open steps.');
    expect(dialog.queryByText(/within the last 24 hours/)).toBeNull();
    expect(bodies(`POST ${path}/remind`)).toEqual([{ stage: 'manager' }]);
  });

  test('a draft stays if the confirmation is cancelled', async () => {
    const { served, user } = open(cycle(), '?do=delete');
    await user.click((await dialogOf('Delete Q4 2026?')).getByRole('button', { name: 'Keep draft' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(served.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
