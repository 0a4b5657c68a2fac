import type { KpiTemplateItem, Text } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';

/** An item of a template; a new item has no id. Weights are in percent. */
export type Item = Omit<KpiTemplateItem, 'id'> & { id: number | null };
export type Scale = { scale_min: number; scale_max: number; score_step: number; scale_words: string[] | null };
export type Draft = Scale & { status: string; items: readonly Item[] };

/** A new item, without its name and weight. */
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
  prorate: false,
};

export const plainScale: Scale = { scale_min: 1, scale_max: 5, score_step: 1, scale_words: null };

/** The total weight of a template. */
export const wholeWeight = 10_000;

/** A percentage with two decimals as integer basis points. */
export const basisPoints = (percent: number): number => Math.round(percent * 100);

/** The sum of weights in basis points, always exact. */
export const totalOf = (items: readonly { weight: number }[]): number =>
  items.reduce((sum, { weight }) => sum + basisPoints(weight), 0);

/** `99.99` for 9999 basis points. */
export const percentText = (points: number): string => (points / 100).toFixed(2);

/** The reason why these weights do not add up to exactly 100.00, or undefined. */
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

/** The errors of a single item; a draft can lack its direction and target. */
function itemProblems(item: Item, { scale_min, scale_max, score_step, status }: Draft): FieldErrors {
  if (item.item_type === 'rating')
    return Object.fromEntries([
      ...measures.filter((field) => item[field] !== null).map((field) => [field, [messages.prohibited]]),
      ...(item.prorate ? [['prorate', [text('kpi_templates.prorate_measured')]]] : []),
    ]) as FieldErrors;
  const needs = (field: 'direction' | 'target_value'): FieldErrors =>
    status === 'active' && item[field] === null ? { [field]: [messages.required] } : {};
  return {
    ...(scale_min === 1 && scale_max === 5 && score_step === 1
      ? {}
      : { item_type: [text('kpi_templates.measured_scale')] }),
    ...needs('direction'),
    ...(item.direction === 'boolean' ? {} : needs('target_value')),
    ...(item.direction === 'boolean' && item.prorate ? { prorate: [text('kpi_templates.prorate_measured')] } : {}),
    ...targetProblems(item),
  };
}

/** The errors of a template by location. */
export type Problems = {
  scale: FieldErrors;
  /** The errors of each item in order. */
  items: FieldErrors[];
  /** The error of the total weight. */
  total: Text | undefined;
};

function scaleProblems({ scale_min, scale_max, scale_words }: Scale): FieldErrors {
  if (scale_min >= scale_max) return { scale_max: [text('kpi_templates.scale_order')] };
  const count = scale_max - scale_min + 1;
  return scale_words === null || scale_words.length === count
    ? {}
    : { scale_words: [text('kpi_templates.scale_words', { count })] };
}

/** The stored words: a score without a word has an empty text, and a scale without any words has none. */
export const wordsOf = (words: readonly (string | null)[] | null): string[] | null =>
  words?.some((word) => word?.trim()) ? words.map((word) => word?.trim() ?? '') : null;

/** Checks scale and items together. */
export function problemsOf(draft: Draft): Problems {
  const { status, items } = draft;
  const names = items.map(({ name }) => fold(name));
  return {
    scale: scaleProblems(draft),
    items: items.map((item, index) => ({
      ...itemProblems(item, draft),
      ...(names.indexOf(names[index] ?? '') !== index && { name: [text('validation.duplicate')] }),
    })),
    total: status === 'active' ? wrongTotal(items) : undefined,
  };
}

/** The same as form errors: those of an item have the key `items.<index>.<field>`. */
export function check(draft: Draft): FieldErrors {
  const { scale, items, total } = problemsOf(draft);
  const fields = items.flatMap((problems, index) =>
    Object.entries(problems).map(([field, texts]) => [`items.${index}.${field}`, texts] as const),
  );
  const said = [...Object.entries(scale), ...fields].map(([key, texts]) => [key, texts.map((one) => say(key, one))]);
  return { ...(Object.fromEntries(said) as FieldErrors), ...(total && { items: [total] }) };
}

/** The fields of an item without its id. */
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
  'prorate',
] as const;

/** The changed items for the log; undefined if all are unchanged. */
export function changedItems(before: readonly KpiTemplateItem[], after: readonly Item[]) {
  const contentOf = (item: Item) => JSON.stringify([item.id, ...itemFields.map((field) => item[field])]);
  const [old, fresh] = [new Set(before.map(contentOf)), new Set(after.map(contentOf))];
  const from = before.filter((item) => !fresh.has(contentOf(item)));
  const to = after.filter((item) => !old.has(contentOf(item)));
  return from.length + to.length > 0 ? { from, to } : undefined;
}
