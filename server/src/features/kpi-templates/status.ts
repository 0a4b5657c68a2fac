import { stateOf } from '../../states.ts';
import { text } from '@tenure/contract';
import { record } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { conflict, HttpError, summary } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { counted } from '../../counts.ts';
import { transition } from '../../workflow/transition.ts';
import { readItems, usageOf } from './queries.ts';
import type { TemplateRecord } from './queries.ts';
import { check } from './rules.ts';

type Change = WriteCtx & { body: { revision?: number | undefined } };

type Step = { from: readonly string[]; to: string; done: 'activated' | 'archived' };

async function move({ body, ...ctx }: Change, template: TemplateRecord, { from, to, done }: Step): Promise<void> {
  await transition(ctx.db, {
    table: 'kpi_templates',
    column: 'status',
    id: template.id,
    from,
    to,
    revision: body.revision,
    refusal: (status) => text(`kpi_templates.cannot_be_${done}`, { state: stateOf(status) }),
  });
  await record(ctx, {
    action: `kpi_template.${done}`,
    subject_id: template.id,
    subject_label: template.name,
    entity_id: template.entity_id,
    changes: { status: { from: template.status, to } },
  });
}

/** A failed guard as an error of the status and of its fields. */
function guard({ status, revision }: TemplateRecord, errors: FieldErrors): HttpError {
  const message = summary(errors);
  return new HttpError(422, { message, errors: { status: [message], ...errors }, status, revision });
}

/** Activates a complete template. */
export async function activateTemplate(ctx: Change, template: TemplateRecord): Promise<void> {
  const from = ['draft', 'archived'];
  if (from.includes(template.status)) {
    const errors = check({ ...template, status: 'active', items: await readItems(ctx.db, template.id) });
    if (Object.keys(errors).length > 0) throw guard(template, errors);
  }
  await move(ctx, template, { from, to: 'active', done: 'activated' });
}

/** Archives a template, unless departments will be published with it. */
export async function archiveTemplate(ctx: Change, template: TemplateRecord): Promise<void> {
  const { open_rows } = await usageOf(ctx.db, template.id);
  if (template.status === 'active' && open_rows > 0) {
    throw conflict(text('kpi_templates.in_open_cycles', { rows: counted('departments', open_rows) }), template);
  }
  await move(ctx, template, { from: ['active'], to: 'archived', done: 'archived' });
}
