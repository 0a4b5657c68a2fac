import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const line = (event: string, more: object = {}) => ({
  event,
  group: 'kpi',
  label: `About ${event}`,
  in_app: true,
  email: true,
  locked_channels: [],
  available_channels: ['in_app', 'email'],
  ...more,
});

const preferences = {
  digest: 'immediate',
  quiet_from: null,
  quiet_to: null,
  time_zone: null,
  effective_time_zone: 'Europe/Berlin',
  mail_is_on: true,
  events: [
    line('kpi_evaluation_completed'),
    line('kpi_cycle_closed', { available_channels: ['in_app'] }),
    line('role_changed', { group: 'system', locked_channels: ['in_app', 'email'] }),
  ],
  revision: 2,
};

const service = (more: object = {}) =>
  serve({
    'GET /api/me': signedInAs(['employees.view']),
    'GET /api/profile': itemOf({
      user: { id: 7, email: 'hana.ito@acme.example', locale: 'en', preferences: {} },
      employee: null,
      roles: [],
      permissions: [],
    }),
    'GET /api/profile/notification-preferences': itemOf({ ...preferences, ...more }),
    'PUT /api/profile/notification-preferences': itemOf({ ...preferences, ...more }),
  });

const late = {
  status: 422,
  body: { message: 'Changed meanwhile.', errors: { status: ['Changed meanwhile.'] }, status: '', revision: 9 },
};
const sent = ({ to }: ReturnType<typeof service>) =>
  to('PUT /api/profile/notification-preferences').map(({ body }) => body);

test('unlocked events that are on can be switched off by the user', async () => {
  const api = service();
  const { user } = start('/profile?part=notifications');
  await user.click(await screen.findByRole('switch', { name: 'About kpi_evaluation_completed: Email' }));
  expect(sent(api)).toEqual([{ events: [{ event: 'kpi_evaluation_completed', email: false }], revision: 2 }]);
  const off = screen.getByRole<HTMLInputElement>('switch', { name: 'About kpi_cycle_closed: Email' });
  expect([off.checked, off.disabled]).toEqual([false, true]);
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'About role_changed: Email' }).disabled).toBe(true);
});

test('two quick changes are sent one after the other, each with the latest revision', async () => {
  let revision = 2;
  const api = service();
  api.replies['GET /api/profile/notification-preferences'] = () => itemOf({ ...preferences, revision });
  api.replies['PUT /api/profile/notification-preferences'] = ({ body }) => {
    if ((body as { revision: number }).revision !== revision) return late;
    revision += 1;
    return itemOf({ ...preferences, revision });
  };
  start('/profile?part=notifications');
  fireEvent.click(await screen.findByRole('switch', { name: 'About kpi_evaluation_completed: Email' }));
  fireEvent.click(screen.getByRole('switch', { name: 'About kpi_cycle_closed: In Tenure' }));
  await waitFor(() => expect(revision).toBe(4));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a refused change shows its error in place, and the settings are read again', async () => {
  const api = service();
  api.replies['PUT /api/profile/notification-preferences'] = late;
  const { user } = start('/profile?part=notifications');
  const change = await screen.findByRole('switch', { name: 'About kpi_cycle_closed: In Tenure' });
  api.replies['GET /api/profile/notification-preferences'] = itemOf({ ...preferences, revision: 9 });
  await user.click(change);
  const row = (await screen.findByText('Changed meanwhile.')).closest('tr') as HTMLElement;
  within(row).getByText('About kpi_cycle_closed');
  await user.click(screen.getByRole('button', { name: 'Once a day' }));
  await waitFor(() => expect(sent(api).at(-1)).toEqual({ digest: 'daily', revision: 9 }));
});

test('mails can be sent once a day', async () => {
  const api = service();
  const { user } = start('/profile?part=notifications');
  await user.click(await screen.findByRole('button', { name: 'Once a day' }));
  expect(sent(api)).toEqual([{ digest: 'daily', revision: 2 }]);
});

test('quiet hours start with a default night and can be changed', async () => {
  const api = service();
  const { user } = start('/profile?part=notifications');
  await user.click(await screen.findByRole('switch', { name: /^Quiet hours/ }));
  expect(sent(api)).toEqual([{ quiet_from: '20:00', quiet_to: '07:00', revision: 2 }]);
});

test('the hours are saved on blur', async () => {
  const api = service({ quiet_from: '20:00', quiet_to: '07:00' });
  const { user } = start('/profile?part=notifications');
  const from = await screen.findByLabelText('From');
  await user.clear(from);
  await user.type(from, '21:30');
  await user.tab();
  expect(sent(api)).toEqual([{ quiet_from: '21:30', revision: 2 }]);
});

test('without a mail server there are no mail settings', async () => {
  service({ mail_is_on: false });
  start('/profile?part=notifications');
  expect(await screen.findByText('Email isn’t set up.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Once a day' })).toBeNull();
});
