import { messages } from '@tenure/contract';
import type { announcements } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import { sentOf } from '../../db/values.ts';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { invalid } from '../../http/errors.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { audienceOf, checkCount, daysIn } from './audience.ts';
import type { Audience } from './audience.ts';
import type { StoredAnnouncement } from './queries.ts';

type Days = { starts_on: string; ends_on: string };
type Shown = Pick<Days, 'ends_on'> & { entity_ids: Audience };

async function hasEnded({ db }: Pick<WriteCtx, 'db'>, { ends_on, entity_ids }: Shown): Promise<boolean> {
  const { earliest } = daysIn(sql`${entity_ids}::bigint[]`);
  const { rows } = await sql<{ is_over: boolean }>`select ${ends_on}::date < ${earliest} as is_over`.execute(db);
  return rows[0]?.is_over === true;
}

function checkOrder({ starts_on, ends_on }: Days): void {
  if (ends_on < starts_on) throw invalid('ends_on', messages.afterOrEqual({ field: 'starts_on' }));
}

/** The company of an audience of one, whose auditors can read the entry. */
const companyOf = (audience: Audience) => (audience?.length === 1 ? (audience[0] ?? null) : null);

/** Adds an announcement. Returns its id. */
export async function createAnnouncement(ctx: HandlerCtx<typeof announcements.create>): Promise<number> {
  const { title, body, starts_on, ends_on } = ctx.body;
  const entity_ids = await audienceOf(ctx, ctx.body.entity_ids ?? null);
  checkOrder(ctx.body);
  if (await hasEnded(ctx, { ends_on, entity_ids })) throw invalid('ends_on', messages.afterOrEqual('today'));
  await checkCount(ctx.db, entity_ids, null);
  const values = { title, body, entity_ids, starts_on, ends_on };
  const { id } = await ctx.db.insertInto('announcements').values(values).returning('id').executeTakeFirstOrThrow();
  await record(ctx, {
    action: 'announcement.created',
    subject_id: id,
    subject_label: title,
    entity_id: companyOf(entity_ids),
    changes: changesBetween({}, values),
  });
  return id;
}

/** Writes the changed fields of a locked announcement. An earlier last day ends it early. */
export async function updateAnnouncement(
  ctx: HandlerCtx<typeof announcements.update>,
  announcement: StoredAnnouncement,
): Promise<void> {
  const { revision, entity_ids, ...fields } = ctx.body;
  checkRevision(announcement, { revision }, (await hasEnded(ctx, announcement)) ? 'ended' : 'shown');
  const sent = {
    ...sentOf(fields),
    ...(entity_ids !== undefined && { entity_ids: await audienceOf(ctx, entity_ids) }),
  };
  const after = { ...announcement, ...sent };
  checkOrder(after);
  const changes = changesBetween(announcement, sent);
  if (Object.keys(changes).length === 0) return;
  if (!(await hasEnded(ctx, after))) await checkCount(ctx.db, after.entity_ids, announcement.id);
  await ctx.db.updateTable('announcements').set(sent).where('id', '=', announcement.id).execute();
  const company = companyOf(announcement.entity_ids);
  await record(ctx, {
    action: 'announcement.updated',
    subject_id: announcement.id,
    subject_label: after.title,
    entity_id: company === companyOf(after.entity_ids) ? company : null,
    changes,
  });
}

/** Removes a locked announcement. */
export async function deleteAnnouncement(ctx: WriteCtx, announcement: StoredAnnouncement): Promise<void> {
  const { id, title, body, entity_ids, starts_on, ends_on } = announcement;
  await ctx.db.deleteFrom('announcements').where('id', '=', id).execute();
  await record(ctx, {
    action: 'announcement.deleted',
    subject_id: id,
    subject_label: title,
    entity_id: companyOf(entity_ids),
    changes: changesBetween(
      { title, body, entity_ids, starts_on, ends_on },
      { title: null, body: null, entity_ids: null, starts_on: null, ends_on: null },
    ),
  });
}
