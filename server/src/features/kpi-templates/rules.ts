import type { KpiTemplateItem } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { fold } from '../../db/fold.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';

/** What a template is to hold; an item that is not stored yet has no id. Weights in percent. */
export type Item = Omit<KpiTemplateItem, 'id'> & { id: number | null };
export type Scale = { scale_min: number; scale_max: number; score_step: number };
export type Draft = Scale & { status: string; items: readonly Item[] };

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
export function wrongTotal(items: readonly { weight: number }[]): string | undefined {
  const total = totalOf(items);
  return total === wholeWeight && items.length > 0
    ? undefined
    : `The weights add up to ${percentText(total)}; they must add up to exactly 100.00.`;
}

const measures = ['direction', 'target_value', 'baseline_value', 'tolerance_pct', 'cap_pct'] as const;

function targetProblems({ direction, target_value: target, baseline_value: baseline }: Item): FieldErrors {
  if (direction === null || direction === 'boolean' || target === null) return {};
  if (baseline === null) return target < 0 ? { baseline_value: ['A target below zero needs a baseline.'] } : {};
  if (baseline === target) return { baseline_value: ['The baseline and the target must be different.'] };
  if (direction === 'higher_better' && baseline > target)
    return { baseline_value: ['The target must be greater than the baseline when higher is better.'] };
  if (direction === 'lower_better' && baseline < target)
    return { baseline_value: ['The target must be less than the baseline when lower is better.'] };
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
      : { item_type: ['Measured items need a scale from 1 to 5 in steps of 1.'] }),
    ...needs('direction'),
    ...(item.direction === 'boolean' ? {} : needs('target_value')),
    ...targetProblems(item),
  };
}

/** Judges scale and items together. Errors of an item stand under `items.<place>.<field>`. */
export function judge(draft: Draft): FieldErrors {
  const errors: FieldErrors = {};
  if (draft.scale_min >= draft.scale_max)
    errors.scale_max = [say('scale_max', 'The :attribute field must be greater than scale min.')];
  const names = draft.items.map(({ name }) => fold(name));
  for (const [index, item] of draft.items.entries()) {
    const problems = itemProblems(item, draft);
    if (names.indexOf(names[index] ?? '') !== index) problems.name = ['The :attribute field has a duplicate value.'];
    for (const [field, texts] of Object.entries(problems)) {
      const key = `items.${index}.${field}`;
      errors[key] = texts.map((text) => say(key, text));
    }
  }
  const total = draft.status === 'active' ? wrongTotal(draft.items) : undefined;
  if (total) errors.items = [total];
  return errors;
}
