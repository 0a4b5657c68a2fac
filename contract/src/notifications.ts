import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item, page } from './envelope.ts';
import { filters, listQuery } from './lists.ts';

export const notificationGroups = ['kpi', 'probation', 'employee', 'system'] as const;
export const notificationSeverities = ['info', 'action', 'warning'] as const;
export const notificationChannels = ['in_app', 'email'] as const;
type Group = (typeof notificationGroups)[number];
type Severity = (typeof notificationSeverities)[number];

/** Recipients of an event by their role in it. `hr`: those with the permission for the next step. */
export const audiences = [
  'subject',
  'reviewer',
  'old_reviewer',
  'assignee',
  'hr',
  'manager',
  'new_manager',
  'deputy',
  'department_managers',
  'creator',
  'admins',
] as const;
type Audience = (typeof audiences)[number];

type Kind = {
  group: Group;
  severity: Severity;
  recipients: readonly Audience[];
  /** Channels in a new installation; in-app is always on. */
  email: boolean;
  /** In-app cannot be switched off. */
  locked: boolean;
  lead_days: readonly number[] | null;
};

const kind =
  (email: boolean, locked: boolean) =>
  (group: Group, severity: Severity, recipients: readonly Audience[], lead_days: readonly number[] | null = null) =>
    ({ group, severity, recipients, email, locked, lead_days }) satisfies Kind;
const required = kind(true, true);
const mailed = kind(true, false);
const optional = kind(false, false);

/** Every event that notifies people. Add new ones at the end, because the API identifies an event by its position. */
const catalogue = {
  kpi_evaluation_assigned: required('kpi', 'action', ['subject']),
  kpi_hr_review_submitted: required('kpi', 'action', ['subject', 'reviewer', 'hr']),
  kpi_self_assessment_submitted: required('kpi', 'action', ['reviewer', 'hr']),
  kpi_manager_review_submitted: required('kpi', 'action', ['hr']),
  kpi_evaluation_accepted: optional('kpi', 'info', ['hr']),
  kpi_evaluation_disputed: required('kpi', 'action', ['hr', 'reviewer']),
  kpi_acceptance_lapsed: mailed('kpi', 'info', ['subject', 'hr']),
  kpi_evaluation_returned: required('kpi', 'action', ['subject', 'reviewer']),
  kpi_evaluation_completed: mailed('kpi', 'info', ['subject', 'reviewer']),
  kpi_evaluation_reopened: required('kpi', 'warning', ['subject', 'reviewer']),
  kpi_evaluation_cancelled: mailed('kpi', 'info', ['subject', 'reviewer']),
  kpi_reviewer_changed: required('kpi', 'action', ['old_reviewer', 'reviewer', 'hr']),
  kpi_extension_requested: required('kpi', 'action', ['hr']),
  kpi_extension_decided: required('kpi', 'info', ['subject']),
  kpi_deadline_reminder: required('kpi', 'action', ['assignee'], [7, 3, 1]),
  kpi_cycle_published: optional('kpi', 'info', ['hr', 'department_managers']),
  kpi_cycle_closed: optional('kpi', 'info', ['hr', 'department_managers']),
  kpi_cycle_window_changed: mailed('kpi', 'warning', ['assignee']),
  probation_review_created: required('probation', 'action', ['reviewer', 'hr']),
  probation_review_sent_back: required('probation', 'action', ['reviewer']),
  probation_review_submitted: required('probation', 'action', ['hr']),
  probation_review_recalled: required('probation', 'info', ['hr']),
  probation_review_approved: required('probation', 'info', ['subject', 'reviewer', 'hr']),
  probation_review_reverted: required('probation', 'warning', ['subject', 'reviewer', 'hr']),
  probation_review_cancelled: mailed('probation', 'info', ['reviewer']),
  probation_reviewer_changed: required('probation', 'action', ['old_reviewer', 'reviewer', 'hr']),
  probation_ending_reminder: mailed('probation', 'action', ['reviewer', 'hr'], [30, 14, 7, 1]),
  employee_created: optional('employee', 'info', ['hr', 'manager']),
  employee_confirmed: optional('employee', 'info', ['hr', 'manager', 'subject']),
  employee_separated: optional('employee', 'info', ['hr', 'manager']),
  job_change_applied: optional('employee', 'info', ['subject', 'new_manager']),
  password_reset_by_admin: required('system', 'warning', ['subject']),
  role_changed: required('system', 'info', ['subject']),
  account_security_notice: required('system', 'warning', ['subject']),
  import_finished: optional('system', 'info', ['creator']),
  password_link: required('system', 'action', ['subject']),
  password_shown: required('system', 'warning', ['admins']),
  job_change_cancelled: required('employee', 'warning', ['creator', 'hr']),
  probation_paused: mailed('probation', 'info', ['subject', 'reviewer', 'manager']),
  probation_review_shared: required('probation', 'action', ['subject', 'reviewer', 'hr']),
  probation_resumed: mailed('probation', 'info', ['subject', 'reviewer', 'manager']),
  absence_recorded: mailed('employee', 'info', ['subject', 'manager', 'deputy']),
  absence_ended: mailed('employee', 'info', ['subject', 'manager', 'deputy']),
  kpi_bulk_finished: optional('kpi', 'info', ['creator']),
  kpi_newly_eligible: required('kpi', 'action', ['assignee', 'hr']),
  backup_failed: mailed('system', 'warning', ['admins']),
  break_glass_used: required('system', 'warning', ['admins']),
  sso_provider_changed: mailed('system', 'warning', ['admins']),
  password_request: required('system', 'action', ['subject']),
  address_change: required('system', 'warning', ['subject', 'hr']),
  token_ending: mailed('system', 'action', ['subject'], [14, 7, 1]),
  people_waiting: mailed('employee', 'action', ['hr']),
  webhook_failing: mailed('system', 'warning', ['subject', 'admins']),
  chat_target_stopped: mailed('system', 'warning', ['admins']),
  certificate_ending: mailed('system', 'action', ['admins'], [30, 14, 7, 1]),
  provider_failing: mailed('system', 'warning', ['admins']),
} as const satisfies Record<string, Kind>;

export type NotificationEvent = keyof typeof catalogue;

export const notificationEvents = Object.keys(catalogue) as [NotificationEvent, ...NotificationEvent[]];

/** The catalogue as the service uses it; `id` is the position in it. */
export const notificationCatalogue = notificationEvents.map((event, index) => {
  const { locked, ...rest }: Kind = catalogue[event];
  return { id: index + 1, event, ...rest, in_app: true, locked_channels: locked ? (['in_app'] as const) : [] };
});

/** About the reader's account: always mailed if the installation sends mail, immediately, and never in a digest. */
export const isUrgent = (event: NotificationEvent): boolean =>
  catalogue[event].group === 'system' && catalogue[event].locked;

/** Channels of an event that users cannot switch off: mails that may reveal a stranger in the account. */
export const lockedForPeople = (event: NotificationEvent): readonly (typeof notificationChannels)[number][] =>
  isUrgent(event) ? ['in_app', 'email'] : catalogue[event].locked ? ['in_app'] : [];

export const severityOf = (event: NotificationEvent): Severity => catalogue[event].severity;

/** Variants of an event that need more or less action: a person who no longer reviews has nothing to do. */
export const severityByVariant: Readonly<Partial<Record<NotificationEvent, Readonly<Record<string, Severity>>>>> = {
  kpi_reviewer_changed: { former: 'info', former_several: 'info' },
  probation_reviewer_changed: { former: 'info' },
  probation_review_approved: { own: 'action', record: 'action' },
  probation_review_shared: { plain: 'info' },
};

export const Notification = z.object({
  id: z.int(),
  event: z.string().max(60),
  title: z.string().max(1_000),
  body: z.string().max(2_000),
  severity: z.enum(notificationSeverities),
  data: z.object({
    subject_type: z.string().max(60),
    subject_id: z.int().nullable(),
    url: z.string().max(500),
    actor_id: z.int().nullable(),
  }),
  read_at: instant.nullable(),
  created_at: instant,
});
export type Notification = z.output<typeof Notification>;

/**
 * Why a stream ends. `session`: this session is over; a client with another one, for example after a password change,
 * reconnects. `replaced`: the user has too many open pages, and this one polls instead. `restart`: reconnect.
 */
export const streamEnds = ['session', 'replaced', 'restart'] as const;

/** The events on the stream: the data by event name. */
export type StreamEvents = {
  /** Sent first. */
  ready: { unread: number };
  /** Something new, including what a reconnecting client has missed since its `Last-Event-ID`. */
  notification: Pick<Notification, 'id' | 'event' | 'title' | 'severity'> & { url: string; unread: number };
  /** Other pages of the user read or removed something, or many things happened at once: reload the lists. */
  counts: { unread: number };
  end: { reason: (typeof streamEnds)[number] };
};

const list = listQuery(['created_at', 'event'], {
  unread: filters.flag(),
  event: filters.oneOf(notificationEvents),
  severity: filters.oneOf(notificationSeverities),
});
const Count = z.object({ count: z.int() });
const own = { permission: 'signed in', scope: 'own' } as const;

export const notifications = {
  list: endpoint({
    ...own,
    method: 'GET',
    path: '/notifications',
    summary: 'List the own notifications',
    query: list,
    reply: page(Notification),
    status: 200,
  }),
  unreadCount: endpoint({
    ...own,
    method: 'GET',
    path: '/notifications/unread-count',
    summary: 'Count the own unread notifications',
    reply: item(Count),
    status: 200,
  }),
  readAll: endpoint({
    ...own,
    method: 'POST',
    path: '/notifications/read-all',
    summary: 'Mark the own notifications as read, all or those of the filters',
    query: list.omit({ page: true, per_page: true, sort_by: true, sort_direction: true }),
    reply: item(Count),
    status: 200,
  }),
  read: endpoint({
    ...own,
    method: 'POST',
    path: '/notifications/:id/read',
    summary: 'Mark an own notification as read',
    reply: item(Notification),
    status: 200,
  }),
  stream: endpoint({
    ...own,
    method: 'GET',
    path: '/notifications/stream',
    summary: 'Hear of new notifications as server-sent events, for as long as the session lives',
    stream: true,
    status: 200,
  }),
  delete: endpoint({
    ...own,
    method: 'DELETE',
    path: '/notifications/:id',
    summary: 'Remove an own notification',
    status: 204,
  }),
};
