import type { KpiEvaluation } from '@tenure/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { dialogOf, fill } from '../../../../testing/acts.ts';
import { evaluation, evaluationItem, measuredItem, unwritten } from '../../../../testing/evaluations.ts';
import { card } from '../../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../../testing/service.ts';
import { start } from '../../../../testing/start.tsx';

const path = '/api/kpi-evaluations/9';

function open(shown: KpiEvaluation, action: string, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['kpi-evaluation.view', 'employees.view'], { employee_id: 57 }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    [`GET ${path}/evidence`]: listOf([]),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }, card]),
    ...replies,
  });
  const bodies = (call: string) => service.to(call).map(({ body }) => body);
  return { service, bodies, ...start(`/kpi/evaluations/9?do=${action}`) };
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'No.', errors } });
const allowing = (action: KpiEvaluation['allowed_actions'][number], fields: Partial<KpiEvaluation> = {}) =>
  evaluation({ allowed_actions: [action], ...fields });

describe('steps that need a confirmation', () => {
  test.each([
    ['accept', 'Accept the result?', 'Accept', 'You accepted the result.', 'pending_acceptance'],
    ['close', 'Complete Lena Park’s evaluation?', 'Complete', 'Evaluation completed.', 'accepted'],
  ] as const)('%s sends only the revision', async (step, title, action, done, status) => {
    const shown = allowing(step, { status });
    const { bodies, user, where } = open(shown, step, { [`POST ${path}/${step}`]: itemOf(shown) });
    const dialog = await dialogOf(title);
    expect(dialog.queryByRole('textbox')).toBeNull();
    await user.click(dialog.getByRole('button', { name: action }));
    await screen.findByText(done);
    expect(where()).toBe('/kpi/evaluations/9');
    expect(bodies(`POST ${path}/${step}`)).toEqual([{ revision: 1 }]);
  });
});

test('the answer of an employee without a sign-in is recorded with the day and the signed sheet', async () => {
  const shown = allowing('record-answer', { status: 'pending_acceptance', person_signs_in: false });
  const { user, service } = open(shown, 'record-answer', { [`POST ${path}/record-answer`]: itemOf(shown) });
  const dialog = await dialogOf('Record Lena Park’s response');
  fill(await dialog.findByLabelText(/^Date of the conversation/), '2026-11-20');
  await user.click(dialog.getByRole('radio', { name: 'Disputed' }));
  fill(dialog.getByLabelText(/^What do you disagree with/), 'The machine was down.');
  await user.upload(
    dialog.getByLabelText(/Signed sheet/),
    new File(['%PDF'], 'sheet.pdf', { type: 'application/pdf' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Record response' }));
  await screen.findByText('Response recorded.');
  expect(service.to(`POST ${path}/record-answer`)).toHaveLength(1);
});

test('the error of a missing sheet goes with the choice of a file, and comes back when that is refused', async () => {
  const shown = allowing('record-answer', { status: 'pending_acceptance', person_signs_in: false });
  const answer = (text: string) => refused({ file: [text] });
  const call = `POST ${path}/record-answer`;
  const { user, service } = open(shown, 'record-answer', { [call]: answer('The file field is required.') });
  const dialog = await dialogOf('Record Lena Park’s response');
  await user.click(await dialog.findByRole('button', { name: 'Record response' }));
  await dialog.findByText('The file field is required.');
  await user.upload(
    dialog.getByLabelText(/Signed sheet/),
    new File(['%PDF'], 'sheet.pdf', { type: 'application/pdf' }),
  );
  expect(dialog.queryByText('The file field is required.')).toBeNull();
  service.replies[call] = answer('The file is damaged.');
  await user.click(dialog.getByRole('button', { name: 'Record response' }));
  await dialog.findByText('The file is damaged.');
});

describe('steps that need a reason', () => {
  test.each([
    ['dispute', 'Dispute the result?', /^What do you disagree with/, 'Dispute', 'pending_acceptance'],
    ['deem-accepted', 'Mark the result as accepted?', /^Reason/, 'Mark as accepted', 'pending_acceptance'],
    ['skip-self-assessment', 'Skip the self-assessment?', /^Reason/, 'Skip self-assessment', 'self_assessment'],
    ['reopen', 'Reopen this evaluation?', /^Reason/, 'Reopen', 'completed'],
    ['restore', 'Restore this evaluation?', /^Reason/, 'Restore', 'cancelled'],
    ['force-close', 'Complete this evaluation now?', /^Reason/, 'Complete now', 'hr_review'],
    ['cancel', 'Cancel Lena Park’s evaluation?', /^Reason/, 'Cancel evaluation', 'hr_review'],
  ] as const)('%s sends the trimmed reason once', async (step, title, label, action, status) => {
    const shown = allowing(step, { status });
    const { bodies, user } = open(shown, step, { [`POST ${path}/${step}`]: itemOf(shown) });
    const dialog = await dialogOf(title);
    fill(dialog.getByLabelText(label), '  The cycle ends early. ');
    await user.click(dialog.getByRole('button', { name: action }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(bodies(`POST ${path}/${step}`)).toEqual([{ reason: 'The cycle ends early.', revision: 1 }]);
  });

  test('sending back may set a deadline', async () => {
    const shown = allowing('return', { status: 'manager_review' });
    const { bodies, user } = open(shown, 'return', { [`POST ${path}/return`]: refused({ until: ['In the past.'] }) });
    const dialog = await dialogOf('Send the self-assessment back?');
    fill(dialog.getByLabelText(/^Reason/), 'Please say more.');
    await user.click(dialog.getByRole('button', { name: 'Send back' }));
    await dialog.findByText('In the past.');
    fill(dialog.getByLabelText('Open until'), '2099-02-01');
    await user.click(dialog.getByRole('button', { name: 'Send back' }));
    await waitFor(() => expect(bodies(`POST ${path}/return`)).toHaveLength(2));
    expect(bodies(`POST ${path}/return`)).toEqual([
      { reason: 'Please say more.', until: null, revision: 1 },
      { reason: 'Please say more.', until: '2099-02-01', revision: 1 },
    ]);
  });

  test('“Not now” sends no request', async () => {
    const { service, user, where } = open(allowing('cancel'), 'cancel');
    await user.click((await dialogOf(/^Cancel Lena Park’s evaluation/)).getByRole('button', { name: 'Not now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(where()).toBe('/kpi/evaluations/9');
    expect(service.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a step that the user may not take is not opened by its address', async () => {
    open(evaluation(), 'force-close');
    await screen.findByRole('button', { name: 'Submit self-assessment' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('an extension of the deadline', () => {
  const extension = { status: 'pending', reason: 'I was ill.', until: null, note: null } as unknown;
  const asked = allowing('extension-decision', { extension: extension as KpiEvaluation['extension'] });
  const call = `POST ${path}/extension-decision`;

  test('of a reviewer names the reviewer, who asks for the review', async () => {
    const ofReview = { status: 'pending', step: 'manager_review', reason: 'I was ill.', until: null, note: null };
    const review = {
      ...asked,
      status: 'manager_review' as const,
      extension: ofReview as unknown as KpiEvaluation['extension'],
    };
    open(review, 'extension-decision', {});
    const dialog = await dialogOf(`Give ${review.reviewer?.name} more time?`);
    expect(dialog.getByText(/ requested an extension for the review and will be notified/)).toBeDefined();
  });

  test('is granted until a day, which is required', async () => {
    const { bodies, user } = open(asked, 'extension-decision', {
      [call]: refused({ until: ['The day is required.'] }),
    });
    const dialog = await dialogOf('Give Lena Park more time?');
    expect(dialog.getByText('I was ill.')).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    await dialog.findByText('The day is required.');
    fill(dialog.getByLabelText(/^Open until/), '2099-02-01');
    fill(dialog.getByLabelText('Note (optional)'), 'Get well. ');
    await user.click(dialog.getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(bodies(call)).toHaveLength(2));
    expect(bodies(call)).toEqual([
      { decision: 'approved', until: null, note: null, revision: 1 },
      { decision: 'approved', until: '2099-02-01', note: 'Get well.', revision: 1 },
    ]);
  });

  test('is refused without a day, even if one was entered before', async () => {
    const { bodies, user } = open(asked, 'extension-decision', { [call]: itemOf(evaluation()) });
    const dialog = await dialogOf('Give Lena Park more time?');
    fill(dialog.getByLabelText(/^Open until/), '2099-02-01');
    await user.click(dialog.getByRole('radio', { name: 'Decline' }));
    expect(dialog.queryByLabelText(/^Open until/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Decline' }));
    await screen.findByText('Decision sent.');
    expect(bodies(call)).toEqual([{ decision: 'rejected', until: null, note: null, revision: 1 }]);
  });
});

describe('the draft of a former reviewer', () => {
  const answer = { id: 11, manager_not_applicable: null, manager_score: 4, manager_comment: 'On time.' };
  const former_draft = {
    reviewer: 'Omar Diaz',
    at: '2026-01-20T10:00:00.000Z',
    manager_comment: null,
    strengths: 'Negotiation',
    improvements: null,
    items: [{ ...answer, manager_actual_value: null }],
  };
  const shown = allowing('former-draft', { status: 'manager_review', former_draft });
  const call = `POST ${path}/former-draft`;

  test.each([
    ['Take over', 'take'],
    ['Discard', 'discard'],
  ] as const)('is read, and “%s” decides on it', async (name, decision) => {
    const { bodies, user } = open(shown, 'former-draft', { [call]: itemOf(evaluation()) });
    const dialog = await dialogOf('Draft by the former reviewer');
    expect(dialog.getByText(/On time\.$/)).toBeDefined();
    expect(dialog.getByText('Negotiation')).toBeDefined();
    await user.click(dialog.getByRole('button', { name }));
    await screen.findByText('Your choice was saved.');
    expect(bodies(call)).toEqual([{ decision, revision: 1 }]);
  });
});

describe('another reviewer', () => {
  const call = `PUT ${path}/reviewer`;

  test('can be any person except the employee, with or without a reason', async () => {
    const shown = allowing('reviewer');
    const { bodies, user } = open(shown, 'reviewer', { [call]: itemOf(shown) });
    const dialog = await dialogOf('Change the reviewer for Lena Park');
    expect(dialog.getByText(/^Omar Diaz will lose access to this evaluation/)).toBeDefined();
    await user.click(dialog.getByRole('combobox', { name: /New reviewer/ }));
    await screen.findByRole('option', { name: /Hera Heir/, hidden: true });
    expect(screen.queryByRole('option', { name: /Lena Park/, hidden: true })).toBeNull();
    await user.click(screen.getByRole('option', { name: /Hera Heir/, hidden: true }));
    await user.click(dialog.getByRole('button', { name: 'Change reviewer' }));
    await screen.findByText('Reviewer changed.');
    expect(bodies(call)).toEqual([{ reviewer_id: 77, reason: null, revision: 1 }]);
  });

  test('an empty choice is refused at the field', async () => {
    const { user } = open(allowing('reviewer', { reviewer: null }), 'reviewer', {
      [call]: refused({ reviewer_id: ['A reviewer is required.'] }),
    });
    const dialog = await dialogOf('Change the reviewer for Lena Park');
    expect(dialog.getByText(/^This evaluation has no reviewer yet/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Change reviewer' }));
    await dialog.findByText('A reviewer is required.');
    expect(dialog.queryByRole('alert')).toBeNull();
  });
});

describe('resolving a dispute', () => {
  const call = `POST ${path}/resolve-dispute`;
  const scored = {
    self_score: 4,
    self_comment: null,
    self_actual_value: null,
    manager_score: 3,
    manager_comment: null,
  };
  const disputed = (fields: Partial<KpiEvaluation> = {}) =>
    allowing('resolve-dispute', {
      status: 'disputed',
      dispute_reason: 'The supplier was lost by finance.',
      items: [
        evaluationItem({ ...scored, final_score: null, final_note: null }),
        measuredItem({ ...scored, manager_score: 5, manager_actual_value: 92, final_score: null, final_note: null }),
        evaluationItem({ ...scored, id: 13, name: 'Training', not_applicable: true }),
      ],
      ...fields,
    });
  const title = 'Resolve Lena Park’s dispute';

  test('the result stays unless the user chooses otherwise', async () => {
    const { bodies, user } = open(disputed(), 'resolve-dispute', { [call]: itemOf(disputed()) });
    const dialog = await dialogOf(title);
    expect(dialog.getByText('The supplier was lost by finance.')).toBeDefined();
    fill(dialog.getByLabelText(/^Explanation/), 'It was looked at again.');
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    await screen.findByText('Dispute resolved.');
    expect(bodies(call)).toEqual([{ result: 'maintained', resolution: 'It was looked at again.', revision: 1 }]);
  });

  test('a score changed back is not sent, and a non-applicable item has none', async () => {
    const { bodies, user } = open(disputed(), 'resolve-dispute', { [call]: refused({ items: ['Change something.'] }) });
    const dialog = await dialogOf(title);
    await user.click(dialog.getByRole('radio', { name: /^Change scores/ }));
    expect(dialog.queryByRole('group', { name: 'Final score for Training' })).toBeNull();
    const savings = within(dialog.getByRole('group', { name: 'Final score for Savings' }));
    expect(savings.getByRole('radio', { name: '3' })).toHaveProperty('checked', true);
    await user.click(savings.getByRole('radio', { name: '5' }));
    expect(dialog.getByLabelText(/^Reason for changing 3/)).toBeDefined();
    await user.click(savings.getByRole('radio', { name: '3' }));
    expect(dialog.queryByLabelText(/^Reason for changing/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Change something.');
    expect(bodies(call)[0]).toMatchObject({ result: 'modified', items: [] });
  });

  test('each changed score asks for its reason before anything is sent', async () => {
    const { bodies, user } = open(disputed(), 'resolve-dispute', {
      [call]: refused({ 'items.0.final_note': ['Too long.'], resolution: ['Say more.'] }),
    });
    const dialog = await dialogOf(title);
    await user.click(dialog.getByRole('radio', { name: /^Change scores/ }));
    const orders = within(dialog.getByRole('group', { name: 'Final score for Orders' }));
    await user.click(orders.getByRole('radio', { name: '4' }));
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    await dialog.findByText('Say why you changed this score.');
    const note = dialog.getByLabelText(/^Reason for changing 5/);
    expect(note.getAttribute('aria-invalid')).toBe('true');
    expect(bodies(call)).toEqual([]);
    fill(note, 'Finance confirmed it.');
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    await dialog.findByText('Too long.');
    expect(dialog.getByLabelText(/^Explanation/).getAttribute('aria-invalid')).toBe('true');
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  test('a corrected actual value is sent with its reason; the service computes the score', async () => {
    const { bodies, user } = open(disputed(), 'resolve-dispute', { [call]: itemOf(disputed()) });
    const dialog = await dialogOf(title);
    await user.click(dialog.getByRole('radio', { name: /^Change scores/ }));
    expect(dialog.queryByLabelText('Correct actual value of Savings')).toBeNull();
    expect(dialog.getByText('Self-assessment: 4 · Manager review: 5 (92 pcs)')).toBeDefined();
    fill(dialog.getByLabelText('Correct actual value of Orders'), '92.5');
    expect(dialog.queryByRole('group', { name: 'Final score for Orders' })).toBeNull();
    expect(dialog.getByText('The new result is calculated from the corrected values.')).toBeDefined();
    fill(dialog.getByLabelText(/^Reason for changing 5/), 'By the register.');
    fill(dialog.getByLabelText(/^Explanation/), 'It was looked at again.');
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    await screen.findByText('Dispute resolved.');
    expect(bodies(call)[0]).toMatchObject({
      result: 'modified',
      items: [{ id: 12, final_actual_value: 92.5, final_note: 'By the register.' }],
    });
  });

  test('both sides’ scores and the evidence are in view, and the new result follows each score', async () => {
    const piece = {
      id: 70,
      item_id: 11,
      stage: 'self',
      note: null,
      url: 'https://intranet.example/orders',
      file_name: null,
      size: null,
      scan_status: null,
      uploaded_by: { user_id: 5, name: 'Lena Park' },
      download_url: null,
      created_at: '2026-01-05T08:00:00.000Z',
      allowed_actions: [],
    };
    const { user } = open(disputed({ overall_score: 3.8, overall_percentage: 76 }), 'resolve-dispute', {
      [`GET ${path}/evidence`]: listOf([piece]),
    });
    const dialog = await dialogOf(title);
    const savings = within(dialog.getByRole('region', { name: 'Savings' }));
    expect(savings.getByText('Self-assessment: 4 · Manager review: 3')).toBeDefined();
    await savings.findByRole('link', { name: 'https://intranet.example/orders' });
    await user.click(dialog.getByRole('radio', { name: /^Change scores/ }));
    expect(dialog.getByText('Result: 3.80 (76%) → 3.80 (76%)')).toBeDefined();
    await user.click(savings.getByRole('radio', { name: '5' }));
    expect(dialog.getByText('Result: 3.80 (76%) → 5.00 (100%)')).toBeDefined();
  });

  test('the review is repeated once, until a day if one is given', async () => {
    const { bodies, user } = open(disputed(), 'resolve-dispute', { [call]: itemOf(disputed()) });
    const dialog = await dialogOf(title);
    await user.click(dialog.getByRole('radio', { name: /^Ask for a new review/ }));
    fill(dialog.getByLabelText('Open until'), '2099-03-01');
    fill(dialog.getByLabelText(/^Explanation/), 'The figures are wrong.');
    await user.click(dialog.getByRole('button', { name: 'Resolve dispute' }));
    await screen.findByText('Dispute resolved.');
    expect(bodies(call)).toEqual([
      { result: 'returned', resolution: 'The figures are wrong.', until: '2099-03-01', revision: 1 },
    ]);
  });

  test('a second repetition is not offered', async () => {
    open(disputed({ dispute_returned: true }), 'resolve-dispute');
    const dialog = await dialogOf(title);
    expect(dialog.getAllByRole('radio')).toHaveLength(2);
    expect(dialog.queryByRole('radio', { name: /^Ask for a new review/ })).toBeNull();
  });
});

describe('submitting', () => {
  const complete = (fields: Partial<KpiEvaluation> = {}) =>
    evaluation({
      items: [evaluationItem({ ...unwritten, self_score: 4 }), measuredItem({ ...unwritten, self_actual_value: 9 })],
      ...fields,
    });

  test('answers that the service misses are listed by item, each with a link', async () => {
    const { user, where } = open(complete(), 'self-assessment', {
      [`POST ${path}/self-assessment`]: refused({
        'items.1.self_actual_value': ['The item 2 actual value field is required.'],
      }),
    });
    const dialog = await dialogOf('Submit your self-assessment?');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    const missing = within(await dialog.findByRole('alert'));
    expect(missing.getByRole('listitem').textContent).toContain('The Actual value field is required.');
    await user.click(missing.getByRole('link', { name: 'Orders' }));
    await waitFor(() => expect(where()).toBe('/kpi/evaluations/9?item=12'));
  });

  test('a refusal that concerns no item is shown above the list', async () => {
    const { user } = open(complete(), 'self-assessment', {
      [`POST ${path}/self-assessment`]: refused({ status: ['The time is over.'] }),
    });
    const dialog = await dialogOf('Submit your self-assessment?');
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('The time is over.');
  });

  test('a score below the self-assessment without a comment is pointed out, but can be submitted', async () => {
    const given = { ...unwritten, manager_actual_value: null };
    const lowered = { ...given, self_score: 4, manager_score: 2, manager_comment: null };
    const said = { ...given, id: 13, name: 'Training', self_score: 4, manager_score: 2, manager_comment: 'Too late.' };
    const shown = allowing('manager-review', {
      status: 'manager_review',
      allowed_actions: ['update', 'manager-review'],
      manager_comment: null,
      items: [evaluationItem(lowered), evaluationItem(said)],
    });
    const { bodies, user } = open(shown, 'manager-review', { [`POST ${path}/manager-review`]: itemOf(shown) });
    const dialog = await dialogOf('Submit the review of Lena Park?');
    expect(dialog.getByText(/^This score is lower than the self-assessment/)).toBeDefined();
    expect(dialog.getByRole('link', { name: 'Savings' })).toBeDefined();
    expect(dialog.queryByRole('link', { name: 'Training' })).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Submit' }));
    await screen.findByText('Review submitted.');
    expect(bodies(`POST ${path}/manager-review`)).toEqual([{ revision: 1 }]);
  });

  test('HR gives the result with comment and flag, and a reason only if required', async () => {
    const shown = allowing('hr-review', {
      status: 'hr_review',
      allowed_actions: ['update', 'hr-review'],
      suggested_flag: 'standard',
      performance_flag: 'standard',
      hr_comment: ' Agreed. ',
      flag_reason: null,
    });
    const { bodies, user } = open(shown, 'hr-review', { [`POST ${path}/hr-review`]: itemOf(shown) });
    const dialog = await dialogOf('Release the result to Lena Park?');
    await user.click(dialog.getByRole('button', { name: 'Release result' }));
    await screen.findByText('Result released.');
    expect(bodies(`POST ${path}/hr-review`)).toEqual([
      { hr_comment: 'Agreed.', performance_flag: 'standard', flag_reason: null, revision: 1 },
    ]);
  });
});
