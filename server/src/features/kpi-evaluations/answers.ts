import { messages, text } from '@tenure/contract';
import { say } from '../../http/errors.ts';
import type { FieldErrors, Message } from '../../http/errors.ts';
import { scoreOfActual } from '../../scores/achievement.ts';
import { shareOf } from '../../scores/proration.ts';
import type { Days } from '../../scores/proration.ts';
import type { ItemRecord } from './step.ts';

/** Checks the answers of subject and reviewer and merges them into the stored rows. Reads nothing but its arguments. */
export type Side = 'self' | 'manager';
export type SentItem = {
  id: number;
  not_applicable?: boolean | undefined;
  self_score?: number | null | undefined;
  self_comment?: string | null | undefined;
  self_actual_value?: number | null | undefined;
  manager_score?: number | null | undefined;
  manager_comment?: string | null | undefined;
  manager_actual_value?: number | null | undefined;
};
type Scale = { scale_min: number; scale_max: number; score_step: number };
type Rules = Scale & Days & { met_is_top: boolean };
type Frame = Rules & { self_skipped: boolean };
type Refuse = (field: string, template: Message) => void;

const offered = ['score', 'comment', 'actual_value'] as const;
type Part = (typeof offered)[number];
const column = <S extends Side, P extends Part>(side: S, part: P) => `${side}_${part}` as const;
const otherSide = { self: 'manager', manager: 'self' } as const;
const notHere = text('evaluations.fixed_in_step');

/** True if the item does not apply on this side. Until the reviewer decides, the subject's answer is used. */
export const isNotApplicable = (item: ItemRecord, side: Side, { self_skipped }: { self_skipped: boolean }): boolean =>
  side === 'self'
    ? item.self_not_applicable
    : (item.manager_not_applicable ?? (item.self_not_applicable && !self_skipped));

export function checkScore(
  score: number,
  { scale_min, scale_max, score_step }: Scale,
  refuse: (template: Message) => void,
) {
  if (score < scale_min || score > scale_max)
    refuse(text('evaluations.score_range', { min: scale_min, max: scale_max }));
  else if (!Number.isInteger(score / score_step))
    refuse(score_step === 1 ? messages.integer : text('evaluations.score_step', { step: score_step }));
}

/** The score of an actual value; null for an item without a measured value. */
export const scoreOf = (
  item: ItemRecord,
  actual: number | null,
  rules: Days & { met_is_top: boolean },
): number | null =>
  actual === null || item.direction === null
    ? null
    : scoreOfActual({ ...item, direction: item.direction }, actual, {
        met_is_top: rules.met_is_top,
        share: shareOf(item, rules),
      });

/** The side that answers, the rules of its evaluation, and a function that refuses a field. */
type Answering = { side: Side; frame: Frame; refuse: Refuse };

/**
 * A request can repeat fields of the other side as the caller saw them; a value that the caller could not see is
 * refused. Only its author sees a draft that was skipped.
 */
function refuseOther(item: ItemRecord, sent: SentItem, { side, frame: { self_skipped }, refuse }: Answering) {
  for (const part of offered) {
    const field = column(otherSide[side], part);
    const shown = side === 'manager' && !self_skipped ? item[field] : null;
    if (sent[field] !== undefined && sent[field] !== shown) refuse(field, notHere);
  }
}

/** The actual value of a measured item, and the score computed from it. */
function measured(item: ItemRecord, sent: SentItem, { side, frame, refuse }: Answering): Partial<ItemRecord> {
  const [score, actual] = [column(side, 'score'), column(side, 'actual_value')];
  const value = sent[actual] === undefined ? item[actual] : sent[actual];
  if (item.direction === 'boolean' && value !== null && value !== 0 && value !== 1)
    refuse(actual, text('evaluations.yes_or_no'));
  const repeats = sent[score] === undefined || sent[score] === null || sent[score] === item[score];
  if (!repeats) refuse(score, text('evaluations.computed'));
  return { [actual]: value, [score]: scoreOf(item, value, frame) };
}

/** The score that the side gave an item without a measured value. */
function rated(sent: SentItem, { side, frame, refuse }: Answering): Partial<ItemRecord> {
  const [score, actual] = [column(side, 'score'), column(side, 'actual_value')];
  if (sent[actual] !== undefined && sent[actual] !== null) refuse(actual, messages.prohibited);
  if (sent[score] === undefined) return {};
  if (sent[score] !== null) checkScore(sent[score], frame, (template) => refuse(score, template));
  return { [score]: sent[score] };
}

function withAnswer(item: ItemRecord, sent: SentItem, answering: Answering): ItemRecord {
  const { side } = answering;
  refuseOther(item, sent, answering);
  const comment = column(side, 'comment');
  const next: ItemRecord = {
    ...item,
    ...(sent[comment] !== undefined && { [comment]: sent[comment] }),
    ...(item.item_type === 'measured' ? measured(item, sent, answering) : rated(sent, answering)),
  };
  const [score, actual] = [column(side, 'score'), column(side, 'actual_value')];
  const isAnswered = [sent[score], sent[actual]].some((value) => value !== undefined && value !== null);
  // scoring an item implies that it applies
  const notApplicable = sent.not_applicable ?? (isAnswered ? false : undefined);
  if (notApplicable === undefined) return next;
  if (side === 'self') next.self_not_applicable = notApplicable;
  else next.manager_not_applicable = notApplicable;
  return notApplicable ? { ...next, [score]: null, [actual]: null } : next;
}

/**
 * The items with the answers of one side merged: missing fields keep their value, null clears, a measured item gets the
 * score of its actual value, and an item that does not apply has none. `errors` has the paths of the sent list:
 * `items.0.self_score`.
 */
export function mergeAnswers(
  items: readonly ItemRecord[],
  sent: readonly SentItem[] | undefined,
  side: Side,
  frame: Frame,
): { items: ItemRecord[]; errors: FieldErrors } {
  const next = new Map(items.map((item) => [item.id, item]));
  const seen = new Set<number>();
  const errors: FieldErrors = {};
  for (const [index, one] of (sent ?? []).entries()) {
    const refuse: Refuse = (field, template) => {
      const path = `items.${index}.${field}`;
      (errors[path] ??= []).push(say(path, template));
    };
    const item = next.get(one.id);
    if (!item || seen.has(one.id)) refuse('id', messages.selected);
    else next.set(one.id, withAnswer(item, one, { side, frame, refuse }));
    seen.add(one.id);
  }
  return { items: [...next.values()], errors };
}

/** The missing answers of a side, by the index of the item. A side with missing answers cannot submit. */
export function missingAnswers(items: readonly ItemRecord[], side: Side, row: { self_skipped: boolean }): FieldErrors {
  const gaps: FieldErrors = {};
  for (const [index, item] of items.entries()) {
    const need = (field: string) => {
      const path = `items.${index}.${field}`;
      gaps[path] = [say(path, messages.required)];
    };
    if (isNotApplicable(item, side, row)) {
      if (item[column(side, 'comment')] === null) need(column(side, 'comment'));
      continue;
    }
    const answer = column(side, item.item_type === 'measured' ? 'actual_value' : 'score');
    if (item[answer] === null) need(answer);
    if (side === 'self' && item.evidence_required && item.evidence === 0) need('evidence');
  }
  return gaps;
}
