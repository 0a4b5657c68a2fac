import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill } from '../../testing/acts.ts';
import { itemOf, listOf } from '../../testing/service.ts';
import { at, button, delivery, event, open, path, webhook } from '../../testing/webhooks.ts';

test('resuming one that was disabled says that events are missing', async () => {
  const actions = { allowed_actions: ['update', 'replay', 'resume', 'delete'] };
  const disabled = webhook({ status: 'disabled', reason: 'failing', pending_count: 0, ...actions });
  const { user } = open('/settings/webhooks?webhook=3', { [`GET ${path}`]: itemOf(disabled) });
  await user.click(await button('Resume…'));
  const dialog = await dialogOf('Resume Payroll?');
  expect(dialog.getByText(/Those from while it was disabled are missing/)).toBeDefined();
});

test('a test shows what the receiver answered', async () => {
  const { user } = open('/settings/webhooks?webhook=3', {
    [`POST ${path}/test`]: itemOf({ is_sent: false, http_status: 404, error: 'status', ms: 12 }),
  });
  await user.click(await button('Send test'));
  const dialog = await dialogOf('Test');
  expect(dialog.getByText('The receiver didn’t accept the test.')).toBeDefined();
  expect(dialog.getByText('HTTP 404')).toBeDefined();
});

test('pausing asks first, and a new secret is shown once', async () => {
  const { service, user } = open('/settings/webhooks?webhook=3', {
    [`POST ${path}/pause`]: itemOf(webhook({ status: 'paused', reason: 'person' })),
    [`POST ${path}/secret`]: { body: { data: webhook({ previous_until: at }), message: '', secret: 'whsec_new' } },
  });
  await user.click(await button('Pause…'));
  await user.click((await dialogOf('Pause Payroll?')).getByRole('button', { name: 'Pause' }));
  await screen.findByText('Payroll is paused.');
  expect(service.to(`POST ${path}/pause`)[0]?.body).toEqual({ revision: 5 });
  await user.click(await button('New secret…'));
  await user.click(
    (await dialogOf('Create a new secret for Payroll?')).getByRole('button', { name: 'Create new secret' }),
  );
  expect((await dialogOf('Copy the secret now')).getByText('whsec_new')).toBeDefined();
});

test('a delivery opens with its event, and is sent again', async () => {
  const again = `POST ${path}/deliveries/40/replay`;
  const { service, user } = open('/settings/webhooks?webhook=3&part=deliveries', {
    [`GET ${path}/deliveries`]: listOf([
      delivery(),
      delivery({
        id: 41,
        sequence: 81_235,
        status: 'pending',
        error: 'timeout',
        http_status: null,
        next_attempt_at: at,
      }),
    ]),
    [`GET ${path}/deliveries/40`]: itemOf({ ...delivery(), event }),
    [again]: itemOf(delivery({ status: 'pending' })),
  });
  await screen.findByText('No answer within 15 seconds');
  expect(screen.getByText('HTTP 500')).toBeDefined();
  await user.click(await button(/^employee\.created\s*81234/));
  const dialog = await dialogOf('employee.created');
  await dialog.findByText(/"employee_id": 57/);
  await user.click(dialog.getByRole('button', { name: 'Send again' }));
  await screen.findByText('1 event will be sent again.');
  expect(service.to(again)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Given up', pressed: false }));
  await screen.findByRole('button', { name: 'Given up', pressed: true });
  expect(service.to(`GET ${path}/deliveries`).at(-1)?.query.get('status')).toBe('dead');
});

test('all that were given up are sent again after a question', async () => {
  const { service, user } = open('/settings/webhooks?webhook=3', {
    [`POST ${path}/replay`]: itemOf({ queued: 1 }),
  });
  await user.click(await button('Send again…'));
  const dialog = await dialogOf('Send events to Payroll again');
  expect(dialog.getByLabelText('Events')).toHaveProperty('value', 'dead');
  await user.click(dialog.getByRole('button', { name: 'Send again' }));
  await screen.findByText('1 event will be sent again.');
  expect(service.to(`POST ${path}/replay`)[0]?.body).toEqual({ status: 'dead' });
});

test('the events stand with their permission and an example', async () => {
  const { user } = open('/settings/webhooks?webhook=3&part=types', {
    'GET /api/webhook-events': {
      body: {
        data: [
          { type: 'employee.created', permission: 'employees.view', example: event },
          {
            type: 'department.created',
            permission: 'departments.view',
            example: { ...event, type: 'department.created' },
          },
        ],
      },
    },
  });
  expect(await screen.findByText('not selected; needs departments.view')).toBeDefined();
  await user.click(screen.getByText('needs employees.view'));
  await screen.findByText(/"sequence": 81234/);
});

test('a paused one is resumed with what it kept', async () => {
  const actions = { allowed_actions: ['update', 'replay', 'resume', 'delete'] };
  const { service, user } = open('/settings/webhooks?webhook=3', {
    [`GET ${path}`]: itemOf(webhook({ status: 'paused', reason: 'person', ...actions })),
    [`POST ${path}/resume`]: itemOf(webhook()),
  });
  await user.click(await button('Resume…'));
  const dialog = await dialogOf('Resume Payroll?');
  expect(dialog.getByText('2 pending events will be sent, then new ones as they happen.')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Resume' }));
  await screen.findByText('Payroll is on.');
  expect(service.to(`POST ${path}/resume`)[0]?.body).toEqual({ revision: 5 });
});

test('deleting asks first, and leads to all of them', async () => {
  const { service, user, where } = open('/settings/webhooks?webhook=3', { [`DELETE ${path}`]: { status: 204 } });
  await user.click(await button('Delete…'));
  const dialog = await dialogOf('Delete Payroll?');
  expect(service.to(`DELETE ${path}`)).toHaveLength(0);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await screen.findByText('Payroll was deleted.');
  expect(where()).not.toContain('webhook=3');
});

test('everything since a moment is sent again, and too much is refused at it', async () => {
  const again = `POST ${path}/replay`;
  const refused = 'More than 10,000 events are concerned. Choose a later moment.';
  const { service, user } = open('/settings/webhooks?webhook=3', {
    [again]: { status: 422, body: { message: 'x', errors: { since: [refused] } } },
  });
  await user.click(await button('Send again…'));
  const dialog = await dialogOf('Send events to Payroll again');
  await user.selectOptions(dialog.getByLabelText('Events'), 'since');
  fill(dialog.getByLabelText(/^Day/), '2026-11-20');
  fill(dialog.getByLabelText(/^Time/), '08:30');
  await user.click(dialog.getByRole('button', { name: 'Send again' }));
  await dialog.findByText(refused);
  const since = new Date('2026-11-20T08:30').toISOString();
  expect(service.to(again)[0]?.body).toEqual({ since });
  service.replies[again] = itemOf({ queued: 12 });
  await user.click(dialog.getByRole('button', { name: 'Send again' }));
  await screen.findByText('12 events will be sent again.');
});

test('an event that the reader may not see is not shown', async () => {
  const { user } = open('/settings/webhooks?webhook=3&part=deliveries', {
    [`GET ${path}/deliveries`]: listOf([delivery()]),
    [`GET ${path}/deliveries/40`]: itemOf({ ...delivery(), event: null }),
  });
  await user.click(await button(/^employee\.created\s*81234/));
  const dialog = await dialogOf('employee.created');
  await dialog.findByText('You don’t have access to this event.');
  expect(dialog.queryByText(/"employee_id"/)).toBeNull();
});

test('deliveries are filtered by type', async () => {
  const { service, user, where } = open('/settings/webhooks?webhook=3&part=deliveries&status=dead', {
    [`GET ${path}/deliveries`]: listOf([delivery()]),
  });
  await user.selectOptions(await screen.findByLabelText('Event'), 'employee.updated');
  await expect.poll(() => service.to(`GET ${path}/deliveries`).at(-1)?.query.get('type')).toBe('employee.updated');
  expect(service.to(`GET ${path}/deliveries`).at(-1)?.query.get('status')).toBe('dead');
  expect(where()).toContain('type=employee.updated');
});
