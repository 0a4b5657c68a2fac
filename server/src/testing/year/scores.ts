import { rowsOf } from './world.ts';
import type { World } from './world.ts';

/**
 * Computes the result of an evaluation with whole numbers only, independently of the service: scores and weights in
 * hundredths, all fractions over one denominator.
 */

type Item = {
  id: number;
  weight: number;
  direction: string | null;
  target: number | null;
  self: string | null;
  manager: string | null;
  final: string | null;
  actual: string | null;
  final_actual: string | null;
  not_applicable: boolean;
};
type Evaluation = {
  id: number;
  self_skipped: boolean;
  manager_share: number;
  self_share: number;
  score: string | null;
  percentage: string | null;
  items: Item[];
};

const hundredths = (value: string | number) => BigInt(Math.round(Number(value) * 100));
/** Rounds a quotient of two whole numbers half up. */
const rounded = (top: bigint, bottom: bigint) => (2n * top + bottom) / (2n * bottom);

/** The score for an actual value and a target of the year's templates. */
export function scoreOf(direction: string, target: number, actual: number): number {
  const [goal, reached] = [hundredths(target), hundredths(actual)];
  const part = direction === 'higher_better' ? 10_000n * reached : 10_000n * (2n * goal - reached);
  const pct = Number(rounded(part < 0n ? 0n : part, goal)) / 100;
  return [60, 80, 100, 110].filter((limit) => pct >= limit).length + 1;
}

const mean = (items: readonly Item[], score: (item: Item) => string | null): [bigint, bigint] | undefined => {
  const counted = items.filter((item) => !item.not_applicable && score(item) !== null);
  if (counted.length === 0) return undefined;
  const total = (of: (item: Item) => bigint) => counted.reduce((sum, item) => sum + of(item), 0n);
  return [total((item) => BigInt(item.weight) * hundredths(score(item)!)), total((item) => BigInt(item.weight))];
};

function expected({ items, self_skipped, manager_share, self_share }: Evaluation): [string, string] | undefined {
  const manager = mean(items, (item) => item.final ?? item.manager);
  if (!manager) return undefined;
  const self = self_skipped ? undefined : mean(items, (item) => item.self);
  const [top, bottom] = self
    ? [
        BigInt(manager_share) * manager[0] * self[1] + BigInt(self_share) * self[0] * manager[1],
        100n * manager[1] * self[1],
      ]
    : manager;
  const shown = (value: bigint) => (Number(value) / 100).toFixed(2);
  return [shown(rounded(top, bottom)), shown(rounded(20n * top, bottom))];
}

/** Evaluations whose result changed since a moment and differs from the one computed here. */
export async function wrongScores(world: World, since: string): Promise<string[]> {
  const found = await rowsOf<Evaluation>(
    world,
    `select v.id::int, v.self_skipped, c.manager_weight_pct::int as manager_share, c.self_weight_pct::int as self_share,
            v.overall_score::numeric(6, 2)::text as score, v.overall_percentage::numeric(6, 2)::text as percentage,
            json_agg(json_build_object(
              'id', i.id, 'weight', i.weight, 'direction', i.direction, 'target', i.target_value,
              'self', i.self_score, 'manager', i.manager_score, 'final', i.final_score,
              'actual', i.manager_actual_value,
              'not_applicable', coalesce(i.manager_not_applicable, i.self_not_applicable and not v.self_skipped)
            ) order by i.id) as items
     from kpi_evaluations v join kpi_cycles c on c.id = v.cycle_id join kpi_evaluation_items i on i.evaluation_id = v.id
     where v.overall_score is not null and v.updated_at >= $1 group by v.id, c.id`,
    since,
  );
  return found.flatMap((evaluation) => {
    const lines: string[] = [];
    for (const { id, direction, target, manager, actual, not_applicable } of evaluation.items)
      if (direction && actual !== null && target !== null && !not_applicable) {
        const score = scoreOf(direction, target, Number(actual));
        if (score !== Number(manager)) lines.push(`item ${id} with ${actual} scores ${manager}, not ${score}`);
      }
    const [score, percentage] = expected(evaluation) ?? [];
    if (score !== evaluation.score || percentage !== evaluation.percentage)
      lines.push(
        `evaluation ${evaluation.id} is ${evaluation.score} (${evaluation.percentage} %), not ${score} (${percentage} %)`,
      );
    return lines;
  });
}
