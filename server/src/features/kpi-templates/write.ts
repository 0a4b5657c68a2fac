import type { KpiTemplateItem, kpiTemplates, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { changesBetween, record } from '../../audit.ts';
import type { Acting } from '../../audit.ts';
import { cut } from '@tenure/contract/cut';
import type { Db } from '../../db/connect.ts';
import { fold } from '../../db/fold.ts';
import { sentOf } from '../../db/values.ts';
import type { HandlerCtx, WriteCtx } from '../../http/context.ts';
import { forbiddenValue, HttpError, invalid, invalidFields, blocked, say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { counted, tally } from '../../counts.ts';
import { checkRevision } from '../../workflow/transition.ts';
import { mergeItems, totalsOf, writeItems } from './items.ts';
import { readItems, usageOf } from './queries.ts';
import type { TemplateRecord, Usage } from './queries.ts';
import { changedItems, check, plainScale, wordsOf } from './rules.ts';
import type { Item, Scale } from './rules.ts';

/** The author of a write: a request, or a job on behalf of a person. */
type Writing = Acting & { reason?: string };

export type Values = Scale &
  Pick<TemplateRecord, 'name' | 'description' | 'entity_id' | 'job_title' | 'grade' | 'status'>;

const blank = { description: null, entity_id: null, job_title: null, grade: null, status: 'active', ...plainScale };

/** Refuses a new template for a company outside the actor's scope, or a shared one. */
function requirePlace(actor: Actor, entityId: number | null): void {
  const reach = reachOf(actor, 'kpi-template.create');
  if (reachesEntity(reach, entityId)) return;
  if (entityId === null) throw forbiddenValue('entity_id', text('kpi_templates.needs_company'));
  throw invalid('entity_id', messages.unavailable);
}

const logged = (values: Values, items: readonly Item[]) => ({
  ...changesBetween({}, values),
  ...(items.length > 0 && { items: { from: null, to: items } }),
});

/** Stores a checked template. Returns its id. */
export async function insertTemplate(
  writing: Writing,
  fields: Partial<Values> & { name: string },
  items: readonly Item[],
) {
  const { db, reason = null } = writing;
  const values: Values = { ...blank, ...fields };
  const { id } = await db
    .insertInto('kpi_templates')
    .values({ ...values, ...totalsOf(items) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeItems(db, id, items);
  await record(writing, {
    action: 'kpi_template.created',
    subject_id: id,
    subject_label: values.name,
    entity_id: values.entity_id,
    changes: logged(values, items),
    reason,
  });
  return id;
}

/** The sent fields as they are stored. */
function storedFields<Fields extends { scale_words?: (string | null)[] | null | undefined }>(fields: Fields) {
  const { scale_words: words, ...others } = fields;
  return { ...sentOf(others), ...(words !== undefined && { scale_words: wordsOf(words) }) };
}

/** Adds a template. Returns its id. */
export async function createTemplate(ctx: HandlerCtx<typeof kpiTemplates.create>): Promise<number> {
  const { items: sent, ...fields } = ctx.body;
  const values: Values = { ...blank, ...storedFields(fields) };
  requirePlace(ctx.actor, values.entity_id);
  const { items, errors } = mergeItems(sent, []);
  Object.assign(errors, check({ ...values, items }));
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return insertTemplate(ctx, values, items);
}

export const scaleFields = ['scale_min', 'scale_max', 'score_step', 'scale_words'] as const;

/** Fields that cannot change; their stored value is accepted. */
function fixedFields(
  template: TemplateRecord,
  body: { entity_id?: number | null | undefined; status?: string | undefined },
) {
  const errors: FieldErrors = {};
  for (const field of ['entity_id', 'status'] as const)
    if (body[field] !== undefined && body[field] !== template[field])
      errors[field] = [say(field, text('validation.fixed_here'))];
  return errors;
}

/** The reason why scale and items cannot change: results of published cycles must stay comparable. */
export function inUse(publishedCycles: number): Text | undefined {
  if (publishedCycles === 0) return undefined;
  return text('kpi_templates.fixed_by_cycles', { list: counted('published_kpi_cycles', publishedCycles) });
}

function refuseInUse({ published_cycles }: Usage, template: TemplateRecord, field: string): void {
  const message = inUse(published_cycles);
  if (!message) return;
  const errors = { status: [message], [field]: [message] };
  throw new HttpError(422, { message, errors, status: template.status, revision: template.revision });
}

/** Writes changed fields; the version counts changes of items and scale. */
export async function updateTemplate(
  ctx: HandlerCtx<typeof kpiTemplates.update>,
  template: TemplateRecord,
): Promise<void> {
  const { db, body } = ctx;
  checkRevision(template, body, template.status);
  const { revision: _seen, items: sent, entity_id: _place, status: _state, ...fields } = body;
  const stored = await readItems(db, template.id);
  const { items, errors } = sent ? mergeItems(sent, stored) : { items: stored, errors: {} };
  const after = { ...template, ...storedFields(fields) };
  Object.assign(errors, fixedFields(template, body), check({ ...after, items }));
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  await changeTemplate(ctx, template, { fields: storedFields(fields), stored, items });
}

type Change = {
  fields: Partial<Values>;
  stored: readonly KpiTemplateItem[];
  items: readonly Item[];
};

/** Writes a checked change of a locked template, if there is any. */
export async function changeTemplate(writing: Writing, template: TemplateRecord, change: Change): Promise<void> {
  const { db, reason = null } = writing;
  const { fields, items } = change;
  const itemChanges = changedItems(change.stored, items);
  const changes = { ...changesBetween(template, fields), ...(itemChanges && { items: itemChanges }) };
  if (Object.keys(changes).length === 0) return;
  const essential = ['items', ...scaleFields].find((field) => field in changes);
  if (essential) refuseInUse(await usageOf(db, template.id), template, essential);
  if (itemChanges) await writeItems(db, template.id, items);
  await db
    .updateTable('kpi_templates')
    .set({ ...fields, ...(essential && { version: template.version + 1, ...totalsOf(items) }) })
    .where('id', '=', template.id)
    .execute();
  await record(writing, {
    action: 'kpi_template.updated',
    subject_id: template.id,
    subject_label: fields.name ?? template.name,
    entity_id: template.entity_id,
    changes,
    reason,
  });
}

const longestName = 150;

/** "Sales (copy)", or "Sales (copy 2)" if that is taken. */
async function copyName(db: Db, name: string, entityId: number | null): Promise<string> {
  const { rows } = await sql<{ key: string }>`
    select fold(name) as key from kpi_templates where coalesce(entity_id, 0) = ${entityId ?? 0}`.execute(db);
  const taken = new Set(rows.map(({ key }) => key));
  for (let n = 1; ; n += 1) {
    const ending = n === 1 ? ' (copy)' : ` (copy ${n})`;
    const found = `${cut(name, longestName - ending.length)}${ending}`;
    if (!taken.has(fold(found))) return found;
  }
}

/** Copies a template as a draft. Returns the id of the copy. */
export async function duplicateTemplate(
  ctx: HandlerCtx<typeof kpiTemplates.duplicate>,
  template: TemplateRecord,
): Promise<number> {
  const { db, body } = ctx;
  const entity_id = body.entity_id === undefined ? template.entity_id : body.entity_id;
  requirePlace(ctx.actor, entity_id);
  const items = (await readItems(db, template.id)).map((item) => ({ ...item, id: null }));
  const { description, job_title, grade, scale_min, scale_max, score_step, scale_words } = template;
  const name = body.name ?? (await copyName(db, template.name, entity_id));
  return insertTemplate(
    ctx,
    { name, description, entity_id, job_title, grade, scale_min, scale_max, score_step, scale_words, status: 'draft' },
    items,
  );
}

/** Deletes a template that no cycle uses. */
export async function deleteTemplate(doing: WriteCtx, template: TemplateRecord): Promise<void> {
  const { draft_cycles, published_cycles } = await usageOf(doing.db, template.id);
  const list = tally({ draft_kpi_cycles: draft_cycles, published_kpi_cycles: published_cycles });
  if (list) throw blocked('kpi_template', text('kpi_templates.cannot_be_deleted', { name: template.name, list }));
  await doing.db.deleteFrom('kpi_templates').where('id', '=', template.id).execute();
  await record(doing, {
    action: 'kpi_template.deleted',
    subject_id: template.id,
    subject_label: template.name,
    entity_id: template.entity_id,
  });
}
