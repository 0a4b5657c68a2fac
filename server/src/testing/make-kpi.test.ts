import { evaluationStatuses } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from './app.ts';
import { kpiMaker } from './make-kpi.ts';

const app = await startApp();
const kpi = kpiMaker(app);

test.each(evaluationStatuses)('an evaluation that is %s is made as it would have come about', async (status) => {
  const { id, revision, items } = await kpi.evaluation({ status });
  const row = await app.deps.db
    .selectFrom('kpi_evaluations')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect([revision, items.length]).toEqual([1, 3]);
  const isDone = ['pending_acceptance', 'accepted', 'disputed', 'completed'].includes(status);
  expect([row.overall_score, row.overall_percentage, row.performance_flag]).toEqual(
    isDone ? [4, 80, 'standard'] : [status === 'hr_review' ? 4 : null, status === 'hr_review' ? 80 : null, null],
  );
  expect(row.due_on === null).toBe(status === 'completed' || status === 'cancelled');
});
