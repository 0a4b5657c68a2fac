import { kpiTemplates, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import type { Ctx, ReadCtx } from '../../http/context.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { exportTemplates } from './export.ts';
import { requireWrite, templatesFor } from './policy.ts';
import { findTemplate, listTemplates, lockTemplate, readTemplate } from './queries.ts';
import type { TemplateRecord } from './queries.ts';
import { activateTemplate, archiveTemplate } from './status.ts';
import { createTemplate, deleteTemplate, duplicateTemplate, updateTemplate } from './write.ts';

/** Names are unique within a company, or among shared templates; nothing is revealed about names outside the scope. */
const name = ({ actor, id, sent }: Sent) =>
  taken(
    'name',
    sent['name'],
    sql`select from kpi_templates t where fold(t.name) = fold(${sent['name']}) and t.id is distinct from ${id}::bigint
          and ${templatesFor(actor, 'kpi-template.view')} and coalesce(t.entity_id, 0) = coalesce(
            (select own.entity_id from kpi_templates own where own.id = ${id}::bigint), ${sent['entity_id'] ?? null}::bigint, 0)`,
  );

type Changing = ReadCtx & { params: { id: number } };
type WritePermission = 'kpi-template.update' | 'kpi-template.delete';

/** Finds and locks a template for a change. */
const changing = (permission: WritePermission) => ({
  find: (ctx: Changing) => lockTemplate(ctx, ctx.params.id, permission),
  allow: ({ actor }: Pick<Ctx, 'actor'>, template: TemplateRecord) => requireWrite(actor, permission, template),
});

export const kpiTemplateRoutes = [
  bind(kpiTemplates.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listTemplates(ctx, ctx.query)),
  }),
  bind(kpiTemplates.export, { handle: exportTemplates }),
  bind(kpiTemplates.get, {
    find: (ctx) => findTemplate(ctx, ctx.params.id),
    handle: async (ctx) => read(await readTemplate(ctx, ctx.params.id)),
  }),
  bind(kpiTemplates.create, {
    lookUps: name,
    handle: async (ctx) => {
      const id = await createTemplate(ctx);
      return done(await readTemplate(ctx, id), text('kpi_templates.created'));
    },
  }),
  bind(kpiTemplates.duplicate, {
    find: (ctx) => lockTemplate(ctx, ctx.params.id, 'kpi-template.create'),
    handle: async (ctx, template) => {
      const id = await duplicateTemplate(ctx, template);
      return done(await readTemplate(ctx, id), text('kpi_templates.duplicated'));
    },
  }),
  bind(kpiTemplates.update, {
    ...changing('kpi-template.update'),
    lookUps: name,
    handle: async (ctx, template) => {
      await updateTemplate(ctx, template);
      return done(await readTemplate(ctx, template.id), text('kpi_templates.updated'));
    },
  }),
  bind(kpiTemplates.activate, {
    ...changing('kpi-template.update'),
    handle: async (ctx, template) => {
      await activateTemplate(ctx, template);
      return done(await readTemplate(ctx, template.id), text('kpi_templates.activated'));
    },
  }),
  bind(kpiTemplates.archive, {
    ...changing('kpi-template.update'),
    handle: async (ctx, template) => {
      await archiveTemplate(ctx, template);
      return done(await readTemplate(ctx, template.id), text('kpi_templates.archived'));
    },
  }),
  bind(kpiTemplates.delete, { ...changing('kpi-template.delete'), handle: deleteTemplate }),
];
