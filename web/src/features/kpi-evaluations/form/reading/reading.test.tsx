import type { KpiEvaluation } from '@tenure/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { evaluation, evaluationItem, explanation, measuredItem } from '../../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../../testing/service.ts';
import { start } from '../../../../testing/start.tsx';

const path = '/api/kpi-evaluations/9';
const open = (shown: KpiEvaluation, person: number) => {
  serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: person }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    [`GET ${path}/evidence`]: listOf([]),
  });
  return start('/kpi/evaluations/9');
};

const result = (fields: Partial<KpiEvaluation> = {}) =>
  evaluation({
    status: 'pending_acceptance',
    allowed_actions: ['accept', 'dispute'],
    acceptance_due_on: '2099-12-10',
    overall_score: 2.9,
    overall_percentage: 58,
    performance_flag: 'pip',
    hr_comment: 'We will look at it together.',
    manager_comment: 'A hard year.',
    items: [
      evaluationItem({
        self_score: 4,
        self_comment: 'Two suppliers less.',
        self_actual_value: null,
        manager_score: 3,
        manager_comment: 'One came back.',
        manager_actual_value: null,
        final_score: 3,
        final_note: null,
      }),
    ],
    explain: {
      result: explanation({
        side: 'final',
        score: 2.9,
        percentage: 58,
        band: 'D',
        band_is: { name: 'Below', from: null, below: 60 },
        complete: true,
      }),
    },
    ...fields,
  });

test('the employee reads the own result in the second person, with every score and comment, and answers', async () => {
  const { user } = open(result(), 57);
  const shown = within(await screen.findByRole('region', { name: 'Your result' }));
  expect(shown.getByText('2.90')).toBeDefined();
  expect(shown.getByText('Band Below')).toBeDefined();
  expect(shown.getByText('Less than 60% of the highest score.')).toBeDefined();
  expect(shown.getByText('HR has marked your result for an improvement plan.')).toBeDefined();
  screen.getByText('Your result is ready. Accept or dispute it by 10 December 2099.');
  const scores = within(screen.getByRole('table', { name: 'Scores and comments' }));
  const row = within(scores.getByRole('row', { name: /Savings/ }));
  expect(row.getAllByRole('cell').map((cell) => cell.querySelector('strong')?.textContent)).toEqual(['4', '3', '3']);
  for (const text of ['Two suppliers less.', 'One came back.', 'A hard year.', 'We will look at it together.'])
    expect(screen.getByText(text)).toBeDefined();
  expect(screen.getByRole('link', { name: 'Download PDF' }).getAttribute('href')).toContain(`${path}/pdf`);
  const bar = within(await screen.findByRole('region', { name: 'Respond to your result' }));
  await user.click(bar.getByRole('button', { name: 'Accept result' }));
  await screen.findByRole('dialog', { name: 'Accept the result?' });
});

test.each([
  ['%', 71.5, '71.5%'],
  ['hours', 71.5, '71.5 hours'],
])('a measured value has its unit: %s', async (unit, value, shown) => {
  const [item] = result().items;
  open(
    result({
      items: [{ ...item!, item_type: 'measured', direction: 'higher_better', unit, manager_actual_value: value }],
    }),
    57,
  );
  const row = within(await screen.findByRole('row', { name: /Savings/ }));
  expect(row.getByText(shown)).toBeDefined();
});

test('a measured item stands beside its target, with what each side reached and what that achieves', async () => {
  const [rated] = result().items;
  const orders = measuredItem({
    ...rated!,
    id: 12,
    name: 'Orders',
    item_type: 'measured',
    direction: 'higher_better',
    unit: 'pcs',
    target_value: 80,
    self_actual_value: 76,
    manager_actual_value: 72,
  });
  const explained = (achievement_pct: number) => ({
    item_id: 12,
    name: 'Orders',
    weight: 40,
    not_applicable: false,
    score: 3,
    contribution: 3,
    proration: null,
    achievement_pct,
  });
  open(
    result({
      items: [orders],
      explain: {
        self: explanation({ items: [explained(95)] }),
        result: explanation({ side: 'final', items: [explained(90)], complete: true }),
      },
    }),
    57,
  );
  const scores = within(await screen.findByRole('table', { name: 'Scores and comments' }));
  const [self, manager] = scores.getAllByRole('cell').map((cell) => cell.textContent);
  expect(self).toContain('76 pcsAchievement 95%');
  expect(manager).toContain('72 pcsAchievement 90%');
  const goal = scores.getByText('Target').closest('dl');
  expect(goal?.textContent).toBe('GoalHigher is betterTarget80 pcs');
});

test('only what can exceed its target has a cap, and a score stands apart from its word', async () => {
  const [rated] = result().items;
  const item = (id: number, direction: 'boolean' | 'target' | 'higher_better') =>
    measuredItem({ ...rated!, id, name: direction, item_type: 'measured', direction, cap_pct: 120 });
  open(
    result({
      scale_words: ['', '', 'Good', '', ''],
      items: [item(1, 'boolean'), item(2, 'target'), item(3, 'higher_better')],
    }),
    57,
  );
  const scores = within(await screen.findByRole('table', { name: 'Scores and comments' }));
  expect(scores.getAllByText('Capped at')).toHaveLength(1);
  expect(scores.getByText('Capped at').closest('tbody')?.textContent).toContain('higher_better');
  expect(scores.getAllByRole('cell')[1]?.textContent).toBe('Manager review3 Good');
});

test('other readers see whose answer is awaited, and columns only of what is in sight', async () => {
  const { manager_score, manager_comment, manager_actual_value, final_score, final_note, ...own } = result().items[0]!;
  open(
    result({
      allowed_actions: [],
      overall_score: undefined,
      hr_comment: undefined,
      manager_comment: undefined,
      items: [own],
      explain: {},
    }),
    23,
  );
  await screen.findByText('Waiting for Lena Park to accept or dispute.');
  const shown = within(await screen.findByRole('region', { name: 'Result' }));
  expect(shown.getByText('There’s no result yet.')).toBeDefined();
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual(['KPI', 'Self-assessment']);
  expect(screen.queryByRole('button', { name: 'Accept result' })).toBeNull();
});

test('after the last day an own result can be accepted only, and the text says so', async () => {
  open(result({ allowed_actions: ['accept'], acceptance_due_on: '2026-01-10' }), 57);
  await screen.findByText('Your result is ready. You could dispute it until 10 January 2026; you can still accept it.');
  await screen.findByRole('button', { name: 'Accept result' });
  expect(screen.queryByRole('button', { name: 'Dispute result' })).toBeNull();
});

test('HR that may resolve a dispute sees what to do', async () => {
  open(result({ status: 'disputed', allowed_actions: ['resolve-dispute'], dispute_reason: 'Too low.' }), 90);
  expect(
    await screen.findByText('Lena Park disputed the result. Read the reason and resolve the dispute.'),
  ).toBeDefined();
});

test('after a review the reviewer goes on to the next one', async () => {
  const shown = result({ status: 'hr_review', allowed_actions: [], explain: {} });
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view', 'kpi-evaluation.review'], { employee_id: 23 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    [`GET ${path}/evidence`]: listOf([]),
    'GET /api/kpi-evaluations': listOf([
      { ...shown, id: 14 },
      { ...shown, id: 15 },
    ]),
  });
  start('/kpi/evaluations/9');
  const next = await screen.findByRole('link', { name: /^Next review \(\d+ left\)$/ });
  expect(next.getAttribute('href')).toBe('/kpi/evaluations/14');
  expect(service.to('GET /api/kpi-evaluations')[0]?.query.get('to_review')).toBe('1');
});
