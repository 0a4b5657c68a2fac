import type { ProbationReview } from '@tenure/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { dialogOf, fill, fillDay } from '../../../../testing/acts.ts';
import { card } from '../../../../testing/people.ts';
import { probationReview, submittedReview } from '../../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../../testing/service.ts';
import { start } from '../../../../testing/start.tsx';

const path = '/api/probation-reviews/24';

beforeEach(() => sessionStorage.clear());

function open(shown: ProbationReview, search: string, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view', 'employees.view'], { name: 'Hana Ito' }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    'GET /api/probation-reviews': listOf([]),
    'GET /api/probation-reviews/upcoming': listOf([]),
    'GET /api/employees': listOf([{ ...card, id: 77, display_name: 'Hera Heir' }, card]),
    ...replies,
  });
  return {
    service,
    bodies: (call: string) => service.to(call).map(({ body }) => body),
    ...start(`/probation/24${search}`),
  };
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'No.', errors } });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const allowing = (...allowed_actions: ProbationReview['allowed_actions']) => submittedReview({ allowed_actions });

describe('steps with a reason', () => {
  test.each([
    ['send-back', 'Send back to the reviewer', 'Send back', 'Review sent back.'],
    ['cancel', 'Cancel Lena Park’s review', 'Cancel review', 'Review cancelled.'],
  ] as const)('%s sends its trimmed reason', async (step, title, action, done) => {
    const shown = allowing(step);
    const { bodies, user, where } = open(shown, `?do=${step}`, { [`POST ${path}/${step}`]: itemOf(shown) });
    const dialog = await dialogOf(title);
    fill(dialog.getByLabelText(/^Reason/), '  Say more about customers.  ');
    await user.click(dialog.getByRole('button', { name: action }));
    await screen.findByText(done);
    expect(where()).toBe('/probation/24');
    expect(bodies(`POST ${path}/${step}`)).toEqual([{ reason: 'Say more about customers.', revision: 3 }]);
  });

  test.each([
    ['', null],
    ['A number was wrong.', 'A number was wrong.'],
  ])('reverting works with and without a reason: “%s”', async (text, reason) => {
    const shown = allowing('recall');
    const { bodies, user } = open(shown, '?do=recall', { [`POST ${path}/recall`]: itemOf(shown) });
    const dialog = await dialogOf('Withdraw your review');
    fill(dialog.getByLabelText('Reason (optional)'), text);
    await user.click(dialog.getByRole('button', { name: 'Withdraw review' }));
    await screen.findByText('Review withdrawn. You can edit it now.');
    expect(bodies(`POST ${path}/recall`)).toEqual([{ reason, revision: 3 }]);
  });

  test('a review is deleted only after a confirmation, and the list is shown next', async () => {
    const { service, user, where } = open(allowing('delete'), '?do=delete', { [`DELETE ${path}`]: { status: 204 } });
    const dialog = await dialogOf('Delete Lena Park’s review?');
    expect(dialog.queryByRole('textbox')).toBeNull();
    expect(service.to(`DELETE ${path}`)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete review' }));
    await waitFor(() => expect(where()).toMatch(/^\/probation(\?|$)/));
    expect(service.to(`DELETE ${path}`)[0]?.body).toBeUndefined();
  });

  test('a review stays if the confirmation is cancelled', async () => {
    const { service, user, where } = open(allowing('delete'), '?do=delete');
    await user.click((await dialogOf(/^Delete/)).getByRole('button', { name: 'Cancel' }));
    await isGone();
    expect(where()).toBe('/probation/24');
    expect(service.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a step that the user may not take is not opened by its address', async () => {
    const { user } = open(allowing('send-back'), '?do=cancel');
    await user.click(await screen.findByRole('button', { name: 'Send back' }));
    await dialogOf('Send back to the reviewer');
    expect(screen.queryByRole('dialog', { name: /^Cancel/ })).toBeNull();
  });
});

describe('another reviewer', () => {
  const change = `PUT ${path}/reviewer`;

  test('can be any person except the employee, and is sent to the service', async () => {
    const { service, bodies, user } = open(allowing('reviewer'), '?do=reviewer');
    const dialog = await dialogOf('Change Lena Park’s reviewer');
    expect(dialog.getByText(/^The current reviewer is Omar Diaz/)).toBeDefined();
    const field = dialog.getByRole('combobox', { name: /New reviewer/ });
    await user.click(field);
    await screen.findByRole('option', { name: /Hera Heir/, hidden: true });
    expect(screen.queryByRole('option', { name: /Lena Park/, hidden: true })).toBeNull();
    await user.click(screen.getByRole('option', { name: /Hera Heir/, hidden: true }));
    service.replies[change] = itemOf(allowing('reviewer'));
    await user.click(dialog.getByRole('button', { name: 'Assign reviewer' }));
    await screen.findByText('Reviewer changed.');
    expect(bodies(change)).toEqual([{ reviewer_id: 77, revision: 3 }]);
  });

  test('an empty choice is refused at the field', async () => {
    const { user } = open({ ...allowing('reviewer'), reviewer: null }, '?do=reviewer', {
      [change]: refused({ reviewer_id: ['The reviewer field is required.'] }),
    });
    const dialog = await dialogOf('Change Lena Park’s reviewer');
    expect(dialog.getByText(/^There’s no reviewer at the moment/)).toBeDefined();
    await user.click(dialog.getByRole('button', { name: 'Assign reviewer' }));
    await dialog.findByText('The reviewer field is required.');
    expect(dialog.queryByRole('alert')).toBeNull();
  });
});

describe('days', () => {
  test('the meeting can be cleared, the deadline is changed, and both are sent', async () => {
    const shown = submittedReview({ review_date: '2099-04-20', allowed_actions: ['update'] });
    const { bodies, user } = open(shown, '?do=dates', { [`PUT ${path}`]: itemOf(shown) });
    const dialog = await dialogOf('Change dates');
    expect(dialog.getByLabelText<HTMLInputElement>('Meeting').value).toBe('20 Apr 2099');
    fill(dialog.getByLabelText('Meeting'), '');
    fill(dialog.getByLabelText(/^Assessment due/), '2099-04-28');
    await user.click(dialog.getByRole('button', { name: 'Save dates' }));
    await screen.findByText('Dates updated.');
    expect(bodies(`PUT ${path}`)).toEqual([{ review_date: null, due_date: '2099-04-28', revision: 3 }]);
  });

  test('a refused day shows the reason at its field', async () => {
    const { user } = open(allowing('update'), '?do=dates', {
      [`PUT ${path}`]: refused({ due_date: ['The due date is after the end.'], review_date: ['In the past.'] }),
    });
    const dialog = await dialogOf('Change dates');
    await user.click(dialog.getByRole('button', { name: 'Save dates' }));
    await dialog.findByText('The due date is after the end.');
    expect(dialog.getByText('In the past.')).toBeDefined();
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  test('the author of the assessment has no dialog for the dates', async () => {
    open(probationReview(), '?do=dates');
    await screen.findByRole('button', { name: 'Sign and submit' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('a decision is reverted with a new end and a reason', async () => {
    const shown = allowing('revert');
    const { bodies, user } = open(shown, '?do=revert', {
      [`POST ${path}/revert`]: refused({ reason: ['Too short.'] }),
    });
    const dialog = await dialogOf('Reverse the decision on Lena Park’s probation');
    fillDay(dialog.getByLabelText(/^New probation end date/), '2099-08-02');
    fill(dialog.getByLabelText(/^Reason/), 'Oops');
    await user.click(dialog.getByRole('button', { name: 'Reverse decision' }));
    await dialog.findByText('Too short.');
    expect(dialog.getByLabelText<HTMLInputElement>(/^New probation end date/).value).toBe('2 Aug 2099');
    expect(bodies(`POST ${path}/revert`)).toEqual([{ probation_end_date: '2099-08-02', reason: 'Oops', revision: 3 }]);
  });
});

describe('deciding', () => {
  const approve = `POST ${path}/approve`;

  test('a changed day is sent; another outcome resets it to its own default', async () => {
    const { bodies, user } = open(submittedReview(), '?do=approve', { [approve]: itemOf(submittedReview()) });
    const dialog = await dialogOf('Decide on Lena Park’s probation');
    fill(dialog.getByLabelText('Confirmed from'), '2099-06-01');
    await user.click(dialog.getByRole('radio', { name: 'End employment' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Last working day').value).toBe('21 Apr 2099');
    await user.click(dialog.getByRole('radio', { name: 'Confirm' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Confirmed from').value).toBe('3 May 2099');
    fill(dialog.getByLabelText('Confirmed from'), '2099-06-01');
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Sign and confirm' }));
    await isGone();
    expect(bodies(approve)).toEqual([
      {
        outcome: 'confirm',
        effective_date: '2099-06-01',
        hr_comments: null,
        signature: { method: 'typed', typed_name: 'Hana Ito' },
        revision: 3,
      },
    ]);
  });

  test('only an outcome other than the recommended one requires a reason', async () => {
    const { user } = open(submittedReview(), '?do=approve');
    const dialog = await dialogOf('Decide on Lena Park’s probation');
    expect(dialog.getByLabelText(/^HR comment/)).toHaveProperty('required', false);
    await user.click(dialog.getByRole('radio', { name: 'End employment' }));
    expect(dialog.getByLabelText(/^HR comment/)).toHaveProperty('required', true);
    expect(dialog.getByText('Explain why you’re not following the reviewer’s recommendation.')).toBeDefined();
  });

  test('an extension without months is refused by the service, at the months', async () => {
    const { bodies, user } = open(
      submittedReview({ recommendation: 'extend', extension_months: null }),
      '?do=approve',
      {
        [approve]: refused({ outcome_extension_months: ['The months are required.'] }),
      },
    );
    const dialog = await dialogOf('Decide on Lena Park’s probation');
    expect(dialog.queryByText(/^Lena Park’s probation will end on/)).toBeNull();
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Sign and extend' }));
    await dialog.findByText('The months are required.');
    expect(bodies(approve)[0]).toMatchObject({ outcome: 'extend', outcome_extension_months: null });
  });

  test('an emptied name is required, and no request is sent', async () => {
    const { bodies, user } = open(submittedReview(), '?do=approve');
    const dialog = await dialogOf('Decide on Lena Park’s probation');
    fill(dialog.getByLabelText(/^Your full name/), '  ');
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Sign and confirm' }));
    await dialog.findByText('Enter your name.');
    expect(bodies(approve)).toEqual([]);
  });

  test("the service's error about the name is shown at the name", async () => {
    const { user } = open(submittedReview(), '?do=approve', {
      [approve]: refused({ 'signature.typed_name': ['The name is not yours.'] }),
    });
    const dialog = await dialogOf('Decide on Lena Park’s probation');
    await user.click(dialog.getByRole('checkbox'));
    await user.click(dialog.getByRole('button', { name: 'Sign and confirm' }));
    await dialog.findByText('The name is not yours.');
    expect(dialog.getByLabelText(/^Your full name/).getAttribute('aria-invalid')).toBe('true');
    expect(dialog.getAllByText('The name is not yours.')).toHaveLength(1);
  });
});

test('the employee signs the acknowledgement unless they switch that off', async () => {
  const decided = submittedReview({
    status: 'approved',
    outcome: 'confirm',
    employee_acknowledged_at: null,
    allowed_actions: ['acknowledge'],
  });
  const { bodies, user } = open(decided, '?do=acknowledge', { [`POST ${path}/acknowledge`]: itemOf(decided) });
  const dialog = await dialogOf('Acknowledge the decision');
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  await dialog.findByText('Tick the box to confirm before you sign.');
  expect(bodies(`POST ${path}/acknowledge`)).toEqual([]);
  await user.click(dialog.getByRole('checkbox', { name: /^I have read this decision/ }));
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  await screen.findByText('Decision acknowledged.');
  expect(bodies(`POST ${path}/acknowledge`)).toEqual([
    { comment: null, signature: { method: 'typed', typed_name: 'Hana Ito' }, revision: 3 },
  ]);
});

test('the acknowledgement of an employee without a sign-in is recorded with the day and the signed sheet', async () => {
  const decided = submittedReview({
    status: 'approved',
    outcome: 'confirm',
    employee_acknowledged_at: null,
    person_signs_in: false,
    allowed_actions: ['record-acknowledgement'],
  });
  const call = `POST ${path}/record-acknowledgement`;
  const { service, user } = open(decided, '?do=record-acknowledgement', { [call]: itemOf(decided) });
  const dialog = await dialogOf('Record Lena Park’s acknowledgement');
  fill(await dialog.findByLabelText(/^Date of the conversation/), '2026-11-20');
  await user.upload(
    dialog.getByLabelText(/Signed sheet/),
    new File(['%PDF'], 'sheet.pdf', { type: 'application/pdf' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Record acknowledgement' }));
  await screen.findByText('Acknowledgement recorded.');
  expect(service.to(call)).toHaveLength(1);
});
