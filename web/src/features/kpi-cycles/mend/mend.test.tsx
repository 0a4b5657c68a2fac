import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fill, pick } from '../../../testing/acts.ts';
import { chosenDepartment, preflight, runningCycle, summary } from '../../../testing/cycles.ts';
import { card } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/kpi-cycles/9';
const replace = `POST ${path}/departments/4/replace-template`;
const add = `POST ${path}/people`;
const department = chosenDepartment({
  is_published: true,
  template_id: 3,
  template: { id: 3, name: 'Buying' },
  evaluations_count: 2,
  allowed_actions: ['replace-template'],
});
const row = (id: number, name: string, fields: object) => ({
  evaluation_id: id,
  employee: { id, employee_number: `ACME-0${id}`, name },
  status: 'self_assessment',
  template: { id: 3, name: 'Buying' },
  has_begun: false,
  can_be_replaced: false,
  outcome: 'replaced',
  reason: null,
  ...fields,
});
const begun = { has_begun: true, can_be_replaced: true, outcome: 'kept', reason: 'Already started.' };
const plan = (fields: object = {}) =>
  itemOf({
    dry_run: true,
    department: { id: 4, name: 'Purchasing' },
    template: { id: 4, name: 'Selling' },
    counts: { total: 2, replaced: 1, cancelled: 0, kept: 1 },
    evaluations: [row(70, 'Lena Park', begun), row(71, 'Bo Reed', {})],
    warnings: [],
    plan_hash: 'first',
    ...fields,
  });

beforeEach(() => sessionStorage.clear());

function open(replies: Parameters<typeof serve>[0] = {}) {
  const served = serve({
    'GET /api/me': signedInAs([
      'kpi-cycle.view',
      'kpi-cycle.publish',
      'departments.view',
      'kpi-evaluation.assign-reviewer',
    ]),
    [`GET ${path}`]: itemOf(runningCycle()),
    [`GET ${path}/summary`]: itemOf(summary()),
    [`GET ${path}/departments`]: listOf([department]),
    [`GET ${path}/preflight`]: itemOf(preflight()),
    'GET /api/kpi-templates': listOf([
      { id: 3, name: 'Buying' },
      { id: 4, name: 'Selling' },
    ]),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }]),
    ...replies,
  });
  return {
    served,
    bodies: (call: string) => served.to(call).map(({ body }) => body),
    ...start('/kpi/cycles/9?tab=departments'),
  };
}

async function menu(user: ReturnType<typeof open>['user'], item: string) {
  await user.click(await screen.findByRole('button', { name: /Purchasing/ }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return screen.findByRole('dialog');
}

test('a template is replaced after a preview; a begun evaluation is cancelled only when it is ticked, with a reason', async () => {
  const { bodies, user, served } = open({ [replace]: plan() });
  const dialog = await menu(user, 'Replace template…');
  await pick(user, within(dialog).getByRole('combobox', { name: 'New template' }), 'Selling');
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }));
  const line = await screen.findByRole('row', { name: /Lena Park/ });
  expect(line.textContent).toContain('Already started.');
  expect(line.textContent).toContain('ACME-070');
  expect(screen.queryByRole('textbox', { name: /Reason/ })).toBeNull();
  const counts = { total: 2, replaced: 1, cancelled: 1, kept: 0 };
  served.replies[replace] = plan({
    counts,
    evaluations: [row(70, 'Lena Park', { ...begun, outcome: 'cancelled', reason: null }), row(71, 'Bo Reed', {})],
    plan_hash: 'second',
  });
  await user.click(within(line).getByRole('checkbox', { name: 'Cancel Lena Park’s evaluation and start over' }));
  fill(await screen.findByRole('textbox', { name: /Reason/ }), 'The office template was used.');
  await user.click(screen.getByRole('button', { name: 'Replace template' }));
  await screen.findByText('Purchasing: 2 evaluations with the new template, 0 kept.');
  expect(bodies(replace)).toEqual([
    { template_id: 4, evaluation_ids: [], dry_run: true },
    { template_id: 4, evaluation_ids: [70], dry_run: true },
    { template_id: 4, evaluation_ids: [70], reason: 'The office template was used.', plan_hash: 'second' },
  ]);
});

test('a plan that changed meanwhile is shown again', async () => {
  const { bodies, user, served } = open({ [replace]: plan() });
  const dialog = await menu(user, 'Replace template…');
  await pick(user, within(dialog).getByRole('combobox', { name: 'New template' }), 'Selling');
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }));
  await screen.findByRole('row', { name: /Bo Reed/ });
  const message = 'Something changed since you checked.';
  served.replies[replace] = { status: 422, body: { message, errors: { status: [message] } } };
  await user.click(screen.getByRole('button', { name: 'Replace template' }));
  await screen.findByText(message);
  served.replies[replace] = plan({ plan_hash: 'third' });
  await user.click(screen.getByRole('button', { name: 'Update preview' }));
  await waitFor(() => expect(screen.queryByText(message)).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Replace template' }));
  await waitFor(() => expect(bodies(replace).at(-1)).toMatchObject({ plan_hash: 'third' }));
});

test('people are added after a preview that names who cannot be', async () => {
  const answer = (refused: boolean) =>
    itemOf({
      dry_run: true,
      counts: { total: 1, added: refused ? 0 : 1, refused: refused ? 1 : 0 },
      people: [
        {
          employee_id: 77,
          employee: { id: 77, employee_number: 'ACME-077', name: 'Hera Heir' },
          outcome: refused ? 'refused' : 'added',
          reason: refused ? 'No one can review this person.' : null,
        },
      ],
      warnings: [],
      plan_hash: refused ? 'without' : 'with',
    });
  const { bodies, user, served } = open({ [add]: answer(true) });
  const dialog = await menu(user, 'Add people…');
  await pick(user, within(dialog).getByRole('combobox', { name: 'Add a person' }), /Hera Heir/);
  await screen.findByRole('button', { name: 'Remove Hera Heir' });
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }));
  const refusal = await screen.findByRole('row', { name: /Hera Heir/ });
  expect(refusal.textContent).toContain('No one can review');
  expect(refusal.textContent).toContain('ACME-077');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add people' }).disabled).toBe(true);
  served.replies[add] = answer(false);
  await user.click(screen.getByRole('checkbox', { name: 'Also add people without a reviewer' }));
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add people' }).disabled).toBe(false),
  );
  await user.click(screen.getByRole('button', { name: 'Add people' }));
  await screen.findByText(/1 person added to/);
  expect(bodies(add).at(-1)).toEqual({
    employee_ids: [77],
    template_id: null,
    allow_missing_reviewer: true,
    plan_hash: 'with',
  });
});
