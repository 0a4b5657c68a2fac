import type { EvaluationItem, KpiEvaluation } from '@tenure/contract';
import { isolated } from '../../pdf/wording.ts';
import type { Words } from '../../pdf/wording.ts';

/** The target of a measured item in the document, and the actual value. */

type Rows = (readonly [label: string, value: string | null])[];

const percentage = { style: 'percent', maximumFractionDigits: 2 } as const;

/** A measured value with its unit; a percentage in the notation of the language. */
const amountOf =
  (unit: string | null, { number }: Words) =>
  (value: number) =>
    isolated(
      unit === '%'
        ? number(value / 100, { style: 'percent', maximumFractionDigits: 4 })
        : [number(value), unit].filter(Boolean).join(' '),
    );

/** The effective target; for a target prorated by days, with its calculation. */
function targetOf({ proration, target_value: target, unit }: EvaluationItem, words: Words): string | null {
  if (target === null) return null;
  const amount = amountOf(unit, words);
  if (proration === null) return amount(target);
  return words.say('evaluation_pdf.target_prorated', {
    target: amount(proration.target_value),
    full: amount(target),
    days: proration.employed_days,
    all: proration.cycle_days,
  });
}

/** The target with the rules for its achievement. */
function goalOf(item: EvaluationItem, words: Words): string | null {
  const { direction, proration, tolerance_pct: tolerance, cap_pct: cap } = item;
  const target = targetOf(item, words);
  if (target === null || direction === null || direction === 'boolean') return target;
  const { say, number } = words;
  const baseline = proration?.baseline_value ?? item.baseline_value;
  const rules = [
    say(`evaluation_pdf.directions.${direction}`),
    baseline === null ? null : say('evaluation_pdf.baseline', { value: amountOf(item.unit, words)(baseline) }),
    tolerance === null ? null : say('evaluation_pdf.tolerance', { value: number(tolerance / 100, percentage) }),
    // a value on target cannot exceed it
    cap === null || direction === 'target' ? null : say('evaluation_pdf.cap', { value: number(cap / 100, percentage) }),
  ];
  return [target, ...rules].filter((one) => one !== null).join(', ');
}

type Side = 'self' | 'manager' | 'final';

/** The actual value of one side; with its achievement, if the figures of the side use it. */
function reachedOf(side: Side, item: EvaluationItem, { explain }: KpiEvaluation, words: Words): string | null {
  const value = item[`${side}_actual_value`];
  if (value === undefined || value === null) return null;
  const { say, number } = words;
  const amount =
    item.direction === 'boolean'
      ? say(value === 1 ? 'evaluation_pdf.yes' : 'evaluation_pdf.no')
      : amountOf(item.unit, words)(value);
  const isReplaced = side === 'manager' && typeof item.final_actual_value === 'number';
  const explained = isReplaced ? undefined : side === 'self' ? explain.self : explain.result;
  const achievement = explained?.items.find(({ item_id }) => item_id === item.id)?.achievement_pct ?? null;
  if (achievement === null) return amount;
  return say('evaluation_pdf.reached', { value: amount, achievement: number(achievement / 100, percentage) });
}

/** The rows of a measured item; none for a rated item. */
export function measuredRows(item: EvaluationItem, evaluation: KpiEvaluation, words: Words): Rows {
  if (item.item_type !== 'measured') return [];
  const sides = item.not_applicable ? [] : (['self', 'manager', 'final'] as const);
  return [
    [words.say('evaluation_pdf.target'), goalOf(item, words)],
    ...sides.map(
      (side) => [words.say(`evaluation_pdf.actual.${side}`), reachedOf(side, item, evaluation, words)] as const,
    ),
  ];
}
