import { screen } from '@testing-library/react';
import { itemOf, listOf, serve, signedInAs } from './service.ts';
import { start } from './start.tsx';

/** A webhook as the service answers it, and the page of webhooks. */

export const at = '2026-11-20T09:00:00.000Z';
const hours = Array.from({ length: 24 }, (_, place) => ({ sent: place, failed: place === 23 ? 2 : 0 }));
export const webhook = (fields: object = {}) => ({
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
export const delivery = (fields: object = {}) => ({
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
export const event = {
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
export const path = '/api/webhooks/3';

/** The page, and the service behind it. */
export function open(address: string, replies: Parameters<typeof serve>[0] = {}) {
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
export const button = (name: string | RegExp) => screen.findByRole('button', { name });
