import type { CycleMove } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fill } from '../../../testing/acts.ts';
import { runningCycle } from '../../../testing/cycles.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const publishers = ['kpi-cycle.view', 'kpi-cycle.publish', 'kpi-evaluation.view', 'kpi-evaluation.force-close'];
const path = '/api/kpi-cycles/9';

beforeEach(() => sessionStorage.clear());

const move = (fields: Partial<CycleMove> = {}): CycleMove => ({
  evaluation_id: 70,
  revision: 4,
  employee: { id: 57, employee_number: 'ACME-057', name: 'Lena Park' },
  status: 'manager_review',
  has_begun: true,
  from_department: { id: 4, name: 'Purchasing' },
  to_department: { id: 5, name: 'Sales' },
  entity_id: 1,
  moved_on: '2026-11-01',
  template: { id: 3, name: 'Buying' },
  reviewer: { id: 23, employee_number: 'ACME-023', name: 'Omar Diaz' },
  new_template: { id: 6, name: 'Selling' },
  new_reviewer: { id: 24, employee_number: 'ACME-024', name: 'Sara Quist' },
  refusal: null,
  parts: [
    { number: 1, from: '2026-01-01', until: '2026-10-31', days: 304 },
    { number: 2, from: '2026-11-01', until: '2026-12-31', days: 61 },
  ],
  split_refusal: null,
  ...fields,
});

function open(moves: CycleMove[], replies: Parameters<typeof serve>[0] = {}, permissions = publishers) {
  const served = serve({
    'GET /api/me': signedInAs(permissions),
    [`GET ${path}`]: itemOf(runningCycle()),
    'GET /api/kpi-evaluations': listOf([]),
    'GET /api/kpi-templates': listOf([{ id: 8, name: 'Shared services' }]),
    [`GET ${path}/moves`]: listOf(moves),
    [`POST ${path}/moves`]: itemOf({ dry_run: false, decision: 'stay', move: moves[0], evaluation_id: 70 }),
    ...replies,
  });
  return { served, ...start('/kpi/cycles/9?tab=participants') };
}

const decide = (name = 'Lena Park') => screen.findByRole('button', { name: `Decide for ${name}` });

test('a person who moved is listed with both departments, and the evaluation stays with a reason', async () => {
  const { served, user } = open([move()]);
  expect(await screen.findByText(/Purchasing → Sales/)).toBeDefined();
  expect(screen.getByText(/since 1 Nov 2026|since Nov 1, 2026/)).toBeDefined();
  await user.click(await decide());
  const dialog = within(await screen.findByRole('dialog', { name: 'Lena Park moved to Sales' }));
  expect(dialog.getByText('Department, template and reviewer stay: Buying, Omar Diaz.')).toBeDefined();
  expect(dialog.queryByText(/stays readable and doesn’t count/)).toBeNull();
  fill(dialog.getByLabelText(/^Reason/), 'Most of the year was there.');
  await user.click(dialog.getByRole('button', { name: 'Save decision' }));
  await screen.findByText('The evaluation of Lena Park stays.');
  expect(served.to(`POST ${path}/moves`)[0]?.body).toEqual({
    evaluation_id: 70,
    revision: 4,
    decision: 'stay',
    reason: 'Most of the year was there.',
  });
});

test('a switch says what begins and what is cancelled', async () => {
  const { served, user } = open([move()]);
  await user.click(await decide());
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Switch to the new department' }));
  expect(dialog.getByText(/A new evaluation begins with Selling, reviewed by Sara Quist/)).toBeDefined();
  expect(dialog.getByText(/stays readable and doesn’t count/)).toBeDefined();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  fill(dialog.getByLabelText(/^Reason/), 'New work since January.');
  await user.click(dialog.getByRole('button', { name: 'Save decision' }));
  await screen.findByText('Lena Park has a new evaluation.');
  expect(served.to(`POST ${path}/moves`)[0]?.body).toMatchObject({ decision: 'switch' });
});

test('a switch without a reviewer says why not, and goes on where HR assigns one later', async () => {
  const refusal = 'No one can review this person.';
  const { served, user } = open([move({ has_begun: false, new_reviewer: null, refusal })], {
    [`POST ${path}/moves`]: { status: 422, body: { message: refusal, errors: { status: [refusal] } } },
  });
  await user.click(await decide());
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Switch to the new department' }));
  expect(dialog.getByText(`Can’t switch: ${refusal}`)).toBeDefined();
  expect(dialog.queryByText(/stays readable/)).toBeNull();
  await user.click(dialog.getByRole('checkbox', { name: 'Switch anyway; HR assigns a reviewer later' }));
  fill(dialog.getByLabelText(/^Reason/), 'The head comes in January.');
  await user.click(dialog.getByRole('button', { name: 'Save decision' }));
  await waitFor(() =>
    expect(served.to(`POST ${path}/moves`)[0]?.body).toMatchObject({
      decision: 'switch',
      allow_missing_reviewer: true,
    }),
  );
  expect((await dialog.findAllByText(new RegExp(refusal))).length).toBeGreaterThan(1);
});

test('two parts say their days and weights', async () => {
  const { served, user } = open([move()]);
  await user.click(await decide());
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Purchasing until .*2026.*: 304 days, 83.3% of the result/)).toBeDefined();
  expect(dialog.getByText(/Sales from .*2026.*: 61 days, 16.7%/)).toBeDefined();
  await user.click(dialog.getByRole('radio', { name: 'Two parts, weighted by days' }));
  expect(dialog.queryByText(/stays readable and doesn’t count/)).toBeNull();
  fill(dialog.getByLabelText(/^Reason/), 'Ten months there, two here.');
  await user.click(dialog.getByRole('button', { name: 'Save decision' }));
  await screen.findByText('Lena Park has an evaluation in two parts.');
  expect(served.to(`POST ${path}/moves`)[0]?.body).toMatchObject({ decision: 'split', evaluation_id: 70 });
});

test('an impossible split says why, and offers nothing to choose', async () => {
  const split_refusal = 'The job history doesn’t say when the person moved.';
  const { user } = open([move({ parts: null, split_refusal, new_reviewer: null, refusal: 'No reviewer.' })]);
  await user.click(await decide());
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: 'Two parts, weighted by days' }));
  expect(dialog.getByText(`Can’t split: ${split_refusal}`)).toBeDefined();
  expect(dialog.queryByRole('checkbox')).toBeNull();
});

test('without moves, or without the right to decide, the tab has the list alone', async () => {
  const none = open([]);
  await screen.findByText('No evaluations yet');
  await waitFor(() => expect(none.served.to(`GET ${path}/moves`)).toHaveLength(1));
  expect(screen.queryByText('Moved to another department')).toBeNull();
});

test('a reader of evaluations is not asked', async () => {
  const { served } = open([move()], {}, ['kpi-cycle.view', 'kpi-evaluation.view']);
  await screen.findByText('No evaluations yet');
  expect(served.to(`GET ${path}/moves`)).toHaveLength(0);
});
