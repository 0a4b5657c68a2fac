import { achievementOf, scoreOfActual } from '../server/src/scores/achievement.ts';
import type { Measure } from '../server/src/scores/achievement.ts';

/** What the people in the demo write and score. */

export type DemoItem = {
  id: number;
  name: string;
  description: string | null;
  weight: number;
  sort_order: number;
  evidence_required: boolean;
  item_type: 'rating' | 'measured';
  unit: string | null;
} & Measure;
export type DemoTemplate = {
  id: number;
  name: string;
  version: number;
  scale_words: string[] | null;
  items: readonly DemoItem[];
};
export const own = [
  'The quarter went well; the new process saves us a day every week.',
  'Two goals were reached early, one moved into the next quarter.',
  'I took over a colleague’s customers and kept my own on track.',
  'A demanding quarter. The training in spring has paid off.',
  'I would like to plan further ahead next time.',
];
export const reviewers = [
  'Reliable and calm, also in busy weeks.',
  'Strong results. The hand-over at the end could have been smoother.',
  'Good progress since the last talk; we agreed on two next steps.',
  'Solid work. More initiative would take this to the next level.',
  'An example for the team, especially with new colleagues.',
];
export const strengths = ['Negotiation', 'Care for detail', 'Working with others', 'Speed', 'Clear writing'];
export const improvements = ['Planning', 'Delegating', 'Asking for help early', 'Presenting', 'Saying no'];
export const hrWords = [
  'Consistent with comparable roles.',
  'In line with the department.',
  'Well supported by examples.',
];

export const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
/** A small number that looks random but is always the same. */
const spread = (a: number, b: number, below: number) => (Math.imul(a * 31 + b * 17 + 7, 2_654_435_761) >>> 8) % below;

/** A value that comes this share of the way towards the target; 1 and more reach it. */
function valueFor({ direction, target_value, baseline_value }: DemoItem, share: number): number {
  if (direction === 'boolean') return share >= 0.8 ? 1 : 0;
  const target = target_value ?? 1;
  if (target === 0) return share >= 0.8 ? 0 : 1;
  const exact =
    baseline_value !== null
      ? baseline_value + (target - baseline_value) * share
      : direction === 'higher_better'
        ? target * share
        : target * (2 - share);
  const places = Number.isInteger(target) ? 0 : 2;
  return Number(exact.toFixed(places));
}

/** Both sides' answers about an item; people are a little kinder to themselves than the reviewer. */
export function answerOf(item: DemoItem, subject: { id: number; n: number }, round: number) {
  const level = 2 + spread(subject.id, round, 3) + (spread(subject.id, item.sort_order, 4) === 0 ? 1 : 0);
  if (item.item_type === 'rating') {
    const manager_score = Math.max(1, Math.min(5, level + (spread(subject.n, item.sort_order, 3) - 1)));
    const self_score = Math.min(5, manager_score + spread(subject.id, item.sort_order, 2));
    return { manager_score, self_score, actual: null, achievement_pct: null };
  }
  const actual = valueFor(item, [0.55, 0.75, 0.92, 1.04, 1.14][level - 1] ?? 1.14);
  const achievement_pct = achievementOf(item, actual);
  const score = scoreOfActual(item, actual, { met_is_top: true });
  return { manager_score: score, self_score: score, actual, achievement_pct };
}

/** Comments on single items, by their result. */
export type Said = Readonly<Record<'good' | 'fair' | 'low', readonly string[]>>;
export const selfSaid: Said = {
  good: ['Ahead of plan since the second month.', 'The new routine works; the team has taken it over.'],
  fair: ['On track, with one delay in the middle of the quarter.', 'Reached, but later than planned.'],
  low: [
    'Two people were away for weeks; I will catch up next quarter.',
    'The scope grew, and I asked for help too late.',
  ],
};
export const managerSaid: Said = {
  good: ['Clearly above what we agreed. Please share how you did it.', 'Very good, also in the busy weeks.'],
  fair: ['As agreed. We look at the delay together.', 'Solid; the last step still needs a hand.'],
  low: [
    'Below what we agreed. We set two smaller goals for the next quarter.',
    'The reasons are clear; tell me earlier next time.',
  ],
};
