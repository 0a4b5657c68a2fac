import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item, page } from './envelope.ts';
import { boolean, integer, oneOf, revision } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import {
  audiences,
  notificationCatalogue,
  notificationChannels,
  notificationEvents,
  notificationGroups,
  notificationSeverities,
} from './notifications.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';

export const NotificationSetting = z.object({
  /** The position in the catalogue. */
  id: z.int(),
  event: z.enum(notificationEvents),
  group: z.enum(notificationGroups),
  severity: z.enum(notificationSeverities),
  /** What happened, in the reader's language. */
  label: z.string().max(255),
  in_app: z.boolean(),
  email: z.boolean(),
  recipients: z.array(z.enum(audiences)),
  /** Days before the due date; null if nothing is due. */
  lead_days: z.array(z.int()).nullable(),
  /** Users cannot switch these off. */
  locked_channels: z.array(z.enum(notificationChannels)),
  /** False while no mail server is configured: `email` is stored but has no effect. */
  mail_is_on: z.boolean(),
  revision: z.int(),
  updated_at: instant,
});
export type NotificationSetting = z.output<typeof NotificationSetting>;

const maxLeadDays = 10;
const leadDays = z
  .array(integer(0, 180))
  .max(maxLeadDays)
  .refine((days) => new Set(days).size === days.length, { error: asIssue(messages.duplicate) });

const fields = { in_app: boolean().optional(), email: boolean().optional(), lead_days: leadDays.optional() };

const manage = 'notification-settings.manage';
const one = {
  permission: manage,
  path: '/notification-settings/:event',
  words: { event: notificationEvents },
  reply: item(NotificationSetting),
  status: 200,
} as const;

export const notificationSettings = {
  list: endpoint({
    method: 'GET',
    path: '/notification-settings',
    summary: 'List the events that notify people, and their channels',
    permission: manage,
    scope: 'none',
    query: listQuery(['id', 'group', 'event'], { group: filters.oneOf(notificationGroups) }),
    reply: page(NotificationSetting),
    status: 200,
  }),
  updateAll: endpoint({
    method: 'PUT',
    path: '/notification-settings',
    summary: 'Change the settings of several events at once, all or none',
    permission: manage,
    scope: 'everything',
    body: z.object({
      events: z
        .array(z.object({ event: oneOf(notificationEvents), ...fields, ...revision }))
        .max(notificationCatalogue.length),
    }),
    reply: item(z.object({ events: z.array(NotificationSetting) })),
    status: 200,
  }),
  get: endpoint({ ...one, method: 'GET', summary: 'Read the setting of an event', scope: 'none' }),
  update: endpoint({
    ...one,
    method: 'PUT',
    summary: 'Change the setting of an event',
    scope: 'everything',
    body: z.object({ ...fields, ...revision }),
  }),
  test: endpoint({
    ...one,
    method: 'POST',
    path: '/notification-settings/:event/test',
    summary: 'Send a notification of an event to the user, through the channels that are on',
    scope: 'none',
    reply: item(
      z.object({
        in_app: z.enum(['sent', 'off']),
        /** `no_server`: none is configured. A `queued` mail is sent within seconds if the server accepts it. */
        email: z.enum(['queued', 'off', 'no_server']),
      }),
    ),
  }),
};
