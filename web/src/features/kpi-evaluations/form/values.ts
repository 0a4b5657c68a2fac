import type { BodyIn, EvaluationItem, evaluationSteps, KpiEvaluation } from '@tenure/contract';
import type { Texts } from '../../../ui/versions.ts';
import { sentNumber, writeNumber, type DecimalSign } from '../../../ui/numbers.ts';

/** The side that a form belongs to. */
export type Side = 'self' | 'manager' | 'hr';
export type ScoringSide = 'self' | 'manager';
export const isScoring = (side: Side | undefined): side is ScoringSide => side === 'self' || side === 'manager';

const sideOf: Partial<Record<KpiEvaluation['status'], Side>> = {
  self_assessment: 'self',
  manager_review: 'manager',
  hr_review: 'hr',
};

/** The side that the user may write now; undefined if the evaluation is read-only. */
export const writtenSide = ({ status, allowed_actions: allowed }: KpiEvaluation): Side | undefined =>
  allowed.includes('update') ? sideOf[status] : undefined;

/** The overall text fields of a side. */
export const overallTexts = {
  self: ['self_comment'],
  manager: ['manager_comment', 'strengths', 'improvements'],
  hr: ['hr_comment', 'performance_flag', 'flag_reason'],
} as const satisfies Record<Side, readonly (keyof KpiEvaluation)[]>;

/** The fields of an item; `applies` is 'no' for a non-applicable item. */
export const itemFields = ['score', 'actual_value', 'comment', 'applies'] as const;
export type ItemField = (typeof itemFields)[number];

/** The form name of an item's field. */
export const nameOf = (item: number, field: ItemField) => `item.${item}.${field}`;

/** Parses a form name: a field of an item, or an overall field. */
export function parseName(name: string): { item: number; field: ItemField } | { item: undefined; field: string } {
  const [, item, field] = /^item\.(\d+)\.(\w+)$/.exec(name) ?? [];
  return item === undefined ? { item: undefined, field: name } : { item: Number(item), field: field as ItemField };
}

function itemTexts(item: EvaluationItem, side: ScoringSide, sign: DecimalSign): [string, string][] {
  const text = (field: ItemField, value: string) => [nameOf(item.id, field), value] as [string, string];
  return [
    text('score', item.item_type === 'rating' ? writeNumber(item[`${side}_score`] ?? null, '.') : ''),
    text('actual_value', writeNumber(item[`${side}_actual_value`] ?? null, sign)),
    text('comment', item[`${side}_comment`] ?? ''),
    text('applies', item.not_applicable ? 'no' : ''),
  ];
}

/** All fields that one side may write, as texts. */
export function textsOf(evaluation: KpiEvaluation, side: Side, sign: DecimalSign): Texts {
  return Object.fromEntries([
    ...overallTexts[side].map((name) => [name, evaluation[name] ?? ''] as const),
    ...(isScoring(side) ? evaluation.items.flatMap((item) => itemTexts(item, side, sign)) : []),
  ]);
}

type Body = BodyIn<typeof evaluationSteps.update>;

/** The changed fields as a request body. */
export function bodyOf(values: Texts, changed: readonly string[], side: Side, sign: DecimalSign): Body {
  const whole: Record<string, string | null> = {};
  const items = new Map<number, Record<string, unknown>>();
  for (const name of changed) {
    const { item, field } = parseName(name);
    const text = (values[name] ?? '').trim();
    if (item === undefined) whole[field] = text === '' ? null : text;
    else items.set(item, { id: item, ...items.get(item), ...itemBody(field, text, side, sign) });
  }
  return { ...whole, ...(items.size > 0 && { items: [...items.values()] }) } as Body;
}

function itemBody(field: ItemField, text: string, side: Side, sign: DecimalSign): Record<string, unknown> {
  switch (field) {
    case 'applies':
      return { not_applicable: text === 'no' };
    case 'comment':
      return { [`${side}_comment`]: text === '' ? null : text };
    case 'score':
      return { [`${side}_score`]: sentNumber(text, '.') };
    case 'actual_value':
      return { [`${side}_actual_value`]: sentNumber(text, sign) };
  }
}

/** The service's messages about a request body, by form name. */
export function namedErrors(errors: Readonly<Record<string, string>>, items: readonly { id: number }[]) {
  return Object.fromEntries(
    Object.entries(errors).map(([path, text]) => {
      const [, index, field = ''] = /^items\.(\d+)\.(\w+)$/.exec(path) ?? [];
      const item = index === undefined ? undefined : items[Number(index)];
      if (!item) return [path, text];
      const own = field.replace(/^(self|manager)_/, '').replace('not_applicable', 'applies');
      return [`item.${item.id}.${own}`, text];
    }),
  );
}

/** The scores of a scale, in ascending order. */
export function scoresOf({ scale_min: from, scale_max: to, score_step: step }: Scale): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}
type Scale = Pick<KpiEvaluation, 'scale_min' | 'scale_max' | 'score_step'>;

/** The word of a whole score; undefined for half ones and scales without words. */
export const wordOf = (
  { scale_min: from, scale_words: words }: Pick<KpiEvaluation, 'scale_min' | 'scale_words'>,
  score: number | null | undefined,
): string | undefined => (typeof score === 'number' ? words?.[score - from] || undefined : undefined);
