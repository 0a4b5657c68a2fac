import type { KpiTemplateItem, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';

/** What a template is to hold; an item that is not stored yet has no id. Weights in percent. */
export type Item = Omit<KpiTemplateItem, 'id'> & { id: number | null };
export type Scale = { scale_min: number; scale_max: number; score_step: number };
export type Draft = Scale & { status: string; items: readonly Item[] };

/** What an item is of which nothing is said but its name and weight. */
export const plainItem: Omit<Item, 'name' | 'weight' | 'sort_order'> = {
  id: null,
  description: null,
  evidence_required: false,
  item_type: 'rating',
  direction: null,
  unit: null,
  target_value: null,
  baseline_value: null,
  tolerance_pct: null,
  cap_pct: null,
};

export const plainScale: Scale = { scale_min: 1, scale_max: 5, score_step: 1 };

/** The whole weight of a template. */
export const wholeWeight = 10_000;

/** Percent with two decimals as whole basis points. */
export const basisPoints = (percent: number): number => Math.round(percent * 100);

/** The sum of weights in basis points, exact whatever they are. */
export const totalOf = (items: readonly { weight: number }[]): number =>
  items.reduce((sum, { weight }) => sum + basisPoints(weight), 0);

/** `99.99` for 9999 basis points. */
export const percentText = (points: number): string => (points / 100).toFixed(2);

/** Why items of this weight cannot be used, or undefined when they add up to exactly 100.00. */
export function wrongTotal(items: readonly { weight: number }[]): Text | undefined {
  const total = totalOf(items);
  return total === wholeWeight && items.length > 0
    ? undefined
    : text('validation.weights_add_up', { total: total / 100 });
}

const measures = ['direction', 'target_value', 'baseline_value', 'tolerance_pct', 'cap_pct'] as const;

function targetProblems({ direction, target_value: target, baseline_value: baseline }: Item): FieldErrors {
  if (direction === null || direction === 'boolean' || target === null) return {};
  if (baseline === null) return target < 0 ? { baseline_value: [text('kpi_templates.baseline_needed')] } : {};
  if (baseline === target) return { baseline_value: [text('kpi_templates.baseline_equals_target')] };
  if (direction === 'higher_better' && baseline > target)
    return { baseline_value: [text('kpi_templates.target_must_be_greater')] };
  if (direction === 'lower_better' && baseline < target)
    return { baseline_value: [text('kpi_templates.target_must_be_less')] };
  return {};
}

/** What is wrong with an item by itself; a draft may still lack its direction and target. */
function itemProblems(item: Item, { scale_min, scale_max, score_step, status }: Draft): FieldErrors {
  if (item.item_type === 'rating')
    return Object.fromEntries(
      measures.filter((field) => item[field] !== null).map((field) => [field, [messages.prohibited]]),
    );
  const needs = (field: 'direction' | 'target_value'): FieldErrors =>
    status === 'active' && item[field] === null ? { [field]: [messages.required] } : {};
  return {
    ...(scale_min === 1 && scale_max === 5 && score_step === 1
      ? {}
      : { item_type: [text('kpi_templates.measured_scale')] }),
    ...needs('direction'),
    ...(item.direction === 'boolean' ? {} : needs('target_value')),
    ...targetProblems(item),
  };
}

/** What is wrong with a template, by where it is; messages may hold `:attribute`. */
export type Problems = {
  scale: FieldErrors;
  /** For each item in its place. */
  items: FieldErrors[];
  /** Why the weights of all items cannot be used. */
  total: Text | undefined;
};

/** Judges scale and items together. */
export function problemsOf(draft: Draft): Problems {
  const { scale_min, scale_max, status, items } = draft;
  const names = items.map(({ name }) => fold(name));
  return {
    scale: scale_min < scale_max ? {} : { scale_max: [text('kpi_templates.scale_order')] },
    items: items.map((item, index) => ({
      ...itemProblems(item, draft),
      ...(names.indexOf(names[index] ?? '') !== index && { name: [text('validation.duplicate')] }),
    })),
    total: status === 'active' ? wrongTotal(items) : undefined,
  };
}

/** The same as a form is told: errors of an item stand under `items.<place>.<field>`. */
export function judge(draft: Draft): FieldErrors {
  const { scale, items, total } = problemsOf(draft);
  const fields = items.flatMap((problems, index) =>
    Object.entries(problems).map(([field, texts]) => [`items.${index}.${field}`, texts] as const),
  );
  const said = [...Object.entries(scale), ...fields].map(([key, texts]) => [key, texts.map((one) => say(key, one))]);
  return { ...(Object.fromEntries(said) as FieldErrors), ...(total && { items: [total] }) };
}

/** What an item holds beside its id. */
export const itemFields = [
  'name',
  'description',
  'weight',
  'sort_order',
  'evidence_required',
  'item_type',
  'direction',
  'unit',
  'target_value',
  'baseline_value',
  'tolerance_pct',
  'cap_pct',
] as const;

/** The items that differ, as the log shows them; undefined when all stay as they are. */
export function changedItems(before: readonly KpiTemplateItem[], after: readonly Item[]) {
  const told = (item: Item) => JSON.stringify([item.id, ...itemFields.map((field) => item[field])]);
  const [old, fresh] = [new Set(before.map(told)), new Set(after.map(told))];
  const from = before.filter((item) => !fresh.has(told(item)));
  const to = after.filter((item) => !old.has(told(item)));
  return from.length + to.length > 0 ? { from, to } : undefined;
}
