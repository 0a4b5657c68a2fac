import { act, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { guest, itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';
import { streams } from '../../testing/stream.ts';

const notification = (id: number, more: object = {}) => ({
  id,
  event: 'kpi_evaluation_returned',
  title: `Message ${id}`,
  body: 'It needs another look.',
  severity: 'action',
  data: { subject_type: 'kpi_evaluation', subject_id: id, url: '/tasks', actor_id: 3 },
  read_at: null,
  created_at: '2026-04-01T08:00:00.000Z',
  ...more,
});
const read = { read_at: '2026-04-02T08:00:00.000Z' };
const about = (subject_id: number) => ({
  data: { subject_type: 'kpi_evaluation', subject_id, url: '/tasks', actor_id: 3 },
});

function service(rows: readonly object[], count = 1) {
  return serve({
    'GET /api/me': signedInAs(['employees.view']),
    'GET /api/actionable-items': listOf([]),
    'GET /api/notifications': ({ url }) => listOf(url.searchParams.get('search') === null ? rows : []),
    'GET /api/notifications/unread-count': itemOf({ count }),
    'POST /api/notifications/read-all': itemOf({ count: 0 }),
    'POST /api/notifications/3/read': itemOf(notification(3, read)),
    'DELETE /api/notifications/3': { status: 204 },
  });
}

const list = async () => within(await screen.findByRole('list', { name: 'Notifications' }));

test('many notifications of one event are one line that opens and is read as one', async () => {
  const ending = (id: number) =>
    notification(id, {
      event: 'probation_ending_reminder',
      data: { subject_type: 'employee', subject_id: id, url: '/probation', actor_id: null },
    });
  const { to } = service([ending(3), ending(2), notification(1, read), ending(4)]);
  const { user } = start('/notifications');
  const rows = await list();
  rows.getByText('3 probations without a decision');
  expect(rows.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Message 1']);
  await user.click(rows.getByRole('button', { name: 'Show all 3 notifications' }));
  expect(rows.getAllByRole('link')).toHaveLength(4);
  await user.click(rows.getByRole('button', { name: 'Mark all of these as read: 3 probations without a decision' }));
  expect(to('POST /api/notifications/read-all')[0]?.query.get('event')).toBe('probation_ending_reminder');
});

test('notifications about one record are grouped, and unread ones are labelled', async () => {
  service([notification(3, about(1)), notification(2, read), notification(1, { ...about(1), ...read })]);
  const { user } = start('/notifications');
  const rows = await list();
  expect(rows.getByRole('link', { name: /^Unread:.*Message 3$/ })).toBeTruthy();
  expect(rows.getByRole('link', { name: 'Message 2' })).toBeTruthy();
  expect(rows.queryByText('Message 1')).toBeNull();
  await user.click(rows.getByRole('button', { name: 'Show 1 earlier' }));
  expect(rows.getByText('Message 1')).toBeTruthy();
});

test('marking as read or removing moves the focus to the neighbour, and a refusal is shown in its row', async () => {
  const { replies } = service([notification(3), notification(2), notification(1)]);
  replies['POST /api/notifications/3/read'] = { status: 500, body: { message: 'Server Error' } };
  const { user } = start('/notifications');
  const rows = await list();
  await user.click(rows.getByRole('button', { name: 'Mark as read: Message 3' }));
  expect(document.activeElement).toBe(rows.getByRole('link', { name: /Message 2/ }));
  const alert = await rows.findByRole('alert');
  expect(alert.closest('li')?.textContent).toContain('Message 3');
  await user.click(rows.getByRole('button', { name: 'Remove: Message 1' }));
  expect(document.activeElement).toBe(rows.getByRole('link', { name: /Message 2/ }));
});

test('removing the first one keeps the focus on the one that follows', async () => {
  service([notification(3), notification(2), notification(1)]);
  const { user } = start('/notifications');
  const rows = await list();
  await user.click(rows.getByRole('button', { name: 'Remove: Message 3' }));
  expect(rows.queryByText('Message 3')).toBeNull();
  expect(document.activeElement).toBe(rows.getByRole('link', { name: /Message 2/ }));
});

test('opening a notification marks it as read and leads to its record', async () => {
  const { to } = service([notification(3)]);
  const { user, where } = start('/notifications');
  await user.click((await list()).getByRole('link', { name: /Message 3/ }));
  expect(where()).toBe('/tasks');
  expect(to('POST /api/notifications/3/read')).toHaveLength(1);
});

test('"mark all as read" applies to the filtered notifications', async () => {
  const { to } = service([notification(3)]);
  const { user } = start('/notifications?severity=action&unread=true');
  await user.click(await screen.findByRole('button', { name: 'Mark these as read' }));
  expect(Object.fromEntries(to('POST /api/notifications/read-all')[0]?.query ?? [])).toEqual({
    severity: 'action',
    unread: 'true',
  });
});

test('a removal that can still be undone is not sent for the next user after the session ends', async () => {
  const { replies, to } = service([notification(3), notification(2)]);
  const { user, where } = start('/notifications');
  const rows = await list();
  await user.click(rows.getByRole('button', { name: 'Remove: Message 3' }));
  replies['POST /api/notifications/read-all'] = guest;
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await vi.waitFor(() => expect(where()).toMatch(/^\/login/));
  window.dispatchEvent(new Event('pagehide'));
  expect(to('DELETE /api/notifications/3')).toHaveLength(0);
});

test('a removed notification disappears at once, undo restores it, and it is sent when the time is over', async () => {
  const { to } = service([notification(3), notification(2)]);
  const { user } = start('/notifications');
  const rows = await list();
  await user.click(rows.getByRole('button', { name: 'Remove: Message 3' }));
  expect(rows.queryByText('Message 3')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(rows.getByText('Message 3')).toBeTruthy();
  expect(to('DELETE /api/notifications/3')).toHaveLength(0);
  await user.click(rows.getByRole('button', { name: 'Remove: Message 3' }));
  window.dispatchEvent(new Event('pagehide'));
  await vi.waitFor(() => expect(to('DELETE /api/notifications/3')).toHaveLength(1));
});

test('J and K move through the list, and filters without a match can be cleared', async () => {
  service([notification(3), notification(2)]);
  const { user } = start('/notifications');
  await list();
  await user.keyboard('jj');
  expect(document.activeElement).toBe(screen.getByRole('link', { name: /Message 2/ }));
  await user.type(screen.getByRole('searchbox'), 'nothing');
  expect(await screen.findByText('No matching notifications')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Message 3')).toBeTruthy();
});

test('a user without notifications sees the empty state', async () => {
  service([], 0);
  start('/notifications');
  expect(await screen.findByText('No notifications yet')).toBeTruthy();
});

test('a live update changes the count and the list at once and is announced', async () => {
  const opened = streams();
  const { replies } = service([notification(2, read)], 0);
  start('/notifications');
  await screen.findByText('Message 2');
  const [stream] = opened;
  expect(stream?.url).toBe('/api/notifications/stream');
  replies['GET /api/notifications'] = listOf([notification(3), notification(2, read)]);
  replies['GET /api/notifications/unread-count'] = itemOf({ count: 1 });
  act(() => {
    stream?.tell('ready', { unread: 0 });
    stream?.tell('notification', { id: 3, title: 'Message 3', severity: 'action', url: '/tasks', unread: 1 });
  });
  expect(await screen.findByRole('link', { name: /^Unread:.*Message 3$/ })).toBeTruthy();
  expect(screen.getByText('New: Message 3')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy();
});

test('a closed stream is opened again, later if it was refused', async () => {
  const opened = streams();
  service([notification(2, read)], 0);
  start('/notifications');
  await screen.findByText('Message 2');
  vi.useFakeTimers();
  act(() => opened[0]?.tell('end', { reason: 'restart' }));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(opened).toHaveLength(2);
  act(() => opened[1]?.refuse());
  act(() => void vi.advanceTimersByTime(59_000));
  expect(opened).toHaveLength(2);
  act(() => void vi.advanceTimersByTime(1_000));
  expect(opened).toHaveLength(3);
  vi.useRealTimers();
});

test('the end of the session leads to the sign-in page and back', async () => {
  const opened = streams();
  const { replies } = service([notification(2, read)], 0);
  const { where } = start('/notifications');
  await screen.findByText('Message 2');
  replies['GET /api/notifications/unread-count'] = { status: 401, body: { message: 'Unauthenticated.' } };
  act(() => opened[0]?.tell('end', { reason: 'session' }));
  await vi.waitFor(() => expect(where()).toBe('/login?next=%2Fnotifications&expired=true'));
});

test('the bell opens the latest notifications over the page', async () => {
  const { to } = service([notification(3), notification(2, read)]);
  const { user, where } = start('/tasks');
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  const popover = within(await screen.findByRole('dialog', { name: 'Notifications, 1 unread' }));
  expect(await popover.findByRole('link', { name: /^Unread:.*Message 3$/ })).toBeTruthy();
  await user.click(popover.getByRole('button', { name: 'Mark all as read' }));
  expect(to('POST /api/notifications/read-all')).toHaveLength(1);
  await user.click(popover.getByRole('link', { name: 'View all notifications' }));
  expect(where()).toBe('/notifications');
});

test('the bell marks all as read even if only older ones are unread', async () => {
  const { to } = service([notification(2, read)], 4);
  const { user } = start('/tasks');
  await user.click(await screen.findByRole('button', { name: 'Notifications, 4 unread' }));
  expect(await screen.findByRole('link', { name: 'Message 2' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  expect(to('POST /api/notifications/read-all')).toHaveLength(1);
});
