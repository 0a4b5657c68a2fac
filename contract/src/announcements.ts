import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { allowedActions, day, item, page, Ref, stamps } from './envelope.ts';
import { date, id, revision, text } from './fields.ts';
import { filters, listQuery } from './lists.ts';

/** The most announcements of a company that have not ended; one for all companies counts for each. */
export const maxAnnouncements = 20;

const states = ['planned', 'running', 'ended'] as const;
export const announcementStates = states;

/** A message from HR on the home page of the people in one or more companies. */
export const Announcement = z.object({
  id: z.int(),
  title: z.string().max(120),
  /** Plain text; the application turns web addresses into links. */
  body: z.string().max(4_000),
  /** Null: for all companies. */
  entities: z.array(Ref).nullable(),
  starts_on: day,
  /** The last day on which it is shown. */
  ends_on: day,
  /** By the calendars of its companies: it is running while any of them shows it. */
  state: z.enum(states),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type Announcement = z.output<typeof Announcement>;

const path = '/announcements/:id';
const reply = item(Announcement);
const manage = { permission: 'announcements.manage', scope: 'scoped' } as const;
/** Null: all companies. */
const entity_ids = z.array(id()).min(1).max(1_000).nullish();

export const announcements = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/announcements',
    summary: 'List the announcements for the companies in scope',
    query: listQuery(['starts_on', 'ends_on'], { entity_id: filters.ids(), state: filters.oneOf(states) }),
    reply: page(Announcement),
    status: 200,
  }),
  get: endpoint({ ...manage, method: 'GET', path, summary: 'Read an announcement', reply, status: 200 }),
  create: endpoint({
    ...manage,
    method: 'POST',
    path: '/announcements',
    summary: 'Announce something to the people of some companies, or of all',
    body: z.object({ title: text(120, 2), body: text(4_000, 2), entity_ids, starts_on: date(), ends_on: date() }),
    reply,
    status: 201,
  }),
  update: endpoint({
    ...manage,
    method: 'PUT',
    path,
    summary: 'Change an announcement',
    body: z.object({
      title: text(120, 2).optional(),
      body: text(4_000, 2).optional(),
      entity_ids,
      starts_on: date().optional(),
      ends_on: date().optional(),
      ...revision,
    }),
    reply,
    status: 200,
  }),
  delete: endpoint({ ...manage, method: 'DELETE', path, summary: 'Delete an announcement', status: 204 }),
  dismiss: endpoint({
    method: 'POST',
    path: '/announcements/:id/dismissal',
    summary: 'Hide an announcement from the own home page',
    permission: 'signed in',
    scope: 'own',
    status: 204,
  }),
  restore: endpoint({
    method: 'DELETE',
    path: '/announcements/:id/dismissal',
    summary: 'Show a hidden announcement on the own home page again',
    permission: 'signed in',
    scope: 'own',
    status: 204,
  }),
};
