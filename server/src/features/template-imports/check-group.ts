import type { KpiTemplateItem, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import type { Actor } from '../../access/actor.ts';
import { changesBetween } from '../../audit.ts';
import type { Changes } from '../../audit.ts';
import { sha256Hex } from '../../crypto/crypto.ts';
import { cut } from '@tenure/contract/cut';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import { keyOf } from '../../imports/record.ts';
import type { ImportRecord, Outcome } from '../../imports/record.ts';
import { formulaErrors, skippedCellWarnings } from '../../imports/remarks.ts';
import { itemOf } from '../kpi-templates/items.ts';
import { mayWrite } from '../kpi-templates/policy.ts';
import { changedItems, plainScale, problemsOf } from '../kpi-templates/rules.ts';
import type { Item, Problems } from '../kpi-templates/rules.ts';
import { inUse, scaleFields } from '../kpi-templates/write.ts';
import type { Values } from '../kpi-templates/write.ts';
import type { Existing } from './existing.ts';
import type { Group, Line } from './lines.ts';
import { hasNoItem, readLine } from './read-items.ts';
import type { ReadLine } from './read-items.ts';
import { templateFieldsOf } from './template-fields.ts';

/** What a commit writes for the rows of a template. */
export type Plan = {
  existing: Existing | undefined;
  name: string;
  entity_id: number | null;
  /** What the file says about the template; for an existing one without its status. */
  fields: Partial<Omit<Values, 'name' | 'entity_id'>>;
  items: Item[];
};

export type Checked = { outcomes: Outcome[]; plan: Plan | null };

/** A row with its results so far. */
type Looked = { line: Line; read: ReadLine; errors: FieldErrors; warnings: FieldErrors; changes: Changes | null };

const notPermitted = text('imports.row_not_permitted');
const maxItems = 50;

const fails = ({ errors }: Looked) => Object.keys(errors).length > 0;

function outcome({ line, errors, warnings, changes }: Looked, action: Outcome['action'], digest: string): Outcome {
  const isFailed = Object.keys(errors).length > 0;
  return {
    row: line.row,
    status: isFailed ? 'failed' : 'valid',
    action: isFailed ? 'none' : action,
    key: keyOf(line.meanings.template_name),
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

/** The item of a row; empty cells keep the stored item of that name. A new one with a direction is measured. */
function itemAt({ read }: Looked, place: number, stored: ReadonlyMap<string, KpiTemplateItem>): Item {
  const { item_name: name = '', item_description: description, weight = 0, sort_order, direction } = read;
  const before = stored.get(fold(name));
  const { item_type = before || (direction ?? null) === null ? undefined : 'measured' } = read;
  const { unit, target_value, baseline_value, tolerance_pct, cap_pct, prorate, evidence_required } = read;
  const measure = { item_type, direction, unit, target_value, baseline_value, tolerance_pct, cap_pct, prorate };
  const position = sort_order ?? before?.sort_order;
  return itemOf(
    { id: before?.id, name, weight, description, sort_order: position, evidence_required, ...measure },
    before,
    place,
  );
}

const columns: Readonly<Record<string, string>> = { name: 'item_name', description: 'item_description' };

/** Adds the problems of its item to each row, and those of the scale and the total to all rows. */
function addProblems(rows: readonly Looked[], { scale, items, total }: Problems): void {
  for (const [field, texts] of Object.entries(scale)) for (const one of texts) refuseAll(rows, field, say(field, one));
  for (const [index, problems] of items.entries())
    for (const [field, texts] of Object.entries(problems)) {
      const column = columns[field] ?? field;
      const errors = rows[index]?.errors;
      if (errors) errors[column] ??= texts.map((one) => say(column, one));
    }
  // the total is meaningless if a weight or a row is invalid
  if (total && !rows.some(fails)) refuseAll(rows, 'weight', total);
}

/** Fails the valid rows of a template with an invalid one, because a template is imported in full or not at all. */
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

/** An imported template becomes active, unless the file says otherwise and it is not active yet. */
const checkedStatus = (said: string | undefined, existing: Existing | undefined) =>
  existing?.template.status === 'active' ? 'active' : (said ?? 'active');

/** Checks the rows as a template; the permission has been checked before. */
function checkItems(rows: readonly Looked[], fields: Plan['fields'], existing: Existing | undefined): Item[] {
  const stored = new Map((existing?.items ?? []).map((item) => [fold(item.name), item]));
  const items = rows.filter(({ line }) => !isEmpty(rows, line)).map((row, index) => itemAt(row, index + 1, stored));
  const status = checkedStatus(fields.status, existing);
  addProblems(rows, problemsOf({ ...(existing?.template ?? plainScale), ...fields, status, items }));
  if (rows.length > maxItems)
    refuseAll(rows, 'template_name', say('items', text('validation.most_items', { most: maxItems })));
  return items;
}

/** An item under the names of its columns. */
const asColumns = ({ id: _id, name: item_name, description: item_description, ...others }: Item) => ({
  item_name,
  item_description,
  ...others,
});

/** Adds the changes of each row's item, and the removed items of an update. */
function addChanges(rows: readonly Looked[], items: readonly Item[], { items: before, template }: Existing): void {
  const known = new Map(before.map((item) => [item.id, item]));
  for (const [index, row] of rows.entries()) {
    const item = items[index];
    const stored = known.get(item?.id ?? 0);
    row.changes = changesBetween(stored ? asColumns(stored) : {}, item ? asColumns(item) : {});
  }
  const given = new Set(items.map(({ id }) => id));
  const removed = before.filter(({ id }) => !given.has(id)).map(({ name }) => name);
  const [first] = rows;
  if (first && removed.length > 0)
    first.warnings.items = [
      text('template_imports.items_removed', { name: template.name, items: cut(removed.join(', '), 800) }),
    ];
}

/** The changes of the template itself, under the names of their columns. */
function fieldChanges(existing: Existing, { description, ...fields }: Plan['fields']): Changes {
  return {
    ...changesBetween({ template_description: existing.template.description }, { template_description: description }),
    ...changesBetween(existing.template, fields),
  };
}

function planned(rows: readonly Looked[], plan: Plan): Checked {
  const { existing, name, items, entity_id, fields } = plan;
  const before = existing && [
    existing.template.id,
    existing.template.name,
    existing.template.description,
    existing.template.revision,
    existing.items,
  ];
  const digest = sha256Hex(JSON.stringify([before ?? null, name, entity_id, fields, items])).slice(0, 16);
  if (!existing) return { outcomes: rows.map((row) => outcome(row, 'create', digest)), plan };
  const changes = fieldChanges(existing, fields);
  const isChanged = Object.keys(changes).length > 0 || changedItems(existing.items, items) !== undefined;
  if (isChanged) addChanges(rows, items, existing);
  const [first] = rows;
  if (first) first.changes = { ...changes, ...first.changes };
  const action = isChanged ? 'update' : 'skip';
  const checked = rows.map((row) => outcome(row, action, isChanged ? digest : 'skip'));
  const outcomes = checked.map((one) => ({ ...one, subject_id: existing.template.id }));
  return { outcomes, plan: isChanged ? plan : null };
}

/** True for the row of a template without items. */
const isEmpty = (rows: readonly unknown[], line: Line) => rows.length === 1 && hasNoItem(line);

const needed = ['template_name', 'item_name', 'weight'] as const;

/** Why a template in use cannot be written: its scale and its items are fixed. */
function fixed(existing: Existing, items: readonly Item[], fields: Plan['fields']): Text | undefined {
  const scale = Object.fromEntries(scaleFields.map((field) => [field, fields[field]]));
  const isChanged = changedItems(existing.items, items) || Object.keys(changesBetween(existing.template, scale)).length;
  return isChanged ? inUse(existing.published_cycles) : undefined;
}

/** The fields to write: an import does not change the status of an existing template, and warns about it. */
function writtenFields(rows: readonly Looked[], said: Plan['fields'], existing: Existing | undefined): Plan['fields'] {
  if (!existing) return said;
  const { status, ...fields } = said;
  if (status && status !== existing.template.status)
    for (const { warnings } of rows.slice(0, 1)) warnings.status = [text('template_imports.state_stays')];
  return fields;
}

/** Checks the rows of a template together: outcome, errors, and what a commit writes. */
export function checkGroup({ actor, record }: ImportContext, group: Group, existing: Existing | undefined): Checked {
  const rows = group.lines.map((line): Looked => {
    const { read, errors } = readLine(line, isEmpty(group.lines, line) ? ['template_name'] : needed);
    const wrong = { ...errors, ...formulaErrors(record, line) };
    return { line, read, errors: wrong, warnings: skippedCellWarnings(record, line), changes: null };
  });
  const ended = (): Checked => ({ outcomes: rows.map((row) => outcome(row, 'skip', 'skip')), plan: null });
  if (existing && record.on_conflict === 'skip') {
    for (const row of rows) row.errors = {};
    const { outcomes } = ended();
    return { outcomes: outcomes.map((one) => ({ ...one, subject_id: existing.template.id })), plan: null };
  }
  if (existing && record.on_conflict === 'fail') refuseAll(rows, 'template_name', say('template_name', messages.taken));
  const refused = refusal(actor, group, existing);
  if (refused) refuseAll(rows, ...refused);
  const said = templateFieldsOf(rows);
  const items = checkItems(rows, said, existing);
  const fields = writtenFields(rows, said, existing);
  const used = existing && fixed(existing, items, fields);
  if (used && !rows.some(fails)) refuseAll(rows, 'template_name', used);
  followFailures(rows);
  if (rows.some(fails)) return ended();
  const name = rows[0]?.read.template_name ?? '';
  const entity_id = group.entity_id ?? null;
  return planned(rows, { existing, name, entity_id, items, fields });
}
