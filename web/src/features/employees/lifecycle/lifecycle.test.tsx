import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dialogOf, fill, fillDay, pick } from '../../../testing/acts.ts';
import { complete } from '../../../testing/people.ts';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const empty = {
  departments_managed: 0,
  departments_led: 0,
  direct_reports: 0,
  open_evaluations: 0,
  open_probation_reviews: 0,
  cycles_owned: 0,
};
const steps = [
  'update',
  'job-history',
  'confirm',
  'extend-probation',
  'correct-probation',
  'separate',
  'withdraw-separation',
  'rehire',
  'deactivate',
  'reactivate',
  'restore',
  'delete',
  'reset-password',
];
const lena = { ...complete, allowed_actions: steps, responsibilities: empty };
const person = '/api/employees/57';
const free = { possible: true, message: null };

function service(record: object = lena, replies: Parameters<typeof serve>[0] = {}) {
  return serve({
    'GET /api/me': signedInAs(['employees.view', 'employees.update', 'employees.deactivate']),
    'GET /api/profile': itemOf({ user: { preferences: {} }, employee: null, roles: [], permissions: [] }),
    [`GET ${person}`]: itemOf(record),
    [`GET ${person}/job-history`]: listOf([]),
    [`GET ${person}/consequences`]: itemOf({ delete: free, deactivate: free, items: [] }),
    'GET /api/employees': listOf([{ ...complete, id: 23, display_name: 'Omar Diaz' }]),
    'GET /api/departments': listOf([
      { id: 4, name: 'Purchasing' },
      { id: 6, name: 'Sales' },
    ]),
    'GET /api/entities': listOf([{ id: 1, name: 'Acme Foods Ltd' }]),
    'GET /api/saved-views': listOf([]),
    ...replies,
  });
}

const refused = (errors: Record<string, string[]>) => ({ status: 422, body: { message: 'Wrong.', errors } });
const isGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

beforeEach(() => sessionStorage.clear());

describe('the end of an employment', () => {
  const separate = `POST ${person}/separate`;

  test('filled fields are sent, empty ones are not', async () => {
    const served = service(lena, { [separate]: itemOf(lena) });
    const { user, where } = start('/employees/57?do=separate');
    const dialog = await dialogOf('End Lena Park’s employment');
    await user.click(dialog.getByRole('button', { name: 'Terminated' }));
    fill(dialog.getByLabelText(/^Last working day/), '2099-05-31');
    fill(dialog.getByLabelText(/^Reason/), 'The shop closes.');
    expect(dialog.queryByRole('combobox', { name: /Who takes over/ })).toBeNull();
    expect(dialog.queryByLabelText('Open evaluations')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'End employment' }));
    await screen.findByText('Lena Park’s departure was recorded.');
    await waitFor(() => expect(where()).toBe('/employees/57'));
    expect(served.to(separate).map(({ body }) => body)).toEqual([
      { type: 'terminated', last_working_date: '2099-05-31', reason: 'The shop closes.', revision: 1 },
    ]);
  });

  test('responsibilities and open evaluations require a successor and a decision', async () => {
    const busy = { ...lena, responsibilities: { ...empty, direct_reports: 2, open_evaluations: 1 } };
    const served = service(busy, { [separate]: itemOf(busy) });
    const { user } = start('/employees/57?do=separate');
    const dialog = await dialogOf('End Lena Park’s employment');
    fill(dialog.getByLabelText('Notice date'), '2099-04-01');
    fill(dialog.getByLabelText(/^Last working day/), '2099-05-31');
    await pick(user, dialog.getByRole('combobox', { name: /Who takes over/ }), /Omar Diaz/);
    await user.selectOptions(dialog.getByLabelText('Open evaluations'), 'Cancel them');
    fill(dialog.getByLabelText(/^Reason/), 'Found another job.');
    await user.click(dialog.getByRole('button', { name: 'End employment' }));
    await isGone();
    expect(served.to(separate)[0]?.body).toEqual({
      type: 'resigned',
      notice_date: '2099-04-01',
      last_working_date: '2099-05-31',
      reason: 'Found another job.',
      reassign_to: 23,
      evaluations: 'cancel',
      revision: 1,
    });
  });

  test.each([
    ['2099-05-31', /keeps access through their last working day/],
    ['2020-05-31', /will be signed out and won’t be able to sign in/],
  ])('a last working day of %s shows its consequences', async (day, consequence) => {
    service();
    start('/employees/57?do=separate');
    const dialog = await dialogOf('End Lena Park’s employment');
    fill(dialog.getByLabelText(/^Last working day/), day);
    expect(dialog.getByText(consequence)).toBeDefined();
  });

  test('each refused field shows the reason, the input stays, and closing changes nothing', async () => {
    const errors = {
      last_working_date: ['The last working day is before the first.'],
      notice_date: ['The notice lies ahead.'],
      reason: ['The reason is too short.'],
    };
    const served = service(lena, { [separate]: refused(errors) });
    const { user } = start('/employees/57?do=separate');
    const dialog = await dialogOf('End Lena Park’s employment');
    fillDay(dialog.getByLabelText(/^Last working day/), '2019-01-01');
    fill(dialog.getByLabelText(/^Reason/), 'Gone');
    await user.click(dialog.getByRole('button', { name: 'End employment' }));
    for (const [message] of Object.values(errors)) await dialog.findByText(message ?? '');
    expect(dialog.getByLabelText<HTMLInputElement>(/^Last working day/).value).toBe('1 Jan 2019');
    expect(dialog.getByLabelText(/^Last working day/).getAttribute('aria-invalid')).toBe('true');
    expect(dialog.queryByRole('alert')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await isGone();
    expect(served.to(separate)).toHaveLength(1);
  });
});

describe('steps that need a reason', () => {
  test.each([
    ['withdraw-separation', 'Cancel Lena Park’s departure', 'Cancel departure', 'was cancelled'],
    ['reactivate', 'End Lena Park’s suspension', 'End suspension', 'Lena Park’s suspension has ended.'],
    ['restore', 'Restore Lena Park', 'Restore', 'Lena Park was restored.'],
  ])('%s sends the reason with the revision', async (step, title, action, done) => {
    const served = service(lena, { [`POST ${person}/${step}`]: itemOf(lena) });
    const { user, where } = start(`/employees/57?do=${step}`);
    const dialog = await dialogOf(title);
    fill(dialog.getByLabelText(/^Reason/), 'Changed their mind.');
    await user.click(dialog.getByRole('button', { name: action }));
    await screen.findByText(new RegExp(done));
    await waitFor(() => expect(where()).toBe('/employees/57'));
    expect(served.to(`POST ${person}/${step}`)[0]?.body).toEqual({ reason: 'Changed their mind.', revision: 1 });
  });

  test('a step that another user took already is refused above the form', async () => {
    service(lena, {
      [`POST ${person}/reactivate`]: {
        status: 422,
        body: { message: 'No.', errors: { status: ['The person is active already.'] }, status: 'active', revision: 2 },
      },
    });
    const { user } = start('/employees/57?do=reactivate');
    const dialog = await dialogOf('End Lena Park’s suspension');
    fill(dialog.getByLabelText(/^Reason/), 'Back from leave.');
    await user.click(dialog.getByRole('button', { name: 'End suspension' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('The person is active already.');
    expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Back from leave.');
  });

  test('a step that the service does not allow is not opened by its address', async () => {
    service({ ...lena, allowed_actions: ['update', 'confirm'] });
    const { user } = start('/employees/57?do=restore');
    await user.click(await screen.findByRole('button', { name: 'Actions' }));
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toContain(
      'Confirm employment…',
    );
    expect(screen.queryByRole('menuitem', { name: /Restore/ })).toBeNull();
    expect(screen.queryByRole('dialog', { name: 'Restore Lena Park' })).toBeNull();
  });
});

describe('probation', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-04-20T10:00:00Z') }));
  afterEach(() => void vi.useRealTimers());

  test('an extension defaults to three months from the last day of whole months, and needs a reason', async () => {
    const extend = `POST ${person}/extend-probation`;
    const served = service(lena, { [extend]: itemOf(lena) });
    const { user } = start('/employees/57?do=extend-probation');
    const dialog = await dialogOf('Extend Lena Park’s probation');
    const day = dialog.getByLabelText<HTMLInputElement>(/^New end date/);
    expect(day.value).toBe('2 Aug 2026');
    await user.click(dialog.getByRole('button', { name: '+6 months' }));
    expect(day.value).toBe('2 Nov 2026');
    await user.click(dialog.getByRole('button', { name: '+1 month' }));
    fill(dialog.getByLabelText(/^Reason/), 'Away for five weeks.');
    await user.click(dialog.getByRole('button', { name: 'Extend probation' }));
    await screen.findByText('Lena Park’s probation was extended.');
    expect(served.to(extend)[0]?.body).toEqual({
      probation_end_date: '2026-06-02',
      reason: 'Away for five weeks.',
      revision: 1,
    });
  });

  test('a mistyped end is corrected from the day that stands there, with a reason', async () => {
    const correct = `POST ${person}/correct-probation`;
    const served = service(lena, { [correct]: itemOf(lena) });
    const { user } = start('/employees/57?do=correct-probation');
    const dialog = await dialogOf('Correct the end of Lena Park’s probation');
    expect(dialog.getByLabelText<HTMLInputElement>(/^New end date/).value).toBe('2 May 2026');
    fillDay(dialog.getByLabelText(/^New end date/), '1 May 2026');
    fill(dialog.getByLabelText(/^Reason/), 'One day too long.');
    await user.click(dialog.getByRole('button', { name: 'Correct probation end' }));
    await screen.findByText('The end of Lena Park’s probation was corrected.');
    expect(served.to(correct)[0]?.body).toEqual({
      probation_end_date: '2026-05-01',
      reason: 'One day too long.',
      revision: 1,
    });
  });

  test('a pause begins on a day of absence, with a reason', async () => {
    const pause = `POST ${person}/probation-pause`;
    const served = service({ ...lena, allowed_actions: ['probation-pause'] }, { [pause]: itemOf(lena) });
    const { user } = start('/employees/57?do=probation-pause');
    const dialog = await dialogOf('Pause Lena Park’s probation');
    fillDay(dialog.getByLabelText(/^First day of absence/), '2 Mar 2026');
    fill(dialog.getByLabelText(/^Reason/), 'On parental leave.');
    await user.click(dialog.getByRole('button', { name: 'Pause probation' }));
    await screen.findByText('Lena Park’s probation was paused.');
    expect(served.to(pause)[0]?.body).toEqual({ absent_from: '2026-03-02', reason: 'On parental leave.', revision: 1 });
  });

  test('a paused probation says since when, and a return says when it will end', async () => {
    const resume = `POST ${person}/probation-resume`;
    const paused = { ...lena, probation_paused_from: '2026-03-02', allowed_actions: ['probation-resume'] };
    const served = service(paused, { [resume]: itemOf(lena) });
    const { user } = start('/employees/57?do=probation-resume');
    const dialog = await dialogOf('Resume Lena Park’s probation');
    expect(dialog.getByText(/^New end date:/).textContent).toBe('New end date: 20 Jun 2026');
    fillDay(dialog.getByLabelText(/^First day back/), '9 Mar 2026');
    expect(dialog.getByText(/^New end date:/).textContent).toBe('New end date: 9 May 2026');
    fill(dialog.getByLabelText(/^Reason/), 'Back from leave.');
    await user.click(dialog.getByRole('button', { name: 'Resume probation' }));
    await screen.findByText('Lena Park’s probation has resumed.');
    expect(served.to(resume)[0]?.body).toEqual({ back_on: '2026-03-09', reason: 'Back from leave.', revision: 1 });
  });

  test('the end of a probation is not a field of the form', async () => {
    service();
    start('/employees/57?edit=employment');
    await screen.findByLabelText(/^Probation start/);
    expect(screen.queryByLabelText(/^Probation end/)).toBeNull();
  });

  test('the first end of a probation is a field of the form', async () => {
    service({ ...lena, probation_end_date: null });
    start('/employees/57?edit=employment');
    expect(await screen.findByLabelText(/^Probation end/)).toBeDefined();
  });

  test('a confirmation takes effect today unless another day is given', async () => {
    const served = service(lena, { [`POST ${person}/confirm`]: itemOf(lena) });
    const { user } = start('/employees/57?do=confirm');
    const dialog = await dialogOf('Confirm Lena Park’s employment');
    expect(dialog.getByLabelText<HTMLInputElement>(/^Confirmed on/).value).toBe('20 Apr 2026');
    fill(dialog.getByLabelText(/^Confirmed on/), '2026-04-18');
    fill(dialog.getByLabelText(/^Reason/), 'Did very well.');
    await user.click(dialog.getByRole('button', { name: 'Confirm employment' }));
    await screen.findByText('Lena Park’s employment was confirmed.');
    expect(served.to(`POST ${person}/confirm`)[0]?.body).toEqual({
      confirmation_date: '2026-04-18',
      reason: 'Did very well.',
      revision: 1,
    });
  });
});

describe('the day in the company of the person, whatever day the reader has', () => {
  const ahead = { ...lena, today: '2026-04-21', probation_paused_from: '2026-03-02' };

  test.each([
    ['job', 'Change Lena Park’s job', /^Effective date/],
    ['absences', 'Record Lena Park’s absence', /^First day/],
    ['confirm', 'Confirm Lena Park’s employment', /^Confirmed on/],
    ['probation-pause', 'Pause Lena Park’s probation', /^First day of absence/],
    ['probation-resume', 'Resume Lena Park’s probation', /^First day back/],
  ])('%s begins with it', async (step, title, field) => {
    service({ ...ahead, allowed_actions: [...steps, 'absences', 'probation-pause', 'probation-resume'] });
    start(`/employees/57?do=${step}`);
    const dialog = await dialogOf(title);
    expect(dialog.getByLabelText<HTMLInputElement>(field).value).toBe('21 Apr 2026');
  });

  test('a separation with that day as the last is one that comes', async () => {
    service({ ...lena, today: '2026-04-18' });
    start('/employees/57?do=separate');
    const dialog = await dialogOf('End Lena Park’s employment');
    fill(dialog.getByLabelText(/^Last working day/), '2026-04-18');
    const consequences = dialog.getAllByRole('list')[0]?.textContent;
    fill(dialog.getByLabelText(/^Last working day/), '2026-04-17');
    expect(dialog.getAllByRole('list')[0]?.textContent).not.toBe(consequences);
  });

  test('time served counts to it', async () => {
    service({ ...lena, joining_date: '2026-03-21', today: '2026-04-21' });
    start('/employees/57');
    expect(await screen.findByText(/1 month/)).toBeDefined();
  });
});

describe('rehiring', () => {
  const rehire = `POST ${person}/rehire`;

  test('requires a first day, and sends only changed fields of the job', async () => {
    const served = service(lena, { [rehire]: itemOf(lena) });
    const { user } = start('/employees/57?do=rehire');
    const dialog = await dialogOf('Rehire Lena Park');
    expect(dialog.getByLabelText<HTMLInputElement>(/^Start date/).value).toBe('');
    fill(dialog.getByLabelText(/^Start date/), '2099-01-04');
    fill(dialog.getByLabelText(/^Job title/), 'Senior buyer');
    await user.click(dialog.getByRole('button', { name: 'Rehire' }));
    await screen.findByText('Lena Park was rehired.');
    expect(served.to(rehire)[0]?.body).toEqual({
      joining_date: '2099-01-04',
      job_title: 'Senior buyer',
      revision: 1,
    });
  });

  test('a missing first day is shown at its field, which gets the focus', async () => {
    service(lena, { [rehire]: refused({ joining_date: ['The start date field is required.'] }) });
    const { user } = start('/employees/57?do=rehire');
    const dialog = await dialogOf('Rehire Lena Park');
    await user.click(dialog.getByRole('button', { name: 'Rehire' }));
    await dialog.findByText('The start date field is required.');
    await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText(/^Start date/)));
  });
});

describe('deleting', () => {
  const remove = `DELETE ${person}`;

  test('leads to the directory, and Undo restores the person with a reason', async () => {
    const served = service(lena, { [remove]: { status: 204 }, [`POST ${person}/restore`]: itemOf(lena) });
    const { user, where } = start('/employees/57?do=delete');
    const dialog = await dialogOf('Delete Lena Park?');
    expect(served.to(remove)).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(where()).toBe('/employees'));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(served.to(`POST ${person}/restore`)[0]?.body).toEqual({ reason: 'Undone right after deleting.' }),
    );
  });

  test('shows the error when an undo fails', async () => {
    service(lena, { [remove]: { status: 204 }, [`POST ${person}/restore`]: refused({ email: ['Taken.'] }) });
    const { user } = start('/employees/57?do=delete');
    await user.click((await dialogOf('Delete Lena Park?')).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Couldn’t undo this.')).toBeDefined();
  });

  test('shows what prevents the deletion, and the button is disabled', async () => {
    const message = 'Lena Park manages departments.';
    const served = service(lena, {
      [`GET ${person}/consequences`]: itemOf({ delete: { possible: false, message }, deactivate: free, items: [] }),
    });
    start('/employees/57?do=delete');
    const dialog = await dialogOf('Delete Lena Park?');
    expect((await dialog.findByRole('alert')).textContent).toBe(message);
    expect(dialog.getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true);
    expect(served.to(remove)).toHaveLength(0);
  });
});

describe('a job change', () => {
  const change = `POST ${person}/job-history`;
  const planned = { status: 201, body: { data: { id: 31, status: 'scheduled' }, message: '' } };

  test('no request is sent without a change; a change from today applies at once and has no undo', async () => {
    const served = service(lena, { [change]: { status: 201, body: { data: { id: 31, status: 'current' } } } });
    const { user } = start('/employees/57?do=job');
    const dialog = await dialogOf('Change Lena Park’s job');
    const save = dialog.getByRole('button', { name: 'Save' });
    expect(save).toHaveProperty('disabled', true);
    fill(dialog.getByLabelText(/^Job title/), 'Senior buyer');
    fill(dialog.getByLabelText(/^Effective date/), '2026-03-01');
    expect(dialog.getByText(/Takes effect immediately/)).toBeDefined();
    fill(dialog.getByLabelText('Reason (optional)'), 'Promoted');
    await user.click(save);
    await screen.findByText('Lena Park’s job was changed.');
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(served.to(change)[0]?.body).toEqual({
      job_title: 'Senior buyer',
      effective_from: '2026-03-01',
      reason: 'Promoted',
    });
  });

  test('Undo cancels a planned change; shows the error when that fails', async () => {
    const cancel = `DELETE ${person}/job-history/31`;
    const served = service(lena, { [change]: planned, [cancel]: { status: 404, body: { message: 'Gone.' } } });
    const { user } = start('/employees/57?do=job');
    const dialog = await dialogOf('Change Lena Park’s job');
    await pick(user, dialog.getByRole('combobox', { name: 'Department' }), 'Sales');
    fill(dialog.getByLabelText(/^Effective date/), '2099-01-01');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Couldn’t undo this.')).toBeDefined();
    expect(served.to(cancel)).toHaveLength(1);
  });

  test('refusals of the day, the reason and the job are shown at their fields', async () => {
    const errors = { effective_from: ['Not before joining.'], reason: ['Too long.'], job_title: ['Too short.'] };
    service(lena, { [change]: refused(errors) });
    const { user } = start('/employees/57?do=job');
    const dialog = await dialogOf('Change Lena Park’s job');
    fill(dialog.getByLabelText(/^Job title/), 'X');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await dialog.findByText('Not before joining.');
    for (const [label, [message]] of [
      [/^Effective date/, errors.effective_from],
      [/^Reason/, errors.reason],
      [/^Job title/, errors.job_title],
    ] as const) {
      const field = dialog.getByLabelText(label);
      const description = document.getElementById(field.getAttribute('aria-describedby')?.split(' ').at(-1) ?? '');
      expect([field.getAttribute('aria-invalid'), description?.textContent]).toEqual(['true', message]);
    }
    expect(dialog.queryByRole('alert')).toBeNull();
  });
});

describe('a new password', () => {
  const reset = `POST ${person}/reset-password`;
  const plan = (mail_is_on: boolean) =>
    itemOf({ delivery: 'screen', mail_is_on, link_hours: 24, issued: [], sent: [], refused: [], people: [] });
  const ask = 'POST /api/employees/reset-passwords';
  const issued = { one_time_password: 'Once#Only2Once#Only2', expires_at: '2026-12-01T09:00:00.000Z' };

  test('without mail it is shown once, for the person it was issued to', async () => {
    const served = service(lena, { [ask]: plan(false), [reset]: { body: { ...issued, message: '' } } });
    const { user } = start('/employees/57?do=reset-password');
    const dialog = await dialogOf('Reset Lena Park’s password');
    const issue = dialog.getByRole('button', { name: 'Create password' });
    await waitFor(() => expect(issue).toHaveProperty('disabled', false));
    expect(dialog.queryByRole('radio')).toBeNull();
    await user.click(issue);
    const shown = await dialogOf('One-time password');
    expect(shown.getByText('Once#Only2Once#Only2')).toBeDefined();
    expect(shown.getByText(/Give this password to Lena Park/)).toBeDefined();
    expect(served.to(reset)[0]?.body).toEqual({ delivery: 'screen', revision: 1 });
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await isGone();
    expect(screen.queryByText('Once#Only2Once#Only2')).toBeNull();
  });

  test('with mail a link is preselected, and no password is shown', async () => {
    const served = service(lena, { [ask]: plan(true), [reset]: { body: { message: '' } } });
    const { user } = start('/employees/57?do=reset-password');
    const dialog = await dialogOf('Reset Lena Park’s password');
    await user.click(await dialog.findByRole('radio', { name: /One-time|one-time/ }));
    expect(dialog.getByText(/stops working, and they’re signed out everywhere/)).toBeDefined();
    await user.click(dialog.getByRole('radio', { name: /By email/ }));
    await user.click(dialog.getByRole('button', { name: 'Send link' }));
    await screen.findByText('A link was sent to Lena Park.');
    await isGone();
    expect(served.to(reset)[0]?.body).toEqual({ delivery: 'mail', revision: 1 });
  });

  test('a refusal shows its error and issues no password', async () => {
    service(lena, { [ask]: plan(false), [reset]: { status: 403, body: { message: 'This action is unauthorized.' } } });
    const { user } = start('/employees/57?do=reset-password');
    const dialog = await dialogOf('Reset Lena Park’s password');
    const issue = dialog.getByRole('button', { name: 'Create password' });
    await waitFor(() => expect(issue).toHaveProperty('disabled', false));
    await user.click(issue);
    expect((await dialog.findByRole('alert')).textContent).toContain('You don’t have access to this page');
  });
});

test('a dialog closes with Escape and is empty when opened again', async () => {
  service();
  const { user, where } = start('/employees/57?do=separate');
  const dialog = await dialogOf('End Lena Park’s employment');
  fill(dialog.getByLabelText(/^Reason/), 'Half a thought');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(where()).toBe('/employees/57'));
  await isGone();
  await user.click(screen.getByRole('button', { name: 'Actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'End employment…' }));
  const again = await dialogOf('End Lena Park’s employment');
  expect(again.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('');
});
