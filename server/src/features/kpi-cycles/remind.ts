import { messages } from '@tenure/contract';
import type { kpiCycles, Reply } from '@tenure/contract';
import { sql } from 'kysely';
import { record } from '../../audit.ts';
import { every, oneOfIds } from '../../db/lists.ts';
import type { HandlerCtx } from '../../http/context.ts';
import { conflict, invalid } from '../../http/errors.ts';
import { remindOpen } from '../kpi-evaluations/reminders.ts';
import { chosenDepartments } from './plan.ts';
import { companiesFor } from './policy.ts';
import type { CycleRecord } from './queries.ts';

type RemindCtx = HandlerCtx<typeof kpiCycles.remind>;

async function refuseDepartments(ctx: RemindCtx, cycleId: number) {
  const named = ctx.body.department_ids;
  if (!named) return;
  const known = await chosenDepartments(ctx, cycleId, named, 'kpi-cycle.update');
  if (named.some((id) => !known.some((department) => department.id === id)))
    throw invalid('department_ids', messages.selected);
}

/** C6: reminds whoever has not acted, in the companies that the caller reaches. */
export async function remind(ctx: RemindCtx, cycle: CycleRecord): Promise<Reply<typeof kpiCycles.remind>['data']> {
  const { stage, department_ids } = ctx.body;
  await refuseDepartments(ctx, cycle.id);
  if (cycle.status !== 'published') throw conflict('Only people of a published cycle can be reminded.', cycle);
  const within = every([
    companiesFor(ctx.actor, 'kpi-cycle.update', 'v.entity_id'),
    ...oneOfIds(sql`v.department_id`, department_ids ?? undefined),
  ]);
  const counts = await remindOpen(ctx, { cycle_id: cycle.id, stage, within });
  await record(ctx, {
    action: 'kpi_cycle.remind',
    subject_id: cycle.id,
    subject_label: cycle.name,
    entity_id: cycle.entity_id,
    changes: {
      stage: { from: null, to: stage },
      reminded: { from: null, to: counts.reminded },
      ...(department_ids && { department_ids: { from: null, to: department_ids } }),
    },
  });
  return counts;
}
