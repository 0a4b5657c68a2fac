import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const feed = (id: number, fields: object = {}) => ({
  id,
  kinds: ['kpi_tasks'],
  with_names: false,
  created_at: '2026-11-18T07:58:10.000Z',
  last_used_at: null,
  allowed_actions: ['delete'],
  ...fields,
});

async function open(permissions: string[], feeds: object[]) {
  const service = serve({
    'GET /api/me': signedInAs(permissions),
    'GET /api/profile/sessions': listOf([]),
    'GET /api/profile/calendar-feeds': listOf(feeds),
    'GET /api/profile/security': itemOf({
      totp: null,
      passkeys: [],
      passkeys_work: false,
      sign_in_through: null,
      password_sign_in: true,
      recovery_codes_left: 10,
    }),
  });
  const application = start('/profile?part=security');
  await screen.findByRole('heading', { name: 'Calendar' });
  return { service, ...application };
}

test('an address is made without names unless they are ticked, and shown once', async () => {
  const { service, user } = await open(['probation-review.view'], []);
  const url = 'https://hr.example.com/calendar/tnrf_secret.ics';
  service.replies['POST /api/profile/calendar-feeds'] = {
    status: 201,
    body: { data: feed(1), url, message: 'Calendar address created.' },
  };
  await user.click(screen.getByRole('button', { name: 'New calendar address' }));
  const form = within(await screen.findByRole('dialog', { name: 'New calendar address' }));
  expect(form.getByText(/can read these names/)).toBeDefined();
  await user.click(form.getByLabelText('Other tasks'));
  await user.click(form.getByRole('button', { name: 'Create address' }));
  expect(service.to('POST /api/profile/calendar-feeds')[0]?.body).toEqual({
    kinds: ['kpi_tasks', 'probation_tasks', 'probation_ends'],
    with_names: false,
  });
  const made = within(await screen.findByRole('dialog', { name: 'Copy the address now' }));
  expect(made.getByRole('note', { name: 'Calendar address' }).textContent).toBe(url);
  await user.click(made.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText(url)).toBeNull());
});

test('addresses say what they show, are removed after a question, and there are five at most', async () => {
  const five = [1, 2, 3, 4].map((id) => feed(id));
  const { service, user } = await open([], [...five, feed(5, { kinds: ['other_tasks'], with_names: true })]);
  const list = within(screen.getByRole('list', { name: 'Calendar' }));
  expect(list.getAllByRole('listitem')).toHaveLength(5);
  expect(list.getByText('With names')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'New calendar address' })).toBeNull();
  service.replies['DELETE /api/profile/calendar-feeds/5'] = { status: 204 };
  service.replies['GET /api/profile/calendar-feeds'] = listOf(five);
  await user.click(list.getByRole('button', { name: /^Remove\s*Other tasks$/ }));
  const question = within(await screen.findByRole('dialog', { name: 'Remove this calendar address?' }));
  await user.click(question.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Calendar address removed.')).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'New calendar address' }));
  // users who may not see reviews of others cannot select the ends of probations
  expect(within(await screen.findByRole('dialog')).queryByLabelText('Probation end dates')).toBeNull();
});

test('a refused removal is said once, and not when the question is asked again', async () => {
  const { service, user } = await open([], [feed(1)]);
  service.replies['DELETE /api/profile/calendar-feeds/1'] = { status: 500, body: { message: 'x' } };
  await user.click(screen.getByRole('button', { name: /^Remove/ }));
  const question = within(await screen.findByRole('dialog'));
  await user.click(question.getByRole('button', { name: 'Remove' }));
  await question.findByRole('alert');
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: /^Remove/ }));
  expect(within(await screen.findByRole('dialog')).queryByRole('alert')).toBeNull();
});
