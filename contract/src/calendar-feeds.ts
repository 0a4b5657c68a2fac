import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page } from './envelope.ts';
import { boolean, oneOf } from './fields.ts';
import { listQuery } from './lists.ts';

/** What a calendar can show: tasks by area, and the probation ends that the user may see. */
export const feedKinds = ['kpi_tasks', 'probation_tasks', 'other_tasks', 'probation_ends'] as const;
export type FeedKind = (typeof feedKinds)[number];

/** The most calendar addresses of a user. */
export const maxFeeds = 5;

/** Everything about a calendar address except the address itself. */
export const CalendarFeed = z.object({
  id: z.int(),
  kinds: z.array(z.enum(feedKinds)),
  /** Whether entries name people. */
  with_names: z.boolean(),
  created_at: instant,
  last_used_at: instant.nullable(),
  allowed_actions: allowedActions,
});
export type CalendarFeed = z.output<typeof CalendarFeed>;

const own = { permission: 'signed in', scope: 'own', accepts: 'session', path: '/profile/calendar-feeds' } as const;

/** Addresses at which calendar applications read the user's tasks. */
export const calendarFeeds = {
  list: endpoint({
    ...own,
    method: 'GET',
    summary: 'List the own calendar addresses',
    query: listQuery(['created_at', 'last_used_at'], {}),
    reply: page(CalendarFeed),
    status: 200,
  }),
  create: endpoint({
    ...own,
    ...confirmed,
    method: 'POST',
    summary: 'Make an address at which a calendar application reads the own due dates; shown once',
    body: z.object({
      kinds: z.array(oneOf(feedKinds)).min(1).max(feedKinds.length),
      with_names: boolean().optional(),
    }),
    reply: item(CalendarFeed).extend({ url: z.string().max(2_100) }),
    secret: true,
    status: 201,
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: '/profile/calendar-feeds/:id',
    summary: 'Remove an own calendar address, effective at its next request',
    status: 204,
  }),
};
