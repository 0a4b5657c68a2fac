import * as z from 'zod';
import { confirmed, endpoint } from './endpoint.ts';
import { allowedActions, instant, item, page, stamps } from './envelope.ts';
import { changes, id, integer, isTimeZone, languageTag, oneOf, revision, text } from './fields.ts';
import { listQuery } from './lists.ts';
import { messages } from './messages.ts';
import { asIssue } from './texts.ts';
import { deliveryErrors } from './webhooks.ts';

/** Mattermost accepts Slack's format; Teams gets an Adaptive Card through Workflows. */
export const chatKinds = ['slack', 'mattermost', 'teams'] as const;
/** What a post counts. */
export const chatCounts = [
  'probation_reviews',
  'probation_decisions',
  'probation_ends',
  'self_assessments',
  'kpi_reviews',
  'kpi_decisions',
] as const;
export type ChatCount = (typeof chatCounts)[number];

export const chatStatuses = ['active', 'stopped'] as const;
/**
 * Why a target is stopped. Concerns the responsible user: the account is gone or closed, they may no longer manage
 * targets, or they may not see all that it counts.
 */
export const chatReasons = ['account', 'permission', 'counts'] as const;

/** The most chat targets of an installation. */
export const maxChatTargets = 50;

/** A channel that receives counts and links, never names or scores. */
export const ChatTarget = z.object({
  id: z.int(),
  name: z.string().max(60),
  kind: z.enum(chatKinds),
  /** The host of its address, which is secret. */
  host: z.string().max(255),
  /** The companies to count; null for all. */
  entity_ids: z.array(z.int()).nullable(),
  counts: z.array(z.enum(chatCounts)),
  /** 1 for Monday to 7; null for every day. */
  weekday: z.int().nullable(),
  /** The hour in its time zone from which it posts. */
  hour: z.int(),
  timezone: z.string().max(60),
  language: z.string().max(35),
  /** A stopped target posts nothing until a user who may see all that it counts resumes it. */
  status: z.enum(chatStatuses),
  reason: z.enum(chatReasons).nullable(),
  /** The last attempt, and its outcome. */
  tried_at: instant.nullable(),
  http_status: z.int().nullable(),
  error: z.enum(deliveryErrors).nullable(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type ChatTarget = z.output<typeof ChatTarget>;

const about = z.object({
  name: text(60, 2),
  kind: oneOf(chatKinds),
  url: text(1_000, 1).meta({ format: 'uri' }),
  entity_ids: z.array(id()).min(1).max(500).nullish(),
  counts: z.array(oneOf(chatCounts)).min(1).max(chatCounts.length),
  weekday: integer(1, 7).nullish(),
  hour: integer(0, 23),
  timezone: text(60, 1).refine(isTimeZone, { error: asIssue(messages.selected) }),
  language: languageTag(),
});

const path = '/chat-targets/:id';
const manage = { permission: 'webhooks.manage', scope: 'everything' } as const;
const reply = item(ChatTarget);

export const chatTargets = {
  list: endpoint({
    ...manage,
    method: 'GET',
    path: '/chat-targets',
    summary: 'List chat targets',
    query: listQuery(['name', 'created_at', 'tried_at'], {}),
    reply: page(ChatTarget),
    status: 200,
  }),
  get: endpoint({ ...manage, method: 'GET', path, summary: 'Read a chat target', reply, status: 200 }),
  create: endpoint({
    ...manage,
    ...confirmed,
    method: 'POST',
    path: '/chat-targets',
    summary: 'Add a channel that gets numbers of what is due, with links and without names',
    body: about,
    reply,
    status: 201,
  }),
  update: endpoint({
    ...manage,
    ...confirmed,
    method: 'PUT',
    path,
    summary: 'Change a chat target',
    body: changes(about, revision),
    reply,
    status: 200,
  }),
  delete: endpoint({ ...manage, method: 'DELETE', path, summary: 'Delete a chat target', status: 204 }),
  resume: endpoint({
    ...manage,
    accepts: 'session',
    method: 'POST',
    path: `${path}/resume`,
    summary: 'Let a stopped chat target post again; the caller answers for it from then on',
    body: z.object(revision),
    reply,
    status: 200,
  }),
  test: endpoint({
    ...manage,
    method: 'POST',
    path: `${path}/test`,
    summary: 'Post a test message to a chat target, and see the answer',
    reply: item(
      z.object({ is_sent: z.boolean(), http_status: z.int().nullable(), error: z.enum(deliveryErrors).nullable() }),
    ),
    status: 200,
  }),
};
