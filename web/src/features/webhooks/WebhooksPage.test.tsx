import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dialogOf, fill } from '../../testing/acts.ts';
import { itemOf, listOf, serve, signedInAs } from '../../testing/service.ts';
import { start } from '../../testing/start.tsx';

const at = '2026-11-20T09:00:00.000Z';
const hours = Array.from({ length: 24 }, (_, place) => ({ sent: place, failed: place === 23 ? 2 : 0 }));
const webhook = (fields: object = {}) => ({
  id: 3,
  name: 'Payroll',
  url: 'https://payroll.acme.example/hooks?key=1',
  types: ['employee.created'],
  service_account: { id: 9, name: 'Payroll reader', is_enabled: true },
  entity_ids: [1],
  signature: 'v1',
  public_key: null,
  previous_until: null,
  status: 'active',
  reason: null,
  hindrance: null,
  failing_since: null,
  failures: 0,
  pending_count: 2,
  dead_count: 1,
  last_sent_at: at,
  hours,
  revision: 5,
  created_at: at,
  updated_at: at,
  allowed_actions: ['update', 'secret', 'test', 'replay', 'pause', 'delete'],
  ...fields,
});
const delivery = (fields: object = {}) => ({
  id: 40,
  message_id: 'evt_81234_1',
  sequence: 81_234,
  type: 'employee.created',
  timestamp: at,
  status: 'dead',
  attempts: 10,
  tried_at: at,
  http_status: 500,
  error: 'status',
  ms: 31,
  next_attempt_at: null,
  created_at: at,
  allowed_actions: ['replay'],
  ...fields,
});
const event = {
  sequence: 81_234,
  type: 'employee.created',
  timestamp: at,
  data: { id: 57, entity_id: 1, employee_id: 57, changed: [], actor: { type: 'user' } },
};
const accounts = {
  body: {
    data: [{ id: 9, name: 'Payroll reader', is_enabled: true, types: ['employee.created', 'employee.updated'] }],
  },
};
const path = '/api/webhooks/3';

function open(address: string, replies: Parameters<typeof serve>[0] = {}) {
  const service = serve({
    'GET /api/me': signedInAs(['webhooks.manage']),
    'GET /api/webhooks': listOf([webhook()]),
    [`GET ${path}`]: itemOf(webhook()),
    'GET /api/webhook-accounts': accounts,
    'GET /api/entities': listOf([{ id: 1, name: 'Acme GmbH' }]),
    ...replies,
  });
  return { service, ...start(address) };
}
const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('without one the page says what webhooks are for', async () => {
  open('/settings/webhooks', { 'GET /api/webhooks': listOf([]) });
  await screen.findByText('No webhooks yet');
  expect(screen.getByRole('link', { name: 'Add webhook' }).getAttribute('href')).toContain('webhook=new');
});

test('they are listed with their receiver, why nothing leaves, and their last day', async () => {
  open('/settings/webhooks', {
    'GET /api/webhooks': listOf([
      webhook(),
      webhook({ id: 4, name: 'Access', failures: 3 }),
      webhook({ id: 5, name: 'Door', status: 'disabled', reason: 'gone' }),
      webhook({ id: 6, name: 'Mail', hindrance: 'no_token' }),
    ]),
  });
  const table = await screen.findByRole('region', { name: 'Webhooks' });
  const rows = within(table).getAllByRole('row').slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Payrollpayroll\.acme\.exampleOn276 arrived, 2 failed21/),
    expect.stringMatching(/^Accesspayroll\.acme\.exampleFailing/),
    expect.stringContaining('Disabled: the receiver wants no more events'),
    expect.stringContaining('Its service account has no token'),
  ]);
});

test('without a service account it leads to them', async () => {
  open('/settings/webhooks?webhook=new', { 'GET /api/webhook-accounts': { body: { data: [] } } });
  await screen.findByText('A webhook needs a service account');
  expect(screen.getByRole('link', { name: 'Go to access tokens' })).toBeDefined();
});

test('a new one is sent as typed, says what is wrong at its field, and shows its secret once', async () => {
  const create = 'POST /api/webhooks';
  const { service, user, where } = open('/settings/webhooks?webhook=new', {
    [create]: { status: 422, body: { message: 'x', errors: { url: ['This address cannot be reached from here.'] } } },
  });
  await user.type(await screen.findByLabelText(/^Name/), 'Payroll');
  await user.type(screen.getByLabelText(/^Address/), 'https://payroll.acme.example/hooks');
  await user.click(await button('Add webhook'));
  await screen.findByText('This address cannot be reached from here.');
  expect(service.to(create)[0]?.body).toEqual({
    name: 'Payroll',
    url: 'https://payroll.acme.example/hooks',
    service_account_id: 9,
  });
  service.replies[create] = { status: 201, body: { data: webhook(), message: '', secret: 'whsec_abc' } };
  await user.click(await button('Add webhook'));
  const dialog = await dialogOf('Copy the secret now');
  expect(dialog.getByText('whsec_abc')).toBeDefined();
  await user.click(dialog.getByRole('button', { name: 'Done' }));
  await screen.findByRole('heading', { level: 1, name: 'Payroll' });
  expect(where()).toContain('webhook=3');
});

test('only what changed is sent', async () => {
  const { service, user } = open('/settings/webhooks?webhook=3', { [`PUT ${path}`]: itemOf(webhook({ name: 'Pay' })) });
  fill(await screen.findByLabelText(/^Name/), 'Pay');
  await user.click(await button('Save changes'));
  await screen.findByText('Changes saved.');
  expect(service.to(`PUT ${path}`)[0]?.body).toEqual({ name: 'Pay', revision: 5 });
});

test('who may do less than its account can pause and delete it only', async () => {
  const { user } = open('/settings/webhooks?webhook=3', {
    [`GET ${path}`]: itemOf(webhook({ allowed_actions: ['pause', 'delete'] })),
  });
  await screen.findByText(/its service account may do more than you/);
  expect(screen.queryByRole('button', { name: 'New secret…' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Send test' })).toBeNull();
  // its deliveries would be refused, so they are not asked for
  await user.click(screen.getByRole('tab', { name: 'Deliveries' }));
  await screen.findByText('No access to its deliveries');
});

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
  await screen.findByText('1 event is sent again.');
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
  await screen.findByText('1 event is sent again.');
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
