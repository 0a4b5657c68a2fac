import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { chosenDepartment, counts, cycle, preflight, runningCycle, summary } from '../../testing/cycles.ts';
import { pick } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const hr = ['kpi-cycle.view', 'kpi-cycle.update', 'kpi-cycle.publish', 'kpi-evaluation.view', 'departments.view'];
const published = chosenDepartment({ is_published: true, evaluations_count: 12, by_status: counts, overdue: 2 });

const service = (one = runningCycle(), permissions: readonly string[] = hr) =>
  serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/kpi-cycles/9': itemOf(one),
    'GET /api/kpi-cycles/9/summary': itemOf(summary()),
    'GET /api/kpi-cycles/9/departments': listOf([published]),
    'GET /api/kpi-cycles/9/preflight': itemOf(preflight()),
    'GET /api/kpi-cycles/9/distribution': itemOf({ as_of: '', by: 'department', overall: spread, groups }),
    'GET /api/kpi-evaluations': listOf([]),
    'GET /api/kpi-templates': listOf([]),
    'GET /api/employees': listOf([]),
  });

const bands = (a: number, b: number, isOver: boolean) => [
  { band: 'A', name: 'A', count: a, share_pct: 75, cap_pct: 20, over_limit: isOver },
  { band: 'B', name: 'B', count: b, share_pct: 25, cap_pct: 40, over_limit: false },
  { band: 'C', name: 'C', count: 0, share_pct: 0, cap_pct: 30, over_limit: false },
  { band: 'D', name: 'D', count: 0, share_pct: 0, cap_pct: 10, over_limit: false },
];
const spread = { count: 4, average_percentage: 81.26, bands: bands(3, 1, true) };
const groups = [{ id: 4, name: 'Purchasing', ...spread }];

test('each number of the stages links to its evaluations', async () => {
  const served = service();
  const { user, where } = start('/kpi/cycles/9');
  const stages = await screen.findByRole('region', { name: 'Stages' });
  expect(within(stages).getByRole('link', { name: '4 Self-assessment' })).toBeDefined();
  await user.click(within(stages).getByRole('link', { name: '2 overdue' }));
  await waitFor(() => expect(where()).toBe('/kpi/cycles/9?tab=participants&status=self_assessment&overdue=true'));
  await screen.findByText('No matching employees');
  const { query } = served.to('GET /api/kpi-evaluations').at(-1) ?? {};
  expect(query?.get('cycle_id')).toBe('9');
  expect(query?.get('status')).toBe('self_assessment');
  expect(query?.get('overdue')).toBe('true');
});

test('the board shows the progress of a department and reminds its people', async () => {
  const served = service();
  served.replies['POST /api/kpi-cycles/9/remind'] = itemOf({ reminded: 3, open: 4 });
  const { user } = start('/kpi/cycles/9');
  const row = await screen.findByRole('row', { name: /^Purchasing/ });
  expect(within(row).getByText('3 of 12')).toBeDefined();
  expect(within(row).getByText('2 overdue')).toBeDefined();
  await user.click(within(row).getByRole('button', { name: 'Send reminders to Purchasing' }));
  const dialog = await screen.findByRole('dialog', { name: 'Send reminders for Q4 2026' });
  await within(dialog).findByText('4 open');
  expect(within(dialog).getByText(/at most one reminder per evaluation in 24 hours/)).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Send reminders' }));
  await within(dialog).findByText('3 reminders sent for 4 open steps.');
  expect(within(dialog).getByText(/^The other one was skipped: a reminder was sent/)).toBeDefined();
  expect(served.to('POST /api/kpi-cycles/9/remind')[0]?.body).toEqual({ stage: 'self', department_ids: [4] });
});

test('each problem that blocks publishing links to where it can be fixed', async () => {
  const served = service(cycle());
  const person = { id: 57, employee_number: 'ACME-057', name: 'Lena Park' };
  served.replies['GET /api/kpi-cycles/9/preflight'] = itemOf(
    preflight({
      blockers: [
        { department_id: 4, employee: null, code: 'no_template', message: 'Purchasing has no template.' },
        { department_id: 4, employee: person, code: 'no_reviewer', message: 'Lena Park has no reviewer.' },
      ],
      excluded: [{ employee: { ...person, id: 58, name: 'Omar Diaz' }, reason: 'probationary' }],
      excluded_count: 1,
    }),
  );
  const { user } = start('/kpi/cycles/9');
  await user.click(await screen.findByRole('button', { name: 'Publish' }));
  const dialog = await screen.findByRole('dialog', { name: 'Publish Q4 2026' });
  await within(dialog).findByText('Creates 12 evaluations and notifies 14 people.');
  expect(within(dialog).getByText(/You can’t undo this/)).toBeDefined();
  expect(within(dialog).getByRole('link', { name: 'Select templates' }).getAttribute('href')).toBe(
    '/kpi/cycles/new?cycle=9&step=templates',
  );
  expect(within(dialog).getByRole('link', { name: 'Assign a manager' }).getAttribute('href')).toMatch(
    /^\/employees\/57/,
  );
  expect(within(dialog).getByText('1 person won’t get an evaluation')).toBeDefined();
  expect(within(dialog).getByText('on probation')).toBeDefined();
  // Only users who may assign reviewers can publish without them.
  expect(within(dialog).queryByRole('checkbox', { name: /^Go on without/ })).toBeNull();
  expect(within(dialog).getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', true);
});

test('a plan that changed is shown again before publishing', async () => {
  const served = service(cycle(), [...hr, 'kpi-evaluation.assign-reviewer']);
  const lena = { id: 57, employee_number: 'ACME-057', name: 'Lena Park' };
  const blockers = [
    { department_id: 4, employee: lena, code: 'no_reviewer' as const, message: 'Lena Park has no reviewer.' },
  ];
  served.replies['GET /api/kpi-cycles/9/preflight'] = itemOf(preflight({ blockers }));
  served.replies['POST /api/kpi-cycles/9/publish'] = () => {
    served.replies['GET /api/kpi-cycles/9/preflight'] = itemOf(
      preflight({ blockers, to_create: 13, plan_hash: 'second' }),
    );
    return { status: 422, body: { message: 'Changed.', errors: { status: ['Changed.'], plan_hash: ['Changed.'] } } };
  };
  const { user } = start('/kpi/cycles/9?do=publish');
  const dialog = await screen.findByRole('dialog', { name: 'Publish Q4 2026' });
  await user.click(await within(dialog).findByRole('checkbox', { name: /^Publish without a reviewer for 1 person/ }));
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }));
  await within(dialog).findByText(/^The figures have changed since you opened this/);
  await within(dialog).findByText('Creates 13 evaluations and notifies 14 people.');
  const result = { status: 'completed', created: 13, skipped: 0, blocked: 0 };
  served.replies['POST /api/kpi-cycles/9/publish'] = { body: { data: runningCycle(), message: '', result } };
  await user.click(within(dialog).getByRole('button', { name: 'Publish' }));
  await screen.findByText('Published. 13 evaluations created.');
  expect(served.to('POST /api/kpi-cycles/9/publish')[1]?.body).toEqual({
    plan_hash: 'second',
    allow_missing_reviewer: true,
  });
});

test('background publishing is shown after a reload, and its end is announced', async () => {
  const served = service(runningCycle({ publishing: { processed: 40, total: 212 } }));
  start('/kpi/cycles/9');
  await screen.findByText('40 of 212 evaluations created.');
  expect(screen.getByRole('progressbar', { name: 'Publishing' })).toBeDefined();
  served.replies['GET /api/kpi-cycles/9'] = itemOf(runningCycle({ evaluations_count: 212 }));
  await screen.findByText('212 evaluations created. Everyone involved was notified.');
});

test('background publishing of companies out of sight shows no figures, and its end is announced', async () => {
  const served = service(runningCycle({ publishing: {} }));
  start('/kpi/cycles/9');
  await screen.findByText('Evaluations are being created.');
  expect(screen.getByRole('progressbar', { name: 'Publishing' })).toBeDefined();
  served.replies['GET /api/kpi-cycles/9'] = itemOf(runningCycle({ evaluations_count: 12 }));
  await screen.findByText('All evaluations were created. Everyone involved was notified.');
});

test('a cycle with open evaluations can only be force-closed, with a reason and a permission', async () => {
  const served = service(runningCycle(), [...hr, 'kpi-evaluation.force-close']);
  served.replies['POST /api/kpi-cycles/9/close'] = {
    status: 422,
    body: { message: 'The reason field is required.', errors: { reason: ['The reason field is required.'] } },
  };
  const { user } = start('/kpi/cycles/9?do=close');
  const dialog = await screen.findByRole('dialog', { name: 'Close Q4 2026?' });
  await within(dialog).findByText('2 evaluations with a result will be completed with it.');
  expect(within(dialog).getByText('7 evaluations without a result will be cancelled.')).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Close cycle anyway' }));
  await within(dialog).findByText('The reason field is required.');
  served.replies['POST /api/kpi-cycles/9/close'] = itemOf(cycle({ status: 'closed', allowed_actions: ['reopen'] }));
  await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'The quarter is over.');
  await user.click(within(dialog).getByRole('button', { name: 'Close cycle anyway' }));
  await screen.findByText('Q4 2026 was closed.');
  expect(served.to('POST /api/kpi-cycles/9/close')[1]?.body).toEqual({
    revision: 1,
    force: true,
    reason: 'The quarter is over.',
  });
});

test('a user who may not close evaluations sees why the cycle stays open', async () => {
  service();
  start('/kpi/cycles/9?do=close');
  const dialog = await screen.findByRole('dialog', { name: 'Close Q4 2026?' });
  await within(dialog).findByText('9 evaluations are still open.');
  expect(within(dialog).queryByRole('button', { name: /close$/i, hidden: false })?.textContent).not.toBe('Close cycle');
});

test('a published cycle offers only the fields that can change, with the consequences', async () => {
  const served = service();
  served.replies['PUT /api/kpi-cycles/9'] = itemOf(runningCycle({ revision: 2 }));
  const { user } = start('/kpi/cycles/9?do=edit');
  const dialog = await screen.findByRole('dialog', { name: 'Edit Q4 2026' });
  expect(within(dialog).getByText(/notified when dates move/)).toBeDefined();
  expect(within(dialog).queryByRole('textbox', { name: 'Manager' })).toBeNull();
  const [closes] = within(dialog).getAllByLabelText('Closes');
  await user.type(closes as HTMLElement, '2027-01-15');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await screen.findByText('Q4 2026 was saved.');
  expect(served.to('PUT /api/kpi-cycles/9')[0]?.body).toEqual({
    self_assessment_closes_on: '2027-01-15',
    revision: 1,
  });
});

test('a conflict about the owner names both people', async () => {
  const served = service();
  served.replies['GET /api/employees'] = listOf([
    { id: 12, display_name: 'Hana Ito' },
    { id: 77, display_name: 'Hera Heir' },
    { id: 78, display_name: 'Omar Diaz' },
  ]);
  served.replies['GET /api/me'] = signedInAs([...hr, 'employees.view']);
  served.replies['PUT /api/kpi-cycles/9'] = {
    status: 422,
    body: { message: 'Changed.', errors: { revision: ['Changed.'] }, revision: 2 },
  };
  const { user } = start('/kpi/cycles/9?do=edit');
  const dialog = await screen.findByRole('dialog', { name: 'Edit Q4 2026' });
  await pick(user, within(dialog).getByRole('combobox', { name: 'Owner' }), 'Hera Heir');
  served.replies['GET /api/kpi-cycles/9'] = itemOf(runningCycle({ revision: 2, owner_id: 78 }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  const conflict = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  const owners = within(within(conflict).getByRole('group', { name: 'Owner' }));
  const names = owners.getAllByRole<HTMLInputElement>('combobox', { name: 'Owner', hidden: true });
  await waitFor(() => expect(names.map(({ value }) => value)).toEqual(['Hera Heir', 'Omar Diaz']));
});

test('results are compared with the expected distribution, as bars and as a table', async () => {
  service();
  const { user, where } = start('/kpi/cycles/9?tab=results');
  await screen.findByText(/Above target in band A \(1 group\)/);
  expect(screen.getAllByText('4 results, average 81.3%')).toHaveLength(2);
  expect(screen.getAllByText('above the target of 20%')).toHaveLength(2);
  expect(screen.getByText('Your own result isn’t included.')).toBeDefined();
  const [, drill] = screen.getAllByRole('link', { name: /^Band A/ });
  expect(drill?.getAttribute('href')).toContain('department_id=4&band=A&status=completed');
  await user.click(screen.getByRole('button', { name: 'View as table' }));
  await screen.findByRole('row', { name: /^Purchasing/ });
  expect(where()).toBe('/kpi/cycles/9?tab=results&table=true');
  await user.click(screen.getByRole('button', { name: 'Export results' }));
  const csv = await screen.findByRole('menuitem', { name: 'Export as CSV' });
  expect(csv.getAttribute('href')).toBe('/api/kpi-cycles/9/export?headings=words&format=csv');
});

test('deleting a draft shows what is deleted with it', async () => {
  const served = service(cycle());
  served.replies['DELETE /api/kpi-cycles/9'] = { status: 204 };
  served.replies['GET /api/kpi-cycles'] = listOf([]);
  const { user, where } = start('/kpi/cycles/9');
  await user.click(await screen.findByRole('button', { name: 'Actions for Q4 2026' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete draft' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Q4 2026?' });
  expect(within(dialog).getByText(/its 1 department are deleted permanently/)).toBeDefined();
  await user.click(within(dialog).getByRole('button', { name: 'Delete draft' }));
  await screen.findByText('Q4 2026 was deleted.');
  await waitFor(() => expect(where()).toBe('/kpi/cycles'));
});

test('undo restores a removed department with its template', async () => {
  const row = chosenDepartment({ template_id: 3, template: { id: 3, name: 'Buying' } });
  const served = service(cycle());
  served.replies['GET /api/kpi-cycles/9/departments'] = listOf([row]);
  served.replies['DELETE /api/kpi-cycles/9/departments/4'] = { status: 204 };
  served.replies['PUT /api/kpi-cycles/9/departments/4'] = itemOf(row);
  const { user } = start('/kpi/cycles/9?tab=departments');
  await user.click(await screen.findByRole('button', { name: 'Remove Purchasing' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(served.to('PUT /api/kpi-cycles/9/departments/4')[0]?.body).toEqual({ template_id: 3 }));
});
