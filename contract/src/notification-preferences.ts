import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { boolean, isTimeZone, oneOf, pattern, revision, text } from './fields.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';
import {
  notificationCatalogue,
  notificationChannels,
  notificationEvents,
  notificationGroups,
} from './notifications.ts';

export const digests = ['immediate', 'daily'] as const;

/** `22:00` */
const timeOfDay = () => pattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 5);
const clock = z.string().max(5).nullable();

export const NotificationPreferences = z.object({
  /** `daily`: a day's mails are sent as one, at eight in the morning. */
  digest: z.enum(digests),
  /** No mails between these times, which span midnight if the end is earlier; both or neither. */
  quiet_from: clock,
  quiet_to: clock,
  /** Null: that of the company. */
  time_zone: z.string().max(60).nullable(),
  /** The time zone in effect. */
  effective_time_zone: z.string().max(60),
  mail_is_on: z.boolean(),
  events: z.array(
    z.object({
      event: z.enum(notificationEvents),
      group: z.enum(notificationGroups),
      label: z.string().max(255),
      /** The user's choice; it takes effect if the channel is available. */
      in_app: z.boolean(),
      email: z.boolean(),
      /** The user cannot switch these off. */
      locked_channels: z.array(z.enum(notificationChannels)),
      /** Channels that this installation has enabled. */
      available_channels: z.array(z.enum(notificationChannels)),
    }),
  ),
  revision: z.int(),
});
export type NotificationPreferences = z.output<typeof NotificationPreferences>;

const own = { permission: 'signed in', scope: 'own', path: '/profile/notification-preferences' } as const;

export const notificationPreferences = {
  get: endpoint({
    ...own,
    method: 'GET',
    summary: 'Read the notification preferences of the user',
    reply: item(NotificationPreferences),
    status: 200,
  }),
  update: endpoint({
    ...own,
    method: 'PUT',
    summary: 'Change the notification preferences of the user',
    body: z.object({
      digest: oneOf(digests).optional(),
      quiet_from: timeOfDay().nullish(),
      quiet_to: timeOfDay().nullish(),
      time_zone: text(60)
        .refine(isTimeZone, { error: asIssue(messages.selected) })
        .nullish(),
      /** Only those sent change. */
      events: z
        .array(
          z.object({
            event: oneOf(notificationEvents),
            in_app: boolean().optional(),
            email: boolean().optional(),
          }),
        )
        .max(notificationCatalogue.length)
        .optional(),
      ...revision,
    }),
    reply: item(NotificationPreferences),
    status: 200,
  }),
};
