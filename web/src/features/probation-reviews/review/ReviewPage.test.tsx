import type { ProbationReview } from '@tenure/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { managerSignature, probationReview, submittedReview } from '../../../testing/probation.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const path = '/api/probation-reviews/24';

const open = (shown: ProbationReview, replies: Parameters<typeof serve>[0] = {}, search = '') => {
  const service = serve({
    'GET /api/me': signedInAs(['probation-review.view', 'employees.view'], { name: 'Omar Diaz' }),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${path}`]: itemOf(shown),
    'GET /api/probation-reviews': listOf([shown]),
    ...replies,
  });
  return { service, ...start(`/probation/24${search}`) };
};

const whole = { performance_rating: 4, comments: 'Ready', recommendation: 'confirm' } as const;

test('an assessment is saved automatically, and the last input is saved before signing and submitting', async () => {
  const begun = probationReview({ recommendation: 'confirm' });
  const rated = { ...begun, revision: 2, performance_rating: 4 };
  const written = { ...rated, revision: 3, comments: 'Ready' };
  let saves = 0;
  const { service, user } = open(begun, {
    [`PUT ${path}`]: () => itemOf((saves += 1) === 1 ? rated : written),
    [`POST ${path}/submit`]: itemOf(submittedReview({ allowed_actions: ['recall'] })),
  });
  await user.click(await screen.findByRole('radio', { name: '4 – good' }));
  await screen.findByText(/^Saved \d\d:\d\d$/);
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ performance_rating: 4, revision: 1 });
  await user.type(screen.getByLabelText(/^Overall assessment/), 'Ready');
  await user.click(screen.getByRole('button', { name: 'Sign and submit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Submit Lena Park’s review' }));
  await user.click(dialog.getByRole('button', { name: 'Sign and submit' }));
  dialog.getByText('Tick the box to confirm before you sign.');
  expect(service.to(`POST ${path}/submit`)).toEqual([]);
  await user.click(dialog.getByRole('checkbox', { name: 'I have read this assessment and sign it.' }));
  await user.click(dialog.getByRole('button', { name: 'Sign and submit' }));
  await screen.findByText('Review submitted.');
  expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ comments: 'Ready', revision: 2 });
  expect(service.to(`POST ${path}/submit`)[0]?.body).toEqual({
    signature: { method: 'typed', typed_name: 'Omar Diaz' },
    revision: 3,
  });
});

test('a criterion is added with a name and the remaining weight, and criteria are sent as a set', async () => {
  const { service, user } = open(probationReview(), { [`PUT ${path}`]: itemOf(probationReview({ revision: 2 })) });
  await user.type(await screen.findByLabelText('New criterion'), 'Teamwork{Enter}');
  await user.clear(screen.getByLabelText('Weight of Criterion 1'));
  await user.type(screen.getByLabelText('Weight of Criterion 1'), '60');
  screen.getByText('40% unallocated');
  await user.type(screen.getByLabelText('New criterion'), 'Quality{Enter}');
  await waitFor(() => expect(screen.getAllByText('Complete').length).toBeGreaterThan(0));
  const first = within(screen.getByRole('group', { name: 'Rating: Teamwork' }));
  await user.click(first.getByRole('radio', { name: '5' }));
  await waitFor(() =>
    expect(service.to(`PUT ${path}`).at(-1)?.body).toMatchObject({
      criteria: [
        { name: 'Teamwork', weight: 60, rating: 5, comment: null },
        { name: 'Quality', weight: 40, rating: null, comment: null },
      ],
    }),
  );
});

const criterion = (name: string, weight: number) => ({ name, weight, rating: null, comment: null });

test('undoing a removal or a distribution keeps later input', async () => {
  const criteria = [criterion('Teamwork', 60), criterion('Quality', 40)];
  const { user } = open(probationReview({ criteria }), {
    [`PUT ${path}`]: itemOf(probationReview({ revision: 2, criteria })),
  });
  await user.click(await screen.findByRole('button', { name: 'Remove Teamwork' }));
  await user.type(screen.getByLabelText('Comment on Quality'), 'Careful');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getByLabelText<HTMLInputElement>('Weight of Criterion 1').value).toBe('60');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Comment on Quality').value).toBe('Careful');
  await user.click(screen.getByRole('button', { name: 'Distribute evenly' }));
  expect(screen.getByLabelText<HTMLInputElement>('Weight of Criterion 1').value).toBe('50.00');
  await user.type(screen.getByLabelText('Comment on Quality'), ' indeed');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(screen.getByLabelText<HTMLInputElement>('Weight of Criterion 1').value).toBe('60');
  expect(screen.getByLabelText<HTMLTextAreaElement>('Comment on Quality').value).toBe('Careful indeed');
});

test('a typed criterion that was not added is submitted with the review', async () => {
  const { service, user } = open(probationReview(), {
    [`PUT ${path}`]: itemOf(probationReview({ revision: 2, criteria: [criterion('Teamwork', 100)] })),
  });
  await user.type(await screen.findByLabelText('New criterion'), 'T');
  await user.click(screen.getByRole('button', { name: 'Sign and submit' }));
  screen.getByText('Enter a name with at least two letters.');
  expect(document.activeElement).toBe(screen.getByLabelText('New criterion'));
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('eamwork');
  await user.click(screen.getByRole('button', { name: 'Sign and submit' }));
  await screen.findByRole('dialog', { name: 'Submit Lena Park’s review' });
  expect(service.to(`PUT ${path}`).at(-1)?.body).toMatchObject({ criteria: [{ name: 'Teamwork', weight: 100 }] });
});

test('an extension requires its months and shows the new end of the probation', async () => {
  const { service, user } = open(probationReview(), { [`PUT ${path}`]: itemOf(probationReview({ revision: 2 })) });
  await user.click(await screen.findByRole('radio', { name: 'Extend' }));
  await user.click(
    within(screen.getByRole('group', { name: 'Extension in months' })).getByRole('radio', { name: '3' }),
  );
  expect((await screen.findByText(/^The probation would end on/)).textContent).toContain('2 Aug 2099');
  await user.click(screen.getByRole('radio', { name: 'Confirm' }));
  expect(screen.queryByRole('group', { name: 'Extension in months' })).toBeNull();
  await waitFor(() => expect(service.to(`PUT ${path}`).at(-1)?.body).toMatchObject({ recommendation: 'confirm' }));
});

test('a conflict with another tab shows both versions, and the choice is saved', async () => {
  const theirs = probationReview({ revision: 5, performance_rating: 5 });
  let read = 0;
  const { service, user } = open(probationReview(), {
    [`GET ${path}`]: () => itemOf((read += 1) === 1 ? probationReview() : theirs),
    [`PUT ${path}`]: ({ body }) =>
      (body as { revision: number }).revision === 5
        ? itemOf({ ...theirs, revision: 6, performance_rating: 2 })
        : { status: 422, body: { message: 'Changed.', status: 'pending', revision: 5 } },
  });
  await user.click(await screen.findByRole('radio', { name: '2 – below expectations' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Someone else edited this too' }));
  dialog.getByText('5 – outstanding');
  await user.click(dialog.getByRole('button', { name: 'Save selection' }));
  await waitFor(() => expect(service.to(`PUT ${path}`).at(-1)?.body).toEqual({ performance_rating: 2, revision: 5 }));
});

test('HR decides: the default day is preset, the consequences are shown, and the decision is signed', async () => {
  const { service, user } = open(submittedReview(), { [`POST ${path}/approve`]: itemOf(submittedReview()) });
  await user.click(await screen.findByRole('button', { name: 'Decide' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide on Lena Park’s probation' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Confirmed from').value).toBe('3 May 2099');
  dialog.getByText(/^Lena Park’s employment will be confirmed from 3 May 2099\. Nothing changes until then/);
  await user.click(dialog.getByRole('radio', { name: 'Extend' }));
  await user.click(within(dialog.getByRole('group', { name: 'Months' })).getByRole('radio', { name: '2' }));
  dialog.getByText(/^Lena Park’s probation will end on 2 July 2099/);
  await user.type(dialog.getByLabelText(/^HR comment/), 'A little more time.');
  await user.click(dialog.getByRole('checkbox', { name: /^I have read the assessment/ }));
  await user.click(dialog.getByRole('button', { name: 'Sign and extend' }));
  await screen.findByText('Decision recorded.');
  expect(service.to(`POST ${path}/approve`)[0]?.body).toEqual({
    outcome: 'extend',
    outcome_extension_months: 2,
    hr_comments: 'A little more time.',
    signature: { method: 'typed', typed_name: 'Omar Diaz' },
    revision: 3,
  });
});

test("the default effective day is the company's, and only another one is sent", async () => {
  const { service, user } = open(submittedReview({ today: '2099-06-09' }), {
    [`POST ${path}/approve`]: itemOf(submittedReview()),
  });
  await user.click(await screen.findByRole('button', { name: 'Decide' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Decide on Lena Park’s probation' }));
  dialog.getByText(/^Lena Park’s employment is confirmed from 3 May 2099\.$/);
  await user.click(dialog.getByRole('radio', { name: 'End employment' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Last working day').value).toBe('9 Jun 2099');
  await user.type(dialog.getByLabelText(/^HR comment/), 'It did not work out.');
  await user.click(dialog.getByRole('checkbox', { name: /^I have read the assessment/ }));
  await user.click(dialog.getByRole('button', { name: 'Sign and end employment' }));
  await screen.findByText('Decision recorded.');
  expect(service.to(`POST ${path}/approve`)[0]?.body).not.toHaveProperty('effective_date');
});

test('sending back requires a reason, and a refusal is shown at its field', async () => {
  const errors = { reason: ['The reason field must be at least 10 characters.'] };
  const { user } = open(submittedReview(), {
    [`POST ${path}/send-back`]: { status: 422, body: { message: 'No.', errors } },
  });
  await user.click(await screen.findByRole('button', { name: 'Send back' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send back to the reviewer' }));
  await user.type(dialog.getByLabelText(/^Reason/), 'Short');
  await user.click(dialog.getByRole('button', { name: 'Send back' }));
  expect(await dialog.findByText('The reason field must be at least 10 characters.')).toBeTruthy();
});

test('the employee acknowledges with a comment, with or without a signature', async () => {
  const decided = submittedReview({
    status: 'approved',
    outcome: 'confirm',
    effective_date: '2099-05-03',
    decided_at: '2026-04-22T09:00:00.000Z',
    decided_by: { user_id: 7, name: 'Hana Ito' },
    employee_acknowledged_at: null,
    employee_comment: null,
    allowed_actions: ['acknowledge'],
  });
  const { service, user } = open(decided, {
    'GET /api/me': signedInAs(['probation-review.view'], { name: 'Lena Park', employee_id: decided.employee.id }),
    [`POST ${path}/acknowledge`]: itemOf(decided),
  });
  await screen.findByRole('heading', { level: 1, name: 'Your probation' });
  const letter = await screen.findByRole('link', { name: 'Confirmation letter (PDF)' });
  expect(letter.getAttribute('href')).toBe('/api/probation-reviews/24/letter');
  await user.click(screen.getByRole('button', { name: 'Acknowledge decision' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Acknowledge the decision' }));
  await user.type(dialog.getByLabelText('Comment (optional)'), 'Thank you.');
  await user.click(dialog.getByRole('switch', { name: 'Add my signature' }));
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  await waitFor(() =>
    expect(service.to(`POST ${path}/acknowledge`)[0]?.body).toEqual({ comment: 'Thank you.', revision: 3 }),
  );
});

test.each([
  ['confirm', '2099-05-03', null, 'Employment confirmed from 3 May 2099', 'Nothing changes until then.'],
  ['confirm', '2099-04-01', null, 'Employment confirmed from 1 Apr 2099', undefined],
  ['extend', '2099-05-03', 3, 'Probation extended to 2 Aug 2099', /^The next review will be created/],
  ['terminate', '2099-04-21', null, 'Employment ends on 21 Apr 2099', /^That is the last working day/],
  ['terminate', '2099-04-20', null, 'Employment ended on 20 Apr 2099', undefined],
] as const)('the outcome %s from %s comes first', async (outcome, effective_date, months, title, next) => {
  open(
    submittedReview({
      status: 'approved',
      outcome,
      effective_date,
      outcome_extension_months: months,
      extended_until: outcome === 'extend' ? '2099-08-02' : null,
      decided_at: '2026-04-22T09:00:00.000Z',
      decided_by: { user_id: 7, name: 'Hana Ito' },
      employee_acknowledged_at: null,
      allowed_actions: [],
    }),
  );
  const card = await screen.findByRole('region', { name: title });
  expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe(title);
  within(card).getByText(/^Decided by Hana Ito on 22 Apr 2026/);
  within(card).getByText('Lena Park hasn’t acknowledged the decision yet.');
  if (next) within(card).getByText(next);
  else expect(within(card).queryByText(/until then|last working day/)).toBeNull();
});

test('an acknowledgement on paper says who recorded it, and links the signed sheet', async () => {
  const decided = submittedReview({
    status: 'approved',
    outcome: 'confirm',
    effective_date: '2099-05-03',
    decided_at: '2026-04-22T09:00:00.000Z',
    person_signs_in: false,
    employee_acknowledged_at: '2026-04-24T09:00:00.000Z',
    talked_on: '2026-04-23',
    acknowledgement_recorded_by: { user_id: 25, name: 'Omar Diaz' },
    sheet: {
      file_name: 'sheet.pdf',
      mime_type: 'application/pdf',
      size: 900,
      checksum: 'a'.repeat(64),
      scan_status: 'not_scanned',
      download_url: '/api/probation-reviews/24/sheet',
    },
    allowed_actions: [],
  });
  open(decided);
  await screen.findByText(
    /^Acknowledged on paper after a conversation on 23 Apr 2026. Recorded by Omar Diaz on 24 Apr 2026/,
  );
  const link = screen.getByRole('link', { name: 'Signed sheet (sheet.pdf)' });
  expect(link.getAttribute('href')).toContain('/api/probation-reviews/24/sheet');
});

test.each([
  [[], 'Lena Park has no sign-in. The reviewer or HR records the acknowledgement.'],
  [['record-acknowledgement'], /^Lena Park has no sign-in. Discuss the result/],
])('without a sign-in it says who records the acknowledgement: %s', async (allowed_actions, text) => {
  open(
    submittedReview({
      status: 'approved',
      outcome: 'confirm',
      effective_date: '2099-05-03',
      decided_at: '2026-04-22T09:00:00.000Z',
      person_signs_in: false,
      employee_acknowledged_at: null,
      allowed_actions,
    }),
  );
  expect(await screen.findByText(text)).toBeDefined();
});

test('a reverted decision is only in the history', async () => {
  open(
    submittedReview({
      status: 'reverted',
      outcome: 'confirm',
      decided_at: '2026-04-22T09:00:00.000Z',
      allowed_actions: [],
    }),
  );
  await screen.findByText('Review record (PDF)');
  expect(screen.queryByText('Confirmation letter (PDF)')).toBeNull();
});

test('a valid signature is not requested again, and an invalid one is marked', async () => {
  const shown = probationReview({
    ...whole,
    round: 2,
    signatures: [
      managerSignature({ id: 90, round: 2 }),
      managerSignature({ valid: false, voided_at: '2026-04-22T09:00:00.000Z' }),
    ],
  });
  const { service, user } = open(shown, { [`POST ${path}/submit`]: itemOf(submittedReview()) });
  await screen.findByText('No longer valid');
  await user.click(screen.getByRole('button', { name: 'Sign and submit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Submit Lena Park’s review' }));
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Sign and submit' }));
  await waitFor(() => expect(service.to(`POST ${path}/submit`)[0]?.body).toEqual({ revision: 1 }));
});

test('a read-only user sees why, and hidden parts are not mentioned', async () => {
  const {
    performance_rating: _r,
    comments: _c,
    strengths: _s,
    signatures: _g,
    extensions: _e,
    ...rest
  } = probationReview({ allowed_actions: [] });
  open(rest);
  await screen.findByText('Read-only while Omar Diaz writes the assessment.');
  screen.getByText('The assessment hasn’t been submitted yet.');
  expect(screen.queryByText('Signatures')).toBeNull();
  expect(screen.queryByText('Extensions')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Sign and submit' })).toBeNull();
});

test.each([
  ['The criterion 1 rating field is required.', 'Teamwork: The rating field is required.'],
  ['„Note (Kriterium 1)“ ist erforderlich.', 'Teamwork: „rating“ ist erforderlich.'],
])('an error in a criterion is shown with its name when submitting: %s', async (sent, shown) => {
  const criteria = [{ name: 'Teamwork', weight: 100, rating: 3, comment: null }];
  const errors = { 'criteria.0.rating': [sent] };
  const { user } = open(
    probationReview({ ...whole, criteria, round: 2, signatures: [managerSignature({ round: 2 })] }),
    { [`POST ${path}/submit`]: { status: 422, body: { message: 'No.', errors } } },
    '?do=submit',
  );
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Sign and submit' }));
  const message = await screen.findByText(shown);
  expect(screen.queryByText(/criteria\.0/)).toBeNull();
  expect(message.closest('[role=alert]')).toBeTruthy();
});

test.each(['submit', 'signatures'])('missing input is listed before signing, with a link: %s', async (action) => {
  const criteria = [
    { name: 'Teamwork', weight: 60, rating: null, comment: null },
    { name: 'Care', weight: 30, rating: 3, comment: null },
  ];
  const { service, user } = open(probationReview({ criteria, recommendation: 'extend' }), {}, `?do=${action}`);
  const asked = await screen.findByRole('dialog');
  within(asked).getByText('Complete 5 items before you sign:');
  expect(
    within(asked)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Add a rating',
    'Rate “Teamwork”',
    'Make the criteria weights add up to 100%',
    'Write an overall assessment',
    'Enter how many months to extend by',
  ]);
  expect(within(asked).queryByRole('button', { name: /^Sign/ })).toBeNull();
  expect(within(asked).queryByRole('checkbox')).toBeNull();
  await user.click(within(asked).getByRole('button', { name: 'Write an overall assessment' }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Overall assessment/)));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(service.asked.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('criteria that HR fixed can be rated and commented on, not changed', async () => {
  const { service, user } = open(probationReview({ criteria: [criterion('Care', 100)], criteria_fixed: true }));
  await screen.findByText('Set by HR. Rate each one.');
  expect(screen.queryByLabelText('New criterion')).toBeNull();
  expect(screen.queryByLabelText('Weight of Criterion 1')).toBeNull();
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  await user.click(within(screen.getByRole('group', { name: 'Rating: Care' })).getByRole('radio', { name: '5' }));
  await waitFor(() =>
    expect(service.to(`PUT ${path}`).at(-1)?.body).toMatchObject({
      criteria: [{ name: 'Care', weight: 100, rating: 5 }],
    }),
  );
});

test('a review is printed with who printed it and when, without the links that lead elsewhere', async () => {
  const printing = vi.fn<() => void>();
  vi.stubGlobal('print', printing);
  const { user } = open(submittedReview({ allowed_actions: [], signatures: [managerSignature()] }));
  await user.click(await screen.findByRole('button', { name: 'Print' }));
  expect(printing).toHaveBeenCalledOnce();
  const line = await screen.findByText(/^Printed by/);
  expect(line.textContent).toMatch(/^Printed by Omar Diaz on \d+ \w+ \d{4}, \d\d:\d\d\./);
  const before = line.querySelector('time')?.dateTime ?? '';
  fireEvent(window, new Event('beforeprint'));
  expect((line.querySelector('time')?.dateTime ?? '') >= before).toBe(true);
  for (const name of ['All reviews', 'Verify signatures'])
    expect(screen.getByRole('link', { name }).closest('[data-screen]')).not.toBeNull();
});
