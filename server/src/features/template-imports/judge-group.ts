import type { KpiTemplateItem } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { changesBetween } from '../../audit.ts';
import type { Changes } from '../../audit.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import type { ImportRecord, Outcome } from '../../imports/record.ts';
import { formulaErrors, leftOut } from '../../imports/remarks.ts';
import { mayWrite } from '../kpi-templates/policy.ts';
import { changedItems, plainItem, plainScale, problemsOf } from '../kpi-templates/rules.ts';
import type { Item, Problems } from '../kpi-templates/rules.ts';
import { inUse } from '../kpi-templates/write.ts';
import type { Existing } from './existing.ts';
import type { Group, Line } from './lines.ts';
import { readLine } from './read-items.ts';
import type { ReadLine } from './read-items.ts';

/** What a commit writes for the rows of a template. */
export type Plan = {
  existing: Existing | undefined;
  name: string;
  entity_id: number | null;
  /** Absent when the file has none. */
  description?: string | null;
  items: Item[];
};

export type Judged = { outcomes: Outcome[]; plan: Plan | null };

/** A row with its results so far. */
type Looked = { line: Line; read: ReadLine; errors: FieldErrors; warnings: FieldErrors; changes: Changes | null };

const notPermitted = text('imports.row_not_permitted');
const mostItems = 50;

const fails = ({ errors }: Looked) => Object.keys(errors).length > 0;

function outcome({ line, errors, warnings, changes }: Looked, action: Outcome['action'], digest: string): Outcome {
  const isFailed = Object.keys(errors).length > 0;
  return {
    row: line.row,
    status: isFailed ? 'failed' : 'valid',
    action: isFailed ? 'none' : action,
    key: line.meanings.template_name?.slice(0, 255) ?? null,
    subject_id: null,
    errors,
    warnings,
    changes: isFailed ? null : changes,
    digest: isFailed ? '' : digest,
  };
}

/** A skipped row has no effect. */
export const leftOutcome = (line: Line): Outcome =>
  outcome({ line, read: {}, errors: {}, warnings: {}, changes: null }, 'skip', 'skip');

const refuseAll = (rows: readonly Looked[], field: string, message: Message) => {
  for (const { errors } of rows) errors[field] ??= [message];
};

/** The item of a row; empty cells keep the stored item of that name. */
function itemOf({ read }: Looked, place: number, stored: ReadonlyMap<string, KpiTemplateItem>): Item {
  const name = read.item_name ?? '';
  const before = stored.get(fold(name));
  return {
    ...plainItem,
    ...before,
    name,
    weight: read.weight ?? 0,
    description: read.item_description === undefined ? (before?.description ?? null) : read.item_description,
    sort_order: read.sort_order ?? before?.sort_order ?? place,
  };
}

const columns: Readonly<Record<string, string>> = { name: 'item_name', description: 'item_description' };

/** Adds the problems of its item to each row, and those of the total to all rows. */
function addProblems(rows: readonly Looked[], { items, total }: Problems): void {
  for (const [index, problems] of items.entries())
    for (const [field, texts] of Object.entries(problems)) {
      const column = columns[field] ?? field;
      const errors = rows[index]?.errors;
      if (errors) errors[column] ??= texts.map((one) => say(column, one));
    }
  // the total means nothing where a weight or a row is invalid
  if (total && !rows.some(fails)) refuseAll(rows, 'weight', total);
}

/** Fails the valid rows of a template with an invalid one: a template is imported in full or not at all. */
function followFailures(rows: readonly Looked[]): void {
  const wrong = rows.filter(fails).map(({ line }) => line.row);
  const [first] = wrong;
  if (first === undefined) return;
  const message =
    wrong.length > 5
      ? text('template_imports.wrong_rows_and_more', { rows: wrong.slice(0, 5).join(', ') })
      : wrong.length > 1
        ? text('template_imports.wrong_rows', { rows: { list: wrong } })
        : text('template_imports.wrong_row', { row: first });
  for (const row of rows) if (!fails(row)) row.errors.template_name = [message];
}

/** The description of the template: the first given one; a different one is reported. */
function descriptionOf(rows: readonly Looked[]): string | null | undefined {
  const [first] = rows.filter(({ read }) => read.template_description !== undefined);
  const given = first?.read.template_description;
  for (const { read, warnings } of rows)
    if (first && read.template_description !== undefined && read.template_description !== given)
      warnings.template_description = [text('template_imports.description_of_row', { row: first.line.row })];
  return given;
}

/** The reason why the importer cannot write this template. */
function refusal(actor: Actor, { entity_id }: Group, existing: Existing | undefined): [string, Message] | undefined {
  if (existing) {
    return mayWrite(actor, 'kpi-template.update', existing.template) ? undefined : ['template_name', notPermitted];
  }
  const reach = reachOf(actor, 'kpi-template.create');
  if (entity_id !== undefined && reachesEntity(reach, entity_id)) return undefined;
  return entity_id === null ? ['template_name', notPermitted] : ['entity_id', say('entity_id', messages.unavailable)];
}

type ImportContext = { actor: Actor; record: ImportRecord };

/** Judges the rows as a template; the permission was checked before. */
function judgeItems(rows: readonly Looked[], existing: Existing | undefined): Item[] {
  const stored = new Map((existing?.items ?? []).map((item) => [fold(item.name), item]));
  const items = rows.map((row, index) => itemOf(row, index + 1, stored));
  addProblems(rows, problemsOf({ ...(existing?.template ?? plainScale), status: 'active', items }));
  if (rows.length > mostItems)
    refuseAll(rows, 'template_name', say('items', text('validation.most_items', { most: mostItems })));
  return items;
}

/** Adds the changes of each row's item, and the removed items of an update. */
function addChanges(rows: readonly Looked[], items: readonly Item[], { items: before, template }: Existing): void {
  const known = new Map(before.map((item) => [item.id, item]));
  for (const [index, row] of rows.entries()) {
    const item = items[index];
    const stored = known.get(item?.id ?? 0);
    row.changes = changesBetween(
      {
        item_name: stored?.name,
        weight: stored?.weight,
        item_description: stored?.description,
        sort_order: stored?.sort_order,
      },
      {
        item_name: item?.name,
        weight: item?.weight,
        item_description: item?.description,
        sort_order: item?.sort_order,
      },
    );
  }
  const given = new Set(items.map(({ id }) => id));
  const removed = before.filter(({ id }) => !given.has(id)).map(({ name }) => name);
  const [first] = rows;
  if (first && removed.length > 0)
    first.warnings.items = [
      text('template_imports.items_removed', { name: template.name, items: removed.join(', ').slice(0, 800) }),
    ];
}

function planned(rows: readonly Looked[], plan: Plan): Judged {
  const { existing, name, items, ...others } = plan;
  const before = existing && [
    existing.template.id,
    existing.template.name,
    existing.template.description,
    existing.items,
  ];
  const digest = sha256Hex(JSON.stringify([before ?? null, name, others, items])).slice(0, 16);
  if (!existing) return { outcomes: rows.map((row) => outcome(row, 'create', digest)), plan };
  const { description } = plan;
  const isChanged =
    (description !== undefined && description !== existing.template.description) ||
    changedItems(existing.items, items) !== undefined;
  if (isChanged) addChanges(rows, items, existing);
  const action = isChanged ? 'update' : 'skip';
  const judged = rows.map((row) => outcome(row, action, isChanged ? digest : 'skip'));
  const outcomes = judged.map((one) => ({ ...one, subject_id: existing.template.id }));
  return { outcomes, plan: isChanged ? plan : null };
}

/** Judges the rows of a template together: effect, errors, and what a commit writes. */
export function judgeGroup({ actor, record }: ImportContext, group: Group, existing: Existing | undefined): Judged {
  const rows = group.lines.map((line): Looked => {
    const { read, errors } = readLine(line);
    const wrong = { ...errors, ...formulaErrors(record, line) };
    return { line, read, errors: wrong, warnings: leftOut(record, line), changes: null };
  });
  const ended = (): Judged => ({ outcomes: rows.map((row) => outcome(row, 'skip', 'skip')), plan: null });
  if (existing && record.on_conflict === 'skip') {
    for (const row of rows) row.errors = {};
    const { outcomes } = ended();
    return { outcomes: outcomes.map((one) => ({ ...one, subject_id: existing.template.id })), plan: null };
  }
  if (existing && record.on_conflict === 'fail') refuseAll(rows, 'template_name', say('template_name', messages.taken));
  const refused = refusal(actor, group, existing);
  if (refused) refuseAll(rows, ...refused);
  const description = descriptionOf(rows);
  const items = judgeItems(rows, existing);
  const used = existing && changedItems(existing.items, items) ? inUse(existing.published_cycles) : undefined;
  if (used && !rows.some(fails)) refuseAll(rows, 'template_name', used);
  followFailures(rows);
  if (rows.some(fails)) return ended();
  const name = rows[0]?.read.template_name ?? '';
  const entity_id = group.entity_id ?? null;
  return planned(rows, { existing, name, entity_id, items, ...(description !== undefined && { description }) });
}
