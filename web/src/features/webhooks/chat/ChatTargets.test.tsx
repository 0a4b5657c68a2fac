import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill } from '../../../testing/acts.ts';
import { itemOf, listOf } from '../../../testing/service.ts';
import { at, button, open } from '../../../testing/webhooks.ts';

const channel = (fields: object = {}) => ({
  id: 8,
  name: 'HR Team',
  kind: 'slack',
  host: 'hooks.slack.com',
  entity_ids: null,
  counts: ['probation_reviews'],
  weekday: 1,
  hour: 9,
  timezone: 'Europe/Berlin',
  language: 'de',
  status: 'active',
  reason: null,
  tried_at: at,
  http_status: 404,
  error: 'status',
  revision: 2,
  created_at: at,
  updated_at: at,
  allowed_actions: ['update', 'test', 'delete'],
  ...fields,
});

test('a chat channel is tested, changed without its secret address, and deleted', async () => {
  const { service, user } = open('/settings/webhooks?view=chat', {
    'GET /api/chat-targets': listOf([channel()]),
    'POST /api/chat-targets/8/test': itemOf({ is_sent: false, http_status: 404, error: 'status' }),
    'PUT /api/chat-targets/8': itemOf(channel({ name: 'HR' })),
    'DELETE /api/chat-targets/8': { status: 204 },
  });
  await user.click(await button(/^Test\s*HR Team/));
  const answer = await dialogOf('Test of HR Team');
  expect(answer.getByText('The channel didn’t accept the message (HTTP 404).')).toBeDefined();
  await user.click(answer.getByRole('button', { name: 'Done' }));
  await user.click(await button('HR Team'));
  const dialog = await dialogOf('HR Team');
  fill(dialog.getByLabelText(/^Name/), 'HR');
  await user.click(dialog.getByRole('button', { name: 'Save changes' }));
  await screen.findByText('Changes saved.');
  const [{ body } = { body: {} }] = service.to('PUT /api/chat-targets/8');
  expect(body).toMatchObject({ name: 'HR', revision: 2, weekday: 1, hour: 9 });
  expect(body).not.toHaveProperty('url');
  await user.click(await button(/^Delete…\s*HR Team/));
  await user.click((await dialogOf('Delete HR Team?')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('HR Team was deleted.');
});

test('a new channel is sent with what it counts, and a refused address is said at its field', async () => {
  const create = 'POST /api/chat-targets';
  const { service, user } = open('/settings/webhooks', {
    'GET /api/chat-targets': listOf([]),
    [create]: { status: 422, body: { message: 'x', errors: { url: ['This address cannot be reached from here.'] } } },
  });
  await user.click(await screen.findByRole('tab', { name: 'Chat channels' }));
  await user.click(await button('Add channel'));
  const dialog = await dialogOf('Add channel');
  fill(dialog.getByLabelText(/^Name/), 'HR');
  fill(dialog.getByLabelText(/^Webhook address/), 'https://hooks.slack.com/services/x');
  await user.click(dialog.getByRole('button', { name: 'Add channel' }));
  await dialog.findByText('This address cannot be reached from here.');
  expect(service.to(create)[0]?.body).toMatchObject({
    name: 'HR',
    kind: 'slack',
    url: 'https://hooks.slack.com/services/x',
    entity_ids: null,
    weekday: null,
    hour: 9,
  });
});

test('a stopped channel says why, and is resumed after a question', async () => {
  const resume = 'POST /api/chat-targets/8/resume';
  const stopped = channel({
    status: 'stopped',
    reason: 'counts',
    allowed_actions: ['update', 'test', 'resume', 'delete'],
  });
  const { service, user } = open('/settings/webhooks?view=chat', {
    'GET /api/chat-targets': listOf([stopped, channel({ id: 9, name: 'KPI' })]),
    [resume]: itemOf(channel()),
  });
  await screen.findByText('The person who set it up can’t see everything it counts any more');
  expect(screen.getAllByRole('button', { name: /^Resume/ })).toHaveLength(1);
  await user.click(await button(/^Resume…\s*HR Team/));
  await user.click((await dialogOf('Resume HR Team?')).getByRole('button', { name: 'Resume' }));
  await screen.findByText('HR Team gets posts again.');
  expect(service.to(resume)[0]?.body).toEqual({ revision: 2 });
});

test('the list says at which time of which zone a channel gets its posts', async () => {
  open('/settings/webhooks?view=chat', { 'GET /api/chat-targets': listOf([channel()]) });
  const line = await screen.findByRole('row', { name: /HR Team/ });
  expect(line.textContent).toContain('Monday, 09:00Europe/Berlin');
});
