import { consequences, entities, entityExportOrder, text } from '@tenure/contract';
import type { BodyOut } from '@tenure/contract';
import { sql } from 'kysely';
import { changesBetween, record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import { sentOf } from '../../db/values.ts';
import { bind } from '../../http/context.ts';
import type { ReadCtx, WriteCtx } from '../../http/context.ts';
import { exportFile } from '../../http/downloads.ts';
import type { ExportColumn } from '../../http/downloads.ts';
import { blocked } from '../../http/errors.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { addJob } from '../../jobs/queue.ts';
import { tally } from '../../counts.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { baseCode, uniqueCode } from './code.ts';
import { entityConsequences, findChangeable } from './consequences.ts';
import { allEntities, blockersOf, findEntity, listEntities, lockEntity, readEntity } from './queries.ts';

type Exported = Awaited<ReturnType<typeof allEntities>>[number];

const exported = (['id', ...entityExportOrder] as const).map((header): ExportColumn<Exported> => ({
  header,
  value: (row) => row[header],
  heading: text(`exports.headings.${header}`),
  ...(header === 'status' && { read: ({ status }) => text(`exports.statuses.${status}`) }),
}));

const codeLock = 7_365_044;

/** Generates the code of a company created without one; concurrent requests get different codes. */
async function freeCode(db: Db, name: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(${codeLock})`.execute(db);
  const taken = await db.selectFrom('entities').select('code').execute();
  return uniqueCode(baseCode(name), new Set(taken.map(({ code }) => code)));
}

async function createEntity(db: Db, { code, ...fields }: BodyOut<typeof entities.create>): Promise<number> {
  const values = { ...sentOf(fields), code: code ?? (await freeCode(db, fields.name)) };
  const { id } = await db.insertInto('entities').values(values).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Gives the language of a company to its people who have not signed in. */
const passOnLanguage = (db: Db, id: number) =>
  sql`
  update users u set locale = n.locale from employees e join entities n on n.id = e.entity_id
  where n.id = ${id} and e.user_id = u.id and u.last_login_at is null and not u.locale_chosen
    and u.locale <> n.locale`.execute(db);

/** Days of some steps count from a local day, so the due days of the company's evaluations move with its time zone. */
async function moveDueDays({ db, actor }: WriteCtx, id: number): Promise<void> {
  const { rows: cycles } = await sql<{ id: number; name: string; revision: number }>`
    select c.id, c.name, c.revision from kpi_cycles c
    where c.status = 'published' and exists (
      select from kpi_evaluations v where v.cycle_id = c.id and v.entity_id = ${id})`.execute(db);
  for (const cycle of cycles) await addJob(db, 'move_kpi_due_days', { cycle, after: 0, actor_id: actor.user_id });
}

async function refuseUnlessEmpty(asking: ReadCtx, entity: { id: number; name: string }): Promise<void> {
  const { departments, people, history, templates, cycles, evaluations, reviews } = await blockersOf(asking, entity.id);
  const list = tally({
    departments,
    people,
    job_history: history,
    kpi_templates: templates,
    kpi_cycles: cycles,
    kpi_evaluations: evaluations,
    probation_reviews: reviews,
  });
  if (list) throw blocked('entity', text('departments.cannot_be_deleted', { name: entity.name, list }));
}

const nameAndCode = ({ id, sent: { name, code } }: Sent) => [
  ...taken(
    'name',
    name,
    sql`select from entities where fold(name) = fold(${name}) and id is distinct from ${id}::bigint`,
  ),
  ...taken('code', code, sql`select from entities where code = ${code} and id is distinct from ${id}::bigint`),
];

export const entityRoutes = [
  bind(entities.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listEntities(ctx.db, ctx.actor, ctx.query)),
  }),
  bind(entities.export, {
    handle: async (ctx) => {
      const rows = await allEntities(ctx.db, ctx.actor, ctx.query);
      return exportFile(ctx, { name: 'entities', columns: exported, rows, count: rows.length });
    },
  }),
  bind(entities.get, {
    find: (ctx) => findEntity(ctx.db, ctx.actor, ctx.params.id),
    handle: async (ctx) => read(await readEntity(ctx.db, ctx.actor, ctx.params.id)),
  }),
  bind(consequences.ofEntity, {
    find: (ctx) => findChangeable(ctx, ctx.params.id),
    handle: async (ctx, entity) => read(await entityConsequences(ctx, entity)),
  }),
  bind(entities.create, {
    lookUps: nameAndCode,
    handle: async (ctx) => {
      const id = await createEntity(ctx.db, ctx.body);
      const created = await readEntity(ctx.db, ctx.actor, id);
      await record(ctx, {
        action: 'entity.created',
        subject_id: id,
        subject_label: created.name,
        entity_id: id,
        changes: changesBetween({}, sentOf({ ...ctx.body, code: created.code })),
      });
      return done(created, text('departments.company_created'));
    },
  }),
  bind(entities.update, {
    lookUps: nameAndCode,
    find: (ctx) => lockEntity(ctx.db, ctx.actor, ctx.params.id, 'entities.update'),
    handle: async (ctx, before) => {
      checkRevision(before, ctx.body, before.status);
      const { revision: _seen, ...body } = ctx.body;
      const fields = sentOf(body);
      const changes = changesBetween(before, fields);
      if (Object.keys(changes).length > 0) {
        await ctx.db.updateTable('entities').set(fields).where('id', '=', before.id).execute();
        if (changes['locale']) await passOnLanguage(ctx.db, before.id);
        if (changes['timezone']) await moveDueDays(ctx, before.id);
        await record(ctx, {
          action: 'entity.updated',
          subject_id: before.id,
          subject_label: fields.name ?? before.name,
          entity_id: before.id,
          changes,
        });
      }
      return done(await readEntity(ctx.db, ctx.actor, before.id), text('departments.company_updated'));
    },
  }),
  bind(entities.delete, {
    find: (ctx) => lockEntity(ctx.db, ctx.actor, ctx.params.id, 'entities.delete'),
    handle: async (ctx, entity) => {
      await refuseUnlessEmpty(ctx, entity);
      await ctx.db.deleteFrom('entities').where('id', '=', entity.id).execute();
      await record(ctx, {
        action: 'entity.deleted',
        subject_id: entity.id,
        subject_label: entity.name,
        entity_id: entity.id,
      });
    },
  }),
];
