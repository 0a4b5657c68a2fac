import type { KpiEvaluation } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { evaluation, evaluationItem, explanation, measuredItem, unwritten } from '../../../testing/evaluations.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/kpi-evaluations/9';
const given = { self_score: 4, self_comment: 'Two suppliers less.', self_actual_value: null };
const reviewed = { manager_score: 3, manager_comment: 'One came back.', manager_actual_value: null };

const open = (
  shown: KpiEvaluation,
  replies: Parameters<typeof serve>[0] = {},
  { search = '', person = 57 }: { search?: string; person?: number } = {},
) => {
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view'], { employee_id: person }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    [`GET ${path}/evidence`]: listOf([]),
    ...replies,
  });
  return { service, ...start(`/kpi/evaluations/9${search}`) };
};

const bar = () => screen.getByRole('region', { name: 'Score and submission' });

test('a score is saved automatically, and the total comes from the answer', async () => {
  const after = evaluation({
    revision: 2,
    items: [evaluationItem({ ...unwritten, self_score: 4 }), measuredItem(unwritten)],
    explain: { self: explanation({ weight_counted: 60, sum: 4, score: 4, percentage: 80 }) },
  });
  const { service, user } = open(evaluation(), { [`PUT ${path}`]: itemOf(after) });
  await user.click(await screen.findByRole('radio', { name: '4' }));
  await screen.findByText(/^Saved \d\d:\d\d$/);
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ items: [{ id: 11, self_score: 4 }], revision: 1 });
  expect(bar().textContent).toContain('4.00');
  expect(bar().textContent).toContain('so far (60% of weight scored)');
  within(screen.getByRole('link', { name: /Savings/ })).getByText('(complete)');
});

test('a measured item shows achievement and score as the service computed them', async () => {
  const entry = {
    item_id: 12,
    name: 'Orders',
    weight: 40,
    score: 5,
    not_applicable: false,
    achievement_pct: 115,
    proration: null,
  };
  const after = evaluation({
    revision: 2,
    items: [evaluationItem(unwritten), measuredItem({ ...unwritten, self_actual_value: 92 })],
    explain: { self: explanation({ items: [{ ...entry, contribution: 5 }], weight_counted: 40, score: 5 }) },
  });
  const { service, user } = open(evaluation(), { [`PUT ${path}`]: itemOf(after) }, { search: '?item=12' });
  await user.type(await screen.findByLabelText('Actual value'), '92');
  await screen.findByText('Achievement 115%, score 5');
  expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 12, self_actual_value: 92 }], revision: 1 });
});

test('a score that combines both sides is not called the manager’s', async () => {
  const blend = {
    manager_score: 3.67,
    self_score: 4,
    manager_weight_pct: 80,
    self_weight_pct: 20,
    manager_contribution: 2.93,
    self_contribution: 0.8,
    score: 3.73,
  };
  const shown = evaluation({
    status: 'manager_review',
    reviewer_id: 12,
    items: [evaluationItem({ ...given, ...reviewed })],
    explain: { result: explanation({ side: 'manager', score: 3.73, percentage: 74.66, complete: true, blend }) },
  });
  open(shown, {}, { person: 12 });
  await screen.findByText('3.73');
  expect(bar().textContent).toContain('Combined');
  expect(bar().textContent).not.toContain('Manager score');
});

test('a target that was reduced by days is shown with the days and the full one, also in the calculation', async () => {
  const proration = { employed_days: 45, cycle_days: 90, target_value: 40, baseline_value: 10 };
  const orders = measuredItem({ ...unwritten, self_actual_value: 44, baseline_value: 20, prorate: true, proration });
  const entry = { item_id: 12, name: 'Orders', weight: 40, score: 5, not_applicable: false, achievement_pct: 113.33 };
  const { user } = open(
    evaluation({
      items: [evaluationItem(unwritten), orders],
      explain: {
        self: explanation({ items: [{ ...entry, proration, contribution: 5 }], weight_counted: 40, score: 5 }),
      },
    }),
    {},
    { search: '?item=12' },
  );
  const valueOf = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect(await valueOf('Target for 45 of 90 days')).toBe('40 pcs');
  expect(await valueOf('Full target')).toBe('80 pcs');
  expect(await valueOf('Baseline for 45 of 90 days')).toBe('10 pcs');
  expect(await valueOf('Full baseline')).toBe('20 pcs');
  await user.click(screen.getByRole('button', { name: /How it’s calculated/ }));
  expect(await screen.findByText('Target 40 pcs: 80 pcs × 45 / 90 days')).toBeDefined();
});

test('a non-applicable item has no score and asks for a reason', async () => {
  const { service, user } = open(evaluation(), {
    [`PUT ${path}`]: itemOf(
      evaluation({
        revision: 2,
        items: [evaluationItem({ ...unwritten, not_applicable: true }), measuredItem(unwritten)],
      }),
    ),
  });
  await user.click(await screen.findByRole('checkbox', { name: 'Doesn’t apply' }));
  expect(screen.queryByRole('radio', { name: '4' })).toBeNull();
  await screen.findByLabelText(/^Why it doesn’t apply/);
  await waitFor(() =>
    expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ items: [{ id: 11, not_applicable: true }], revision: 1 }),
  );
});

test('a refused value is shown at its field by label, and the form does not count as saved', async () => {
  const errors = { 'items.0.self_actual_value': ['The item 1 actual value field must be a number.'] };
  const { user } = open(
    evaluation(),
    { [`PUT ${path}`]: { status: 422, body: { message: 'No.', errors } } },
    { search: '?item=12' },
  );
  await user.type(await screen.findByLabelText('Actual value'), 'many');
  await screen.findByText('The Actual value field must be a number.');
  expect((await screen.findByText('Not saved. Check the marked fields.')).tagName).toBe('OUTPUT');
});

test('a change that could not be sent is kept and can be sent again', async () => {
  let away = true;
  const { service, user } = open(evaluation(), {
    [`PUT ${path}`]: () => (away ? { status: 503, body: { message: 'Away.' } } : itemOf(evaluation({ revision: 2 }))),
  });
  await user.type(await screen.findByLabelText('Comment'), 'Good');
  await screen.findByText('Not saved.');
  away = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText(/^Saved /);
  expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 11, self_comment: 'Good' }], revision: 1 });
});

test('a conflict with another tab shows both versions, and the choice is saved', async () => {
  const theirs = evaluation({
    revision: 5,
    items: [evaluationItem({ ...unwritten, self_score: 5 }), measuredItem(unwritten)],
  });
  let read = 0;
  const { service, user } = open(evaluation(), {
    [`GET ${path}`]: () => itemOf((read += 1) === 1 ? evaluation() : theirs),
    [`PUT ${path}`]: ({ body }) =>
      (body as { revision: number }).revision === 5
        ? itemOf({ ...theirs, revision: 6 })
        : { status: 422, body: { message: 'Changed.', status: 'self_assessment', revision: 5 } },
  });
  await user.click(await screen.findByRole('radio', { name: '2' }));
  const dialog = await screen.findByRole('dialog', { name: 'Someone else edited this too' });
  within(dialog).getByRole('group', { name: 'Savings: Score' });
  await user.click(within(dialog).getByRole('button', { name: 'Save selection' }));
  await waitFor(() =>
    expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ items: [{ id: 11, self_score: 2 }], revision: 5 }),
  );
});

test('missing answers are listed before submitting, each with a link', async () => {
  const { service, user, where } = open(
    evaluation({ items: [evaluationItem({ ...unwritten, evidence_required: true }), measuredItem(unwritten)] }),
  );
  await user.click(await screen.findByRole('button', { name: 'Submit self-assessment' }));
  const dialog = await screen.findByRole('dialog', { name: 'Submit your self-assessment?' });
  within(dialog).getByText('Complete 3 items before you submit:');
  within(dialog).getByRole('link', { name: 'Savings: no evidence yet' });
  await user.click(within(dialog).getByRole('link', { name: 'Orders: no actual value yet' }));
  expect(where()).toBe('/kpi/evaluations/9?item=12');
  await screen.findByRole('heading', { name: 'Orders' });
  expect(service.to(`POST ${path}/self-assessment`)).toHaveLength(0);
});

test('a complete self-assessment is submitted after the last input is saved', async () => {
  const complete = (revision: number, comment: string | null = null) =>
    evaluation({
      revision,
      self_comment: comment,
      items: [evaluationItem({ ...unwritten, self_score: 4 }), measuredItem({ ...unwritten, self_actual_value: 92 })],
    });
  const { service, user } = open(
    complete(3),
    {
      [`PUT ${path}`]: itemOf(complete(4, 'A good year.')),
      [`POST ${path}/self-assessment`]: itemOf(
        evaluation({ status: 'manager_review', allowed_actions: [], revision: 5 }),
      ),
    },
    { search: '?item=0' },
  );
  await user.type(await screen.findByLabelText('Employee comment'), 'A good year.');
  await user.click(screen.getByRole('button', { name: 'Submit self-assessment' }));
  await user.click(await screen.findByRole('button', { name: 'Submit' }));
  await screen.findByText('Self-assessment submitted.');
  expect(service.to(`POST ${path}/self-assessment`)[0]?.body).toEqual({ revision: 4 });
});

test('a read-only user sees why, and hidden parts are not mentioned', async () => {
  open(
    evaluation({
      status: 'manager_review',
      allowed_actions: [],
      items: [evaluationItem(given)],
      explain: { self: explanation({ score: 4, percentage: 80, complete: true }) },
    }),
  );
  await screen.findByText('Omar Diaz is writing your review. You’ll see it with your result.');
  expect(await screen.findByText('Two suppliers less.')).toBeDefined();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Manager review' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Submit review' })).toBeNull();
});

test('the reviewer scores beside the self-assessment', async () => {
  const shown = evaluation({
    status: 'manager_review',
    allowed_actions: ['update', 'manager-review', 'return'],
    manager_comment: null,
    items: [evaluationItem({ ...given, manager_score: null, manager_comment: null, manager_actual_value: null })],
  });
  const { service, user } = open(shown, { [`PUT ${path}`]: itemOf({ ...shown, revision: 2 }) }, { person: 23 });
  const own = (await screen.findByRole('heading', { name: 'Manager review' })).closest('section')!;
  const self = screen.getByRole('heading', { name: 'Self-assessment' }).closest('section')!;
  within(self).getByText('Two suppliers less.');
  expect(within(self).queryByRole('radio')).toBeNull();
  await user.click(within(own).getByRole('radio', { name: '3' }));
  await waitFor(() =>
    expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ items: [{ id: 11, manager_score: 3 }], revision: 1 }),
  );
});

test('a closed window shows its end, and an extension is requested with a reason', async () => {
  const { service, user } = open(
    evaluation({
      allowed_actions: ['extension-request'],
      window: { opens_on: null, closes_on: '2026-01-20', is_open: false },
      due_on: '2026-01-20',
    }),
    {
      [`POST ${path}/extension-request`]: { status: 422, body: { message: 'No.', errors: { reason: ['Too short.'] } } },
    },
  );
  await screen.findByText('Closed on 20 Jan 2026. Request an extension to continue.');
  await user.click(screen.getByRole('button', { name: 'Request extension' }));
  const dialog = await screen.findByRole('dialog', { name: 'Request an extension' });
  await user.type(within(dialog).getByLabelText(/^Reason/), 'Ill');
  await user.click(within(dialog).getByRole('button', { name: 'Request extension' }));
  await within(dialog).findByText('Too short.');
  expect(service.to(`POST ${path}/extension-request`)[0]?.body).toEqual({ reason: 'Ill', revision: 1 });
});

test.each([
  ['that has not begun', { opens_on: '2026-04-10', closes_on: '2026-04-20' }, 'Opens on 10 Apr 2026'],
  ['that is over', { opens_on: '2026-04-01', closes_on: '2026-04-08' }, 'Closed on 8 Apr 2026'],
])('a window %s is checked by the day in the company', async (_, window, text) => {
  open(evaluation({ today: '2026-04-09', allowed_actions: [], window: { ...window, is_open: false } }));
  expect(await screen.findByText(text)).toBeDefined();
});

test.each([
  ['2099-04-20', '2099-04-21', true],
  ['2026-04-20', '2026-04-20', false],
])('a result due on %s is late on %s in the company: %s', async (acceptance_due_on, today, isLate) => {
  const window = { opens_on: null, closes_on: null, is_open: true };
  const due = { acceptance_due_on, due_on: acceptance_due_on };
  open(evaluation({ status: 'pending_acceptance', allowed_actions: [], window, ...due, today }));
  await screen.findByText(/^Due 20 Apr/);
  expect(screen.queryByText('Overdue') !== null).toBe(isLate);
});

test.each([
  ['other_hr', 'You submitted this review. Another HR user does the HR review.'],
  ['no_other_hr', /^You submitted this review, and no other HR user has Lena Park in scope\./],
] as const)('an HR user who submitted the review reads who releases the result (%s)', async (four_eyes, text) => {
  open(evaluation({ status: 'hr_review', four_eyes, allowed_actions: [] }), {}, { person: 3 });
  expect(await screen.findByText(text)).toBeDefined();
});

test('HR must give a reason if the PIP flag differs from the suggested one', async () => {
  const shown = evaluation({
    status: 'hr_review',
    allowed_actions: ['update', 'hr-review', 'return'],
    manager_comment: 'Fine.',
    suggested_flag: 'standard',
    performance_flag: null,
    hr_comment: 'Agreed.',
    flag_reason: null,
    items: [evaluationItem({ ...given, ...reviewed, final_score: null, final_note: null })],
  });
  const { user } = open(
    shown,
    { [`PUT ${path}`]: itemOf({ ...shown, revision: 2, performance_flag: 'hipo' }) },
    { person: 90 },
  );
  await screen.findByText('Suggested flag: Standard');
  await user.click(screen.getByRole('radio', { name: 'High potential' }));
  await screen.findByLabelText(/^Reason for the flag/);
  await user.click(screen.getByRole('button', { name: 'Finish HR review' }));
  await screen.findByRole('link', { name: 'Reason for choosing a different flag than suggested' });
  expect(screen.queryByRole('button', { name: 'Release result' })).toBeNull();
});

test('a dispute is resolved with other scores: only changed ones are sent, each with its note', async () => {
  const shown = evaluation({
    status: 'disputed',
    allowed_actions: ['resolve-dispute'],
    dispute_reason: 'The supplier was lost by finance.',
    items: [
      evaluationItem({ ...given, ...reviewed, final_score: 3, final_note: null }),
      measuredItem({ ...given, ...reviewed, final_score: 5, final_note: null }),
    ],
  });
  const { service, user } = open(
    shown,
    { [`POST ${path}/resolve-dispute`]: itemOf({ ...shown, status: 'completed', allowed_actions: [] }) },
    { person: 90 },
  );
  await user.click(await screen.findByRole('button', { name: 'Resolve dispute' }));
  const dialog = await screen.findByRole('dialog', { name: 'Resolve Lena Park’s dispute' });
  await user.click(within(dialog).getByRole('radio', { name: /^Change scores/ }));
  const scores = within(dialog).getByRole('group', { name: 'Final score for Savings' });
  await user.click(within(scores).getByRole('radio', { name: '4' }));
  await user.type(within(dialog).getByLabelText(/^Reason for changing 3/), 'Finance confirmed it.');
  await user.type(within(dialog).getByLabelText(/^Explanation/), 'The supplier left for other reasons.');
  await user.click(within(dialog).getByRole('button', { name: 'Resolve dispute' }));
  await screen.findByText('Dispute resolved.');
  expect(service.to(`POST ${path}/resolve-dispute`)[0]?.body).toEqual({
    result: 'modified',
    resolution: 'The supplier left for other reasons.',
    items: [{ id: 11, final_score: 4, final_note: 'Finance confirmed it.' }],
    revision: 1,
  });
});
