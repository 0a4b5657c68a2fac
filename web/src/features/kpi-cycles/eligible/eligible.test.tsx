import type { LeftOut, NewlyEligible } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fill } from '../../../testing/acts.ts';
import { cycle, preflight, runningCycle, summary } from '../../../testing/cycles.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/kpi-cycles/9';
const list = `GET ${path}/newly-eligible`;
const leftOut = `GET ${path}/left-out`;
const leave = `POST ${path}/left-out`;
const person = (id: number, name: string) => ({ id, employee_number: `ACME-0${id}`, name });

const newcomer = (id: number, name: string, fields: Partial<NewlyEligible> = {}): NewlyEligible => ({
  employee: person(id, name),
  department: { id: 4, name: 'Purchasing' },
  entity_id: 1,
  cause: 'confirmed',
  since: '2026-11-01',
  template: { id: 3, name: 'Buying' },
  reviewer: person(23, 'Omar Diaz'),
  ...fields,
});
const lena = newcomer(57, 'Lena Park');
const bo = newcomer(58, 'Bo Reed', { cause: 'returned', since: '2026-11-09', reviewer: null });
const decision: LeftOut = {
  employee: person(59, 'Ida Voss'),
  department: { id: 4, name: 'Purchasing' },
  reason: 'Starts with the next cycle.',
  decided_by: { user_id: 7, name: 'Hana Ito' },
  decided_at: '2026-11-20T08:00:00.000Z',
  allowed_actions: ['delete'],
};

beforeEach(() => sessionStorage.clear());

function open(replies: Parameters<typeof serve>[0] = {}, search = '') {
  const served = serve({
    'GET /api/me': signedInAs(['kpi-cycle.view', 'kpi-cycle.publish']),
    [`GET ${path}`]: itemOf(runningCycle()),
    [`GET ${path}/summary`]: itemOf(summary()),
    'GET /api/kpi-templates': listOf([]),
    'GET /api/employees': listOf([]),
    [list]: listOf([lena, bo]),
    [leftOut]: listOf([decision]),
    ...replies,
  });
  return {
    served,
    bodies: (call: string) => served.to(call).map(({ body }) => body),
    ...start(`/kpi/cycles/9?tab=eligible${search}`),
  };
}

const outcome = (people: { id: number; name: string; reason?: string }[]) =>
  itemOf({
    counts: {
      total: people.length,
      left_out: people.filter(({ reason }) => reason === undefined).length,
      refused: people.filter(({ reason }) => reason !== undefined).length,
    },
    people: people.map(({ id, name, reason = null }) => ({
      employee_id: id,
      employee: person(id, name),
      outcome: reason === null ? 'left_out' : 'refused',
      reason,
    })),
  });

test('each person is listed with the cause, the template and the reviewer', async () => {
  open();
  const row = await screen.findByRole('row', { name: /Lena Park/ });
  expect(row.textContent).toMatch(/Purchasing.*Employment confirmed.*2026.*Buying.*Omar Diaz/);
  expect((await screen.findByRole('row', { name: /Bo Reed/ })).textContent).toMatch(/Active again.*2026.*No reviewer/);
});

test('a dialog that is closed by a key gives the focus back to its button', async () => {
  const { user } = open();
  const exclude = await screen.findByRole('button', { name: 'Exclude Lena Park…' });
  await user.click(exclude);
  await screen.findByRole('dialog', { name: 'Exclude Lena Park?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(exclude);
});

test('one person is left out with a reason', async () => {
  const { bodies, user } = open({ [leave]: outcome([{ id: 57, name: 'Lena Park' }]) });
  await user.click(await screen.findByRole('button', { name: 'Exclude Lena Park…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Exclude Lena Park?' }));
  fill(dialog.getByLabelText(/^Reason/), 'Starts with the next cycle.');
  await user.click(dialog.getByRole('button', { name: 'Exclude' }));
  await screen.findByText('1 person excluded from Q4 2026.');
  expect(bodies(leave)).toEqual([{ employee_ids: [57], reason: 'Starts with the next cycle.' }]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('several are left out at once, and who is refused is named', async () => {
  const { bodies, user } = open({
    [leave]: outcome([
      { id: 57, name: 'Lena Park' },
      { id: 58, name: 'Bo Reed', reason: 'You can’t decide about yourself.' },
    ]),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Select Lena Park' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Bo Reed' }));
  const bar = within(screen.getByRole('region', { name: 'Selected people' }));
  expect(bar.getByText('2 selected')).toBeDefined();
  await user.click(bar.getByRole('button', { name: 'Exclude…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Exclude 2 people?' }));
  fill(dialog.getByLabelText(/^Reason/), 'They start with the next cycle.');
  await user.click(dialog.getByRole('button', { name: 'Exclude' }));
  await dialog.findByText('Bo Reed: You can’t decide about yourself.');
  expect(bodies(leave)).toMatchObject([{ employee_ids: [57, 58] }]);
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('region', { name: 'Selected people' })).toBeNull();
});

test('a refused reason is shown at its field, and nothing is lost', async () => {
  const message = 'The reason field must be at least 10 characters.';
  const { user } = open({ [leave]: { status: 422, body: { message, errors: { reason: [message] } } } });
  await user.click(await screen.findByRole('button', { name: 'Exclude Lena Park…' }));
  const dialog = within(await screen.findByRole('dialog'));
  fill(dialog.getByLabelText(/^Reason/), 'Later.');
  await user.click(dialog.getByRole('button', { name: 'Exclude' }));
  await dialog.findByText(message);
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Later.');
});

test('people are added with the dialog of the cycle, which has them already', async () => {
  const add = `POST ${path}/people`;
  const { bodies, user } = open({
    [add]: itemOf({
      dry_run: true,
      counts: { total: 1, added: 1, refused: 0 },
      people: [{ employee_id: 57, employee: person(57, 'Lena Park'), outcome: 'added', reason: null }],
      warnings: [],
      plan_hash: 'first',
    }),
  });
  await user.click(await screen.findByRole('button', { name: 'Add Lena Park…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add people to Q4 2026' }));
  await user.click(dialog.getByRole('button', { name: 'Preview' }));
  await user.click(await screen.findByRole('button', { name: 'Add people' }));
  await screen.findByText('1 person added to Q4 2026.');
  expect(bodies(add).at(-1)).toEqual({ employee_ids: [57], template_id: null, plan_hash: 'first' });
});

test('the left out are listed with the reason, and the decision is undone', async () => {
  const undo = `DELETE ${path}/left-out/59`;
  const { served, user } = open({ [undo]: { status: 204 } });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Show' }), 'Excluded');
  const row = await screen.findByRole('row', { name: /Ida Voss/ });
  expect(row.textContent).toMatch(/Starts with the next cycle\..*Hana Ito/);
  await user.click(within(row).getByRole('button', { name: 'Undo for Ida Voss' }));
  await screen.findByText('Ida Voss is newly eligible again.');
  expect(served.to(undo)).toHaveLength(1);
});

test('a decision that cannot be undone has no button, and a failed undo says why', async () => {
  const own = { ...decision, employee: person(60, 'Sara Quist'), allowed_actions: [] };
  const message = 'This cycle is being published.';
  const { user } = open(
    {
      [leftOut]: listOf([decision, own]),
      [`DELETE ${path}/left-out/59`]: { status: 422, body: { message, errors: { status: [message] } } },
    },
    '&out=true',
  );
  const row = await screen.findByRole('row', { name: /Sara Quist/ });
  expect(within(row).queryByRole('button')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo for Ida Voss' }));
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
});

test('empty lists and a failed one say so', async () => {
  const { user } = open({ [list]: listOf([]), [leftOut]: { status: 500, body: { message: 'Server error.' } } });
  await screen.findByText('No one is newly eligible');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Excluded');
  expect(await screen.findByRole('button', { name: /Try again/ })).toBeDefined();
});

test('a draft, and a cycle that the reader cannot publish, have no such tab', async () => {
  const draft = open({ [`GET ${path}`]: itemOf(cycle()), [`GET ${path}/preflight`]: itemOf(preflight()) });
  await screen.findByRole('tab', { name: 'Departments' });
  expect(screen.queryByRole('tab', { name: 'Newly eligible' })).toBeNull();
  expect(draft.served.to(list)).toHaveLength(0);
});

test('publishing again names the newly eligible and links to them', async () => {
  const { user } = open(
    {
      [`GET ${path}/preflight`]: itemOf(
        preflight({
          newly_eligible: [{ department_id: 4, employee: person(57, 'Lena Park') }],
          newly_eligible_count: 1,
          excluded: [{ employee: person(59, 'Ida Voss'), reason: 'left_out' }],
          excluded_count: 1,
        }),
      ),
      [`GET ${path}/departments`]: listOf([]),
    },
    '&do=publish',
  );
  const dialog = within(await screen.findByRole('dialog', { name: /^Publish/ }));
  await user.click(await dialog.findByText('1 person became eligible after publishing'));
  expect(dialog.getByRole('link', { name: 'Lena Park' })).toBeDefined();
  expect(dialog.getByRole('link', { name: 'Decide about each' }).getAttribute('href')).toContain('tab=eligible');
  expect(dialog.getByText('excluded by HR', { exact: false })).toBeDefined();
});
