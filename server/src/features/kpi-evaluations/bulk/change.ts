import { bulkEvaluationsAtOnce, evaluationStatuses } from '@tenure/contract';
import type { evaluationBulk, ReplyIn, Text } from '@tenure/contract';
import type { WriteCtx } from '../../../http/context.ts';
import { checkMany } from './check.ts';
import type { BulkTarget, Checked } from './row.ts';
import { continueLater } from './job.ts';
import { readBulk } from './reads.ts';
import { checkBody, selectedIds, requestOf } from './request.ts';
import type { BulkBody } from './request.ts';
import { beginBulk, endBulk, takePart } from './run.ts';

type Answer = ReplyIn<typeof evaluationBulk.change>['data'];

const present = ({ id, row, refusal }: Checked): Answer['rows'][number] => ({
  id,
  label: row ? row.person_name : null,
  employee_number: row ? row.employee_number : null,
  cycle: row ? row.cycle_name : null,
  status: evaluationStatuses.find((status) => status === row?.status) ?? null,
  revision: row ? row.revision : null,
  outcome: refusal === undefined ? 'changed' : 'refused',
  reason: refusal ?? null,
});

/** How many are refused for each reason, the most frequent first. */
function reasonsOf(checked: readonly Checked[]): Answer['reasons'] {
  const refusals = checked.flatMap(({ refusal }): Text[] => (refusal === undefined ? [] : [refusal]));
  const groups = [...Map.groupBy(refusals, (refusal) => JSON.stringify(refusal)).values()];
  return groups
    .map((group) => ({ reason: group[0] as Text, count: group.length }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, 100);
}

/** The maximum number in a response: if there are more, the refused ones come first. */
function named(checked: readonly Checked[]): Answer['rows'] {
  const isRefused = ({ refusal }: Checked) => refusal !== undefined;
  const ordered =
    checked.length > bulkEvaluationsAtOnce
      ? [...checked.filter(isRefused), ...checked.filter((one) => !isRefused(one))]
      : checked;
  return ordered.slice(0, bulkEvaluationsAtOnce).map(present);
}

function answerOf(checked: readonly Checked[]): Pick<Answer, 'counts' | 'reasons' | 'rows'> {
  const refused = checked.filter(({ refusal }) => refusal !== undefined).length;
  const counts = { total: checked.length, changed: checked.length - refused, refused };
  return { counts, reasons: reasonsOf(checked), rows: named(checked) };
}

const seenBy = (checked: readonly Checked[]): Answer['revisions'] =>
  checked.flatMap(({ id, row, refusal }) => (row && refusal === undefined ? [{ id, revision: row.revision }] : []));

function bulkTargets(ids: readonly number[], { revisions }: BulkBody): BulkTarget[] {
  const seen = new Map(revisions?.map(({ id, revision }) => [id, revision]));
  return ids.map((id) => ({ id, seen: seen.get(id) ?? null }));
}

/**
 * Takes a step with each evaluation that is ready for it, or returns what would happen. A job handles the evaluations
 * beyond a request.
 */
export async function changeManyEvaluations(ctx: WriteCtx, body: BulkBody): Promise<Answer> {
  await checkBody(ctx, body);
  const request = requestOf(body);
  const targets = bulkTargets(await selectedIds(ctx, body), body);
  const { kind } = body;
  if (body.dry_run) {
    const checked = await checkMany(ctx, request, targets, false);
    return { kind, dry_run: true, bulk: null, ...answerOf(checked), revisions: seenBy(checked) };
  }
  const isLarge = targets.length > bulkEvaluationsAtOnce;
  const run = await beginBulk(ctx, request, targets, isLarge);
  if (isLarge) await continueLater(ctx.db, run);
  const checked = isLarge ? [] : await takePart(ctx, run, targets);
  if (!isLarge) await endBulk(ctx, run, 'completed');
  const bulk = await readBulk(ctx, run.id);
  const answer = answerOf(checked);
  return { kind, dry_run: false, bulk, ...answer, counts: { ...answer.counts, total: targets.length }, revisions: [] };
}
