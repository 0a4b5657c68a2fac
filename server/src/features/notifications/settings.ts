import { messages, notificationCatalogue, text } from '@tenure/contract';
import type { NotificationEvent, NotificationSetting } from '@tenure/contract';
import type { BodyOut, notificationSettings, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import { fold } from '../../db/fold.ts';
import { wordsOf } from '../../db/lists.ts';
import type { Ctx, ServiceCtx } from '../../http/context.ts';
import { invalidFields, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { pageOffset, pageSize } from '../../http/paging.ts';
import { render } from '../../languages/languages.ts';
import { kindOf as nameOf } from '../../notifications/words.ts';
import { checkRevision } from '../../workflow/transition.ts';

type Stored = Pick<NotificationSetting, 'event' | 'in_app' | 'email' | 'lead_days' | 'revision' | 'updated_at'>;
type ListQuery = QueryOut<typeof notificationSettings.list>;
type Change = BodyOut<typeof notificationSettings.updateAll>['events'][number];

export const lockedMessage = text('notifications.channel_fixed');

async function stored({ db }: Pick<Ctx, 'db'>, events: readonly NotificationEvent[], lock = false): Promise<Stored[]> {
  const { rows } = await sql<Stored>`
    select event, in_app, email, lead_days, revision, updated_at from notification_settings
    where event = any(${events}::text[]) order by event ${lock ? sql`for update` : sql``}`.execute(db);
  return rows;
}

const kinds = new Map(notificationCatalogue.map((kind) => [kind.event, kind]));
const kindOf = (event: NotificationEvent) => kinds.get(event) as (typeof notificationCatalogue)[number];

function present({ request, deps }: ServiceCtx, setting: Stored): NotificationSetting {
  const { id, group, severity, recipients, locked_channels } = kindOf(setting.event);
  return {
    ...setting,
    id,
    group,
    severity,
    label: render(request.language, nameOf(setting.event)),
    recipients: [...recipients],
    locked_channels: [...locked_channels],
    mail_is_on: deps.config.SMTP_URL !== undefined,
  };
}

/** The settings of these events, in the order of the catalogue. */
export async function settingsOf(
  ctx: ServiceCtx,
  events: readonly NotificationEvent[],
): Promise<NotificationSetting[]> {
  const rows = await stored(ctx, events);
  return rows.map((row) => present(ctx, row)).toSorted((a, b) => a.id - b.id);
}

/** The setting of an event in the catalogue; each event has a row. */
export async function settingOf(ctx: ServiceCtx, event: NotificationEvent): Promise<NotificationSetting> {
  return (await settingsOf(ctx, [event]))[0] as NotificationSetting;
}

/** Filters in memory: there are a few dozen settings, named in the reader's language. */
export async function listSettings(ctx: ServiceCtx, query: ListQuery) {
  const all = await settingsOf(ctx, [...kinds.keys()]);
  const words = wordsOf(query.search).map(fold);
  const found = all.filter(
    ({ group, label, event }) =>
      (!query.group || query.group.includes(group)) && words.every((word) => fold(`${label} ${event}`).includes(word)),
  );
  const by = query.sort_by ?? 'id';
  const sign = query.sort_direction === 'desc' ? -1 : 1;
  const order = (a: NotificationSetting, b: NotificationSetting) =>
    by !== 'id' && a[by] !== b[by] ? (a[by] < b[by] ? -1 : 1) * sign : (a.id - b.id) * (by === 'id' ? sign : 1);
  const start = pageOffset(query);
  return { rows: found.toSorted(order).slice(start, start + pageSize(query)), total: found.length };
}

function refusals({ event, in_app, lead_days }: Change, field: (name: string) => string): FieldErrors {
  const { locked_channels, lead_days: days } = kindOf(event);
  const errors: FieldErrors = {};
  if (in_app === false && locked_channels.length > 0) errors[field('in_app')] = [lockedMessage];
  if (lead_days && days === null) errors[field('lead_days')] = [say(field('lead_days'), messages.prohibited)];
  return errors;
}

function refuseWrong(changes: readonly Change[], fieldOf: (index: number) => (name: string) => string) {
  const errors: FieldErrors = {};
  for (const [index, change] of changes.entries()) {
    const field = fieldOf(index);
    Object.assign(errors, refusals(change, field));
    if (changes.findIndex(({ event }) => event === change.event) < index)
      errors[field('event')] = [say(field('event'), text('validation.duplicate'))];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

async function change(doing: ServiceCtx, before: Stored, { event, revision, lead_days, ...channels }: Change) {
  checkRevision(before, { revision }, before.in_app || before.email ? 'on' : 'off');
  const days = lead_days?.toSorted((a, b) => b - a);
  const changes = changesBetween(before, { ...channels, ...(days && { lead_days: days }) });
  if (Object.keys(changes).length === 0) return;
  const after = { ...before, ...Object.fromEntries(Object.entries(changes).map(([name, { to }]) => [name, to])) };
  await sql`
    update notification_settings
    set in_app = ${after.in_app}, email = ${after.email}, lead_days = ${after.lead_days}::int[]
    where event = ${event}`.execute(doing.db);
  await record(doing, {
    action: 'notification_setting.updated',
    subject_id: kindOf(event).id,
    subject_label: event,
    changes,
  });
}

/**
 * Changes settings, all or none. `fieldOf` gives the field in the body for the n-th change. Throws 422 for a locked
 * channel, and for lead days of an event without a due day.
 */
export async function changeSettings(
  doing: ServiceCtx,
  changes: readonly Change[],
  fieldOf: (index: number) => (name: string) => string,
): Promise<void> {
  refuseWrong(changes, fieldOf);
  const before = new Map(
    (
      await stored(
        doing,
        changes.map(({ event }) => event),
        true,
      )
    ).map((row) => [row.event, row]),
  );
  for (const one of changes) await change(doing, before.get(one.event) as Stored, one);
}
