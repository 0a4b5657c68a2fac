import { lockedForPeople, messages, notificationCatalogue, text } from '@tenure/contract';
import type { BodyOut, NotificationEvent, NotificationPreferences, notificationPreferences } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { ServiceCtx } from '../../http/context.ts';
import { invalid, invalidFields } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { render } from '../../languages/languages.ts';
import { kindOf } from '../../notifications/words.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { lockedMessage } from './settings.ts';

type Body = BodyOut<typeof notificationPreferences.update>;
type Times = Pick<NotificationPreferences, 'digest' | 'quiet_from' | 'quiet_to' | 'time_zone' | 'revision'>;
type Channel = 'in_app' | 'email';
type Stored = Times & {
  effective_time_zone: string;
  /** `event:channel` pairs that the person muted. */
  muted: string[];
  /** Pairs that the installation switched off. */
  off: string[];
};

const channels = ['in_app', 'email'] as const satisfies Channel[];
const urgentMessage = text('notifications.security_mail_fixed');

async function stored({ db, actor }: ServiceCtx): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select coalesce(p.digest, 'immediate') as digest, to_char(p.quiet_from, 'HH24:MI') as quiet_from,
           to_char(p.quiet_to, 'HH24:MI') as quiet_to, p.time_zone, coalesce(p.revision, 1) as revision,
           coalesce(p.time_zone, c.timezone, 'UTC') as effective_time_zone,
           array(select event || ':' || channel from notification_mutes where user_id = u.id) as muted,
           array(select event || ':in_app' from notification_settings where not in_app
                 union all select event || ':email' from notification_settings where not email) as off
    from users u
    left join notification_preferences p on p.user_id = u.id
    left join employees e on e.user_id = u.id
    left join entities c on c.id = e.entity_id
    where u.id = ${actor.user_id}`.execute(db);
  return rows[0] as Stored;
}

/** Reads the channels and times of the user's own notifications. */
export async function readPreferences(ctx: ServiceCtx): Promise<NotificationPreferences> {
  const { muted, off, ...times } = await stored(ctx);
  const { language } = ctx.request;
  const wants = (event: NotificationEvent, channel: Channel) => !muted.includes(`${event}:${channel}`);
  return {
    ...times,
    mail_is_on: ctx.deps.config.SMTP_URL !== undefined,
    events: notificationCatalogue.map((kind) => ({
      event: kind.event,
      group: kind.group,
      label: render(language, kindOf(kind.event)),
      in_app: wants(kind.event, 'in_app'),
      email: wants(kind.event, 'email'),
      locked_channels: [...lockedForPeople(kind.event)],
      available_channels: channels.filter((channel) => !off.includes(`${kind.event}:${channel}`)),
    })),
  };
}

type Switch = { event: NotificationEvent; channel: Channel; on: boolean };

const switchesOf = (events: Body['events']): Switch[] =>
  (events ?? []).flatMap(({ event, ...wanted }) =>
    channels.flatMap((channel) => {
      const on = wanted[channel];
      return on === undefined ? [] : [{ event, channel, on }];
    }),
  );

function refuseLocked(events: Body['events']) {
  const errors: FieldErrors = {};
  for (const [index, sent] of (events ?? []).entries()) {
    for (const channel of lockedForPeople(sent.event))
      if (sent[channel] === false)
        errors[`events.${index}.${channel}`] = [channel === 'email' ? urgentMessage : lockedMessage];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

async function saveSwitches({ db, actor }: ServiceCtx, switches: readonly Switch[]): Promise<void> {
  const rows = sql`jsonb_to_recordset(${JSON.stringify(switches)}::jsonb) as s (event text, channel text, "on" boolean)`;
  await sql`
    delete from notification_mutes m using ${rows}
    where m.user_id = ${actor.user_id} and m.event = s.event and m.channel = s.channel and s."on"`.execute(db);
  await sql`
    insert into notification_mutes (user_id, event, channel)
    select ${actor.user_id}, s.event, s.channel from ${rows} where not s."on"
    on conflict do nothing`.execute(db);
}

async function saveTimes({ db, actor }: ServiceCtx, { digest, quiet_from, quiet_to, time_zone }: Times): Promise<void> {
  await sql`
    insert into notification_preferences (user_id, digest, quiet_from, quiet_to, time_zone, revision)
    values (${actor.user_id}, ${digest}, ${quiet_from}::time, ${quiet_to}::time, ${time_zone}, 2)
    on conflict (user_id) do update
    set digest = excluded.digest, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
        time_zone = excluded.time_zone`.execute(db);
  // pending mails use the new times
  await sql`
    update notification_deliveries set next_attempt_at = now()
    where user_id = ${actor.user_id} and status = 'pending' and attempts = 0`.execute(db);
}

const needsOther = (name: string) => invalid(name, text('validation.required'));

/**
 * Changes the sent preferences of the user's account. Throws 422 for a locked channel, and for half of a pair of times.
 */
export async function changePreferences(doing: ServiceCtx, { events, revision, ...sent }: Body): Promise<void> {
  await sql`select 1 from users where id = ${doing.actor.user_id} for no key update`.execute(doing.db);
  const before = await stored(doing);
  const after: Times = { ...before, ...Object.fromEntries(Object.entries(sent).filter(([, to]) => to !== undefined)) };
  if (after.quiet_from === null && after.quiet_to !== null) throw needsOther('quiet_from');
  if (after.quiet_to === null && after.quiet_from !== null) throw needsOther('quiet_to');
  if (after.quiet_from !== null && after.quiet_from === after.quiet_to) throw invalid('quiet_to', messages.selected);
  refuseLocked(events);
  checkRevision(before, { revision }, before.digest);
  const switches = switchesOf(events).filter(
    ({ event, channel, on }) => on === before.muted.includes(`${event}:${channel}`),
  );
  const changes = {
    ...changesBetween(before, sent),
    ...Object.fromEntries(switches.map(({ event, channel, on }) => [`${event}.${channel}`, { from: !on, to: on }])),
  };
  if (Object.keys(changes).length === 0) return;
  if (switches.length > 0) await saveSwitches(doing, switches);
  await saveTimes(doing, after);
  await record(doing, {
    action: 'account.updated',
    subject_id: doing.actor.user_id,
    subject_label: doing.actor.name,
    changes,
  });
}
