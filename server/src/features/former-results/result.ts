import { largestResult, messages, text } from '@tenure/contract';
import type { FormerResult } from '@tenure/contract';
import type { FieldErrors } from '../../http/errors.ts';
import { say } from '../../http/errors.ts';

/** The stored values of a result, without its person and the texts. */
export type Values = Pick<
  FormerResult,
  'period' | 'period_from' | 'period_to' | 'unit' | 'result' | 'scale_from' | 'scale_to' | 'band' | 'source'
>;

const shown = [
  'period',
  'period_from',
  'period_to',
  'unit',
  'result',
  'scale_from',
  'scale_to',
  'band',
  'source',
] as const;

/** The fields of a result, for the audit log. */
export const shownIn = (values: Values): Values =>
  Object.fromEntries(shown.map((name) => [name, values[name]])) as Values;

const thousandths = (value: number) => Math.round(value * 1_000);

/**
 * A result as a percentage with two decimals, rounded half up: points divided by the maximum of their scale, as for
 * evaluation scores. Null without a result, if less is better, and on scales with negative points.
 */
export function percentageOf({ unit, result, scale_from, scale_to }: Values): number | null {
  if (result === null || scale_from === null || scale_to === null) return null;
  if (unit === 'percent') return Math.floor((thousandths(result) + 5) / 10) / 100;
  if (scale_from < 0 || scale_to <= scale_from) return null;
  const [points, most] = [thousandths(result), thousandths(scale_to)];
  // integers only, because binary fractions could round a half the wrong way
  return Math.floor((20_000 * points + most) / (2 * most)) / 100;
}

function scaleErrors({ unit, result, scale_from, scale_to }: Values): FieldErrors {
  if (result === null) return {};
  if (unit === null) return { unit: [say('unit', messages.required)] };
  if (unit === 'percent' && (scale_from !== 0 || scale_to !== 100))
    return { scale_to: [text('former_results.percent_to_100')] };
  if (scale_from === null) return { scale_from: [say('scale_from', messages.required)] };
  if (scale_to === null) return { scale_to: [say('scale_to', messages.required)] };
  if (scale_from === scale_to) return { scale_to: [text('former_results.scale_of_one')] };
  const [low, high] = [Math.min(scale_from, scale_to), Math.max(scale_from, scale_to)];
  if (low < -largestResult || high > largestResult) return { scale_to: [text('former_results.no_scale')] };
  if (result >= low && result <= high) return {};
  return { result: [text('former_results.outside_scale', { result, from: scale_from, to: scale_to })] };
}

function periodErrors({ period_from, period_to }: Values, today: string): FieldErrors {
  if (period_from !== null && period_from > period_to)
    return { period_to: [say('period_to', messages.afterOrEqual({ field: 'period_from' }))] };
  return period_to > today ? { period_to: [say('period_to', messages.beforeOrEqual('today'))] } : {};
}

/** The errors of a result by field, as of today in the person's company. */
export function errorsOf(values: Values, today: string): FieldErrors {
  const isEmpty = values.result === null && values.band === null;
  return {
    ...periodErrors(values, today),
    ...(isEmpty ? { result: [text('former_results.result_or_band')] } : scaleErrors(values)),
  };
}
