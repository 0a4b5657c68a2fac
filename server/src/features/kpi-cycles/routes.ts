import { kpiCycleFigures, kpiCycleMoves, kpiCycleNewcomers, kpiCyclePeople, kpiCycles, text } from '@tenure/contract';
import { sql } from 'kysely';
import { bind } from '../../http/context.ts';
import type { ReadCtx } from '../../http/context.ts';
import { forbidden } from '../../http/errors.ts';
import { taken } from '../../http/look-ups.ts';
import type { Sent } from '../../http/look-ups.ts';
import { done, pageOf, read } from '../../http/replies.ts';
import { addPeople } from './add-people.ts';
import { closeCycle, reopenCycle } from './close.ts';
import { assignDepartment, listDepartments, lockChosen, readDepartment, removeDepartment } from './departments.ts';
import { distribute } from './distribution.ts';
import { exportResults } from './export.ts';
import { allowUndo, leaveOut, lockDecision, undoLeavingOut } from './left-out.ts';
import { listMoves } from './move-rows.ts';
import { allowMoves, decideMove } from './moves.ts';
import { listLeftOut, listNewlyEligible } from './newcomer-lists.ts';
import { cyclesFor, mayWrite } from './policy.ts';
import { preflight } from './preflight.ts';
import { publish } from './publish.ts';
import { lockRunning, replaceTemplate } from './replace-template.ts';
import { findCycle, listCycles, lockCycle, readCycle } from './queries.ts';
import type { CycleRecord } from './queries.ts';
import { remind } from './remind.ts';
import { summarise } from './summary.ts';
import { createCycle, deleteCycle, updateCycle } from './write.ts';

/** Names are unique where companies overlap; nothing is revealed about cycles outside the scope. */
const name = ({ actor, id, sent }: Sent) => {
  const entity =
    id === null
      ? sql`${sent['entity_id'] ?? null}::bigint`
      : sql`(select own.entity_id from kpi_cycles own where own.id = ${id}::bigint)`;
  return taken(
    'name',
    sent['name'],
    sql`select from kpi_cycles c where fold(c.name) = fold(${sent['name']}) and c.id is distinct from ${id}::bigint
          and (c.entity_id is null or ${entity} is null or c.entity_id = ${entity})
          and ${cyclesFor(actor, 'kpi-cycle.view')}`,
  );
};

type Found = ReadCtx & { params: { id: number } };
type Written = 'kpi-cycle.update' | 'kpi-cycle.delete' | 'kpi-cycle.reopen';

/** A cycle to write; one without a company needs scope `all`. */
const written = (permission: Written) => ({
  find: (ctx: Found) => lockCycle(ctx, ctx.params.id, permission),
  allow: ({ actor }: Found, { entity_id }: CycleRecord) => {
    if (!mayWrite(actor, permission, entity_id)) throw forbidden();
  },
});

const decided = {
  stay: text('kpi_cycles.move_stays'),
  switch: text('kpi_cycles.move_switched'),
  split: text('kpi_cycles.move_split'),
} as const;

export const kpiCycleRoutes = [
  bind(kpiCycles.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listCycles(ctx, ctx.query)),
  }),
  bind(kpiCycles.get, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.view'),
    handle: async (ctx, { id }) => read(await readCycle(ctx, id)),
  }),
  bind(kpiCycles.create, {
    lookUps: name,
    handle: async (ctx) => done(await readCycle(ctx, await createCycle(ctx)), text('kpi_cycles.created')),
  }),
  bind(kpiCycles.update, {
    ...written('kpi-cycle.update'),
    lookUps: name,
    handle: async (ctx, cycle) => {
      await updateCycle(ctx, cycle);
      return done(await readCycle(ctx, cycle.id), text('kpi_cycles.updated'));
    },
  }),
  bind(kpiCycles.delete, { ...written('kpi-cycle.delete'), handle: deleteCycle }),
  bind(kpiCycles.departments, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.view'),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listDepartments(ctx, id, ctx.query)),
  }),
  bind(kpiCycles.assignDepartment, {
    find: lockChosen,
    handle: async (ctx, chosen) => {
      await assignDepartment(ctx, chosen);
      const data = await readDepartment(ctx, chosen.cycle.id, chosen.department.id);
      return done(data, text('kpi_cycles.department_assigned'));
    },
  }),
  bind(kpiCycles.removeDepartment, { find: lockChosen, handle: removeDepartment }),
  bind(kpiCycles.preflight, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, cycle) => read(await preflight(ctx, cycle, ctx.query.department_ids)),
  }),
  bind(kpiCycles.publish, {
    find: (ctx) => lockCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, cycle) => {
      const result = await publish(ctx, cycle);
      const message =
        result.status === 'processing' ? text('kpi_cycles.publishing_started') : text('kpi_cycles.published');
      return { ...done(await readCycle(ctx, cycle.id), message), result };
    },
  }),
  bind(kpiCyclePeople.replaceTemplate, {
    find: lockRunning,
    handle: async (ctx, running) => {
      const data = await replaceTemplate(ctx, running);
      const { total, kept } = data.counts;
      return done(
        data,
        text(data.dry_run ? 'kpi_cycles.template_would_be_replaced' : 'kpi_cycles.template_replaced', {
          count: total - kept,
          kept,
        }),
      );
    },
  }),
  bind(kpiCyclePeople.add, {
    find: (ctx) => lockCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, cycle) => {
      const data = await addPeople(ctx, cycle);
      const { added: count, refused } = data.counts;
      return done(
        data,
        text(data.dry_run ? 'kpi_cycles.people_would_be_added' : 'kpi_cycles.people_added', { count, refused }),
      );
    },
  }),
  bind(kpiCycleNewcomers.newlyEligible, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listNewlyEligible(ctx, id, ctx.query)),
  }),
  bind(kpiCycleNewcomers.leftOut, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listLeftOut(ctx, id, ctx.query)),
  }),
  bind(kpiCycleNewcomers.leaveOut, {
    find: (ctx) => lockCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, cycle) => {
      const data = await leaveOut(ctx, cycle);
      const { left_out: count, refused } = data.counts;
      return done(data, text('kpi_cycles.people_left_out', { count, refused }));
    },
  }),
  bind(kpiCycleNewcomers.undo, { find: lockDecision, allow: allowUndo, handle: undoLeavingOut }),
  bind(kpiCycleMoves.list, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    handle: async (ctx, { id }) => pageOf(ctx, ctx.query, await listMoves(ctx, id, ctx.query)),
  }),
  bind(kpiCycleMoves.decide, {
    find: (ctx) => lockCycle(ctx, ctx.params.id, 'kpi-cycle.publish'),
    allow: allowMoves,
    handle: async (ctx, cycle) => {
      const data = await decideMove(ctx, cycle);
      if (data.dry_run) return done(data, text('kpi_cycles.move_checked'));
      return done(data, decided[data.decision]);
    },
  }),
  bind(kpiCycles.remind, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.update'),
    handle: async (ctx, cycle) => done(await remind(ctx, cycle), text('kpi_cycles.reminders_sent')),
  }),
  bind(kpiCycles.close, {
    ...written('kpi-cycle.update'),
    handle: async (ctx, cycle) => {
      await closeCycle(ctx, cycle);
      return done(await readCycle(ctx, cycle.id), text('kpi_cycles.closed'));
    },
  }),
  bind(kpiCycles.reopen, {
    ...written('kpi-cycle.reopen'),
    handle: async (ctx, cycle) => {
      await reopenCycle(ctx, cycle);
      return done(await readCycle(ctx, cycle.id), text('kpi_cycles.reopened'));
    },
  }),
  bind(kpiCycleFigures.summary, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.view'),
    handle: async (ctx, cycle) => read(await summarise(ctx, cycle)),
  }),
  bind(kpiCycleFigures.distribution, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.view'),
    handle: async (ctx, cycle) => read(await distribute(ctx, cycle, ctx.query.by ?? 'department')),
  }),
  bind(kpiCycleFigures.export, {
    find: (ctx) => findCycle(ctx, ctx.params.id, 'kpi-cycle.export'),
    handle: exportResults,
  }),
];
