import { text } from '@tenure/contract';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { reachesEntity, reachOf } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';
import { record } from '../../audit.ts';
import type { WriteCtx } from '../../http/context.ts';
import { among } from '../../people/dependents.ts';
import type { Duty, Reassignment } from '../../people/dependents.ts';
import { ownReason } from '../../languages/answer.ts';
import { cannotTakeOver } from '../../workflow/reassign.ts';
import { cyclesSeen } from './policy.ts';
import { mayOwn } from './rules.ts';

/** Makes the successor the owner of the person's cycles. */
async function reassignCycles(ctx: WriteCtx, { from, to, only }: Reassignment): Promise<number> {
  const { db, actor } = ctx;
  const { rows } = await sql<{ id: number; name: string; entity_id: number | null }>`
    select id, name, entity_id from kpi_cycles where owner_id = ${from.id} and status <> 'closed' and ${among('id', only?.cycles)}
    order by id for update`.execute(db);
  if (rows.length === 0) return 0;
  const reach = reachOf(actor, 'employees.deactivate');
  if (rows.some(({ entity_id }) => !reachesEntity(reach, entity_id)))
    throw cannotTakeOver(text('responsibilities.cycles_outside_scope'));
  const ids = rows.map(({ id }) => id);
  const { rows: unfit } = await sql`
    select from kpi_cycles c where c.id = any(${ids}::bigint[])
      and not exists (select from employees e where e.id = ${to.id} and ${mayOwn(sql`c.entity_id`)})`.execute(db);
  if (unfit.length > 0) throw cannotTakeOver(text('responsibilities.cycles_without_right'));
  await db.updateTable('kpi_cycles').set({ owner_id: to.id }).where('id', 'in', ids).execute();
  await record(
    ctx,
    ...rows.map(({ id, name, entity_id }) => ({
      action: 'kpi_cycle.updated' as const,
      subject_id: id,
      subject_label: name,
      entity_id,
      changes: { owner_id: { from: from.id, to: to.id } },
      reason: ownReason('reasons.handed_over'),
    })),
  );
  return ids.length;
}

/** Cycles with their owner. */
export const cyclesDuty: Duty = {
  listed: (actor, id) => [
    {
      kind: 'kpi_cycle',
      from: sql`kpi_cycles c`,
      id: sql`c.id`,
      name: sql`c.name`,
      status: sql`c.status`,
      entity: sql`c.entity_id`,
      isSeen: cyclesSeen(actor),
      where: sql<SqlBool>`c.owner_id = ${id} and c.status <> 'closed'
        and ${entitiesIn(reachOf(actor, 'employees.deactivate'), 'c.entity_id')}`,
    },
  ],
  reassign: reassignCycles,
};
