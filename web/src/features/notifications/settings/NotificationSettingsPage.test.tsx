import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../../testing/service.ts';
import { start } from '../../../testing/start.tsx';

const setting = (event: string, more: object = {}) => ({
  id: 1,
  event,
  group: 'kpi',
  severity: 'info',
  label: `About ${event}`,
  in_app: true,
  email: true,
  recipients: ['subject', 'hr'],
  lead_days: null,
  locked_channels: [],
  mail_is_on: true,
  revision: 4,
  updated_at: '2026-04-01T08:00:00.000Z',
  ...more,
});
const rows = [
  setting('kpi_evaluation_completed'),
  setting('kpi_deadline_reminder', { lead_days: [7, 3, 1], locked_channels: ['in_app'] }),
  setting('role_changed', { group: 'system', locked_channels: ['in_app'] }),
];

const service = (more: object = {}) =>
  serve({
    'GET /api/me': signedInAs(['notification-settings.manage']),
    'GET /api/notification-settings': ({ url }) => {
      const group = url.searchParams.get('group');
      return listOf(rows.filter((row) => group === null || row.group === group).map((row) => ({ ...row, ...more })));
    },
    'PUT /api/notification-settings/kpi_evaluation_completed': itemOf(rows[0]),
    'PUT /api/notification-settings/kpi_deadline_reminder': itemOf(rows[1]),
    'POST /api/notification-settings/role_changed/test': itemOf({ in_app: 'sent', email: 'queued' }),
  });

test('each event has a switch per channel, and a locked one says so', async () => {
  service();
  start('/settings/notifications');
  const table = within(await screen.findByRole('table'));
  const mail = table.getByRole<HTMLInputElement>('switch', { name: 'About kpi_evaluation_completed: Email' });
  expect([mail.checked, mail.disabled]).toEqual([true, false]);
  const locked = table.getByRole<HTMLInputElement>('switch', { name: 'About role_changed: In Tenure' });
  expect(locked.disabled).toBe(true);
  expect(table.getAllByText('Always on')).toHaveLength(2);
  expect(table.getAllByText('To: the employee, HR')).toHaveLength(3);
});

test('a switch is saved at once with its revision, and can be undone', async () => {
  const { to } = service();
  const { user } = start('/settings/notifications');
  await user.click(await screen.findByRole('switch', { name: 'About kpi_evaluation_completed: Email' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const sent = to('PUT /api/notification-settings/kpi_evaluation_completed').map(({ body }) => body);
  expect(sent).toEqual([{ email: false, revision: 4 }, { email: true }]);
});

test('lead days are whole numbers, saved on blur', async () => {
  const { to } = service();
  const { user } = start('/settings/notifications');
  const days = await screen.findByRole('textbox', { name: 'Days in advance: About kpi_deadline_reminder' });
  await user.clear(days);
  await user.type(days, '14, seven{Enter}');
  expect(screen.getByText('Enter whole days from 0 to 180, separated by commas.')).toBeTruthy();
  await user.clear(days);
  await user.type(days, '14, 7{Enter}');
  expect(to('PUT /api/notification-settings/kpi_deadline_reminder').map(({ body }) => body)).toEqual([
    { lead_days: [14, 7], revision: 4 },
  ]);
});

test('refused lead days stay as typed, and retyping the old ones is no error', async () => {
  const { replies } = service();
  const refusal = 'The lead_days field has a duplicate value.';
  replies['PUT /api/notification-settings/kpi_deadline_reminder'] = {
    status: 422,
    body: { message: refusal, errors: { lead_days: [refusal] } },
  };
  const { user } = start('/settings/notifications');
  const days = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Days in advance/ });
  await user.clear(days);
  await user.type(days, '7, 7{Enter}');
  await screen.findByText(refusal);
  expect(days.value).toBe('7, 7');
  await user.clear(days);
  await user.type(days, 'seven{Enter}');
  screen.getByText('Enter whole days from 0 to 180, separated by commas.');
  await user.clear(days);
  await user.type(days, '7, 3, 1{Enter}');
  expect(days.getAttribute('aria-invalid')).toBeNull();
});

test('two quick changes of one event are both saved', async () => {
  let kept = { ...rows[0] } as { revision: number };
  const { replies } = service();
  replies['GET /api/notification-settings'] = () => listOf([kept]);
  replies['PUT /api/notification-settings/kpi_evaluation_completed'] = ({ body }) => {
    const { revision, ...wanted } = body as { revision: number };
    if (revision !== kept.revision) return { status: 422, body: { message: 'Late.', errors: { status: ['Late.'] } } };
    kept = { ...kept, ...wanted, revision: revision + 1 };
    return itemOf(kept);
  };
  start('/settings/notifications');
  fireEvent.click(await screen.findByRole('switch', { name: 'About kpi_evaluation_completed: Email' }));
  fireEvent.click(screen.getByRole('switch', { name: 'About kpi_evaluation_completed: In Tenure' }));
  await waitFor(() => expect(kept).toMatchObject({ email: false, in_app: false, revision: 6 }));
});

test('a test message is sent to the user, and its result is shown', async () => {
  const { to } = service();
  const { user } = start('/settings/notifications');
  // one button for all events
  await user.click(await screen.findByRole('button', { name: 'Send a test' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Send a test notification' }));
  const field = dialog.getByRole<HTMLInputElement>('combobox', { name: 'Event' });
  expect(field.value).toBe('About kpi_evaluation_completed');
  await user.click(field);
  await user.click(await screen.findByRole('option', { name: 'About role_changed', hidden: true }));
  await user.click(dialog.getByRole('button', { name: 'Send test' }));
  expect(await screen.findByText('In Tenure: sent. Email: sent.')).toBeTruthy();
  expect(to('POST /api/notification-settings/role_changed/test')).toHaveLength(1);
});

test('one group can be shown alone, and a missing mail server is reported', async () => {
  service({ mail_is_on: false });
  start('/settings/notifications?group=system');
  expect(await screen.findByText(/Email isn’t set up/)).toBeTruthy();
  expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label'))).toEqual([
    'About role_changed: In Tenure',
    'About role_changed: Email',
  ]);
});

test('shows the error of a refused change', async () => {
  const { replies } = service();
  replies['PUT /api/notification-settings/kpi_evaluation_completed'] = {
    status: 422,
    body: { message: 'The record was changed.', errors: { status: ['The record was changed by somebody else.'] } },
  };
  const { user } = start('/settings/notifications');
  await user.click(await screen.findByRole('switch', { name: 'About kpi_evaluation_completed: Email' }));
  const message = await screen.findByText('The record was changed by somebody else.');
  expect(message.closest('tr')?.textContent).toContain('About kpi_evaluation_completed');
});
