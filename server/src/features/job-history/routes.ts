import { stateOf } from '../../states.ts';
import { jobHistory, plannedChanges, text } from '@tenure/contract';
import { record } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import { conflict, forbidden } from '../../http/errors.ts';
import { done, pageOf } from '../../http/replies.ts';
import { transition } from '../../workflow/transition.ts';
import { reachesDepartment, reachOf } from '../../access/actor.ts';
import type { ReadCtx } from '../../http/context.ts';
import { fieldsFor, requireOther } from '../../people/policy.ts';
import type { EmployeeRecord } from '../../people/record.ts';
import { addPastJob, correctPastJob } from './past.ts';
import { findEmployee } from '../../people/queries.ts';
import { decided, findRow, isDecided, listHistory, presentRow } from './queries.ts';
import { changeJob } from '../../people/job-changes.ts';
import { cancelPlanned, listPlanned } from './planned.ts';
import { followTransfers } from '../probation-reviews/transfers.ts';

/** Past jobs need a permission for everything, the company or the department, which managers do not have. */
function requireWide({ actor }: ReadCtx, person: EmployeeRecord): void {
  requireOther(actor, person);
  if (!reachesDepartment(reachOf(actor, 'employees.update'), person)) throw forbidden();
}

export const jobHistoryRoutes = [
  bind(jobHistory.list, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.view'),
    // readers who see only the card do not see job changes
    allow: (ctx, person) => {
      if (!fieldsFor(ctx.actor)(person).work) throw forbidden();
    },
    handle: async (ctx, person) => pageOf(ctx, ctx.query, await listHistory(ctx.db, ctx.actor, person, ctx.query)),
  }),
  bind(jobHistory.create, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true }),
    allow: (ctx, person) => requireOther(ctx.actor, person),
    handle: async (ctx, person) => {
      const id = await changeJob(ctx, person, ctx.body, followTransfers);
      const row = await findRow(ctx.db, person.id, id);
      const message = row.status === 'scheduled' ? text('job_history.scheduled') : text('job_history.changed');
      return done(presentRow(ctx.actor, person, row), message);
    },
  }),
  bind(jobHistory.addPast, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true }),
    allow: requireWide,
    handle: async (ctx, person) => {
      const id = await addPastJob(ctx, person, ctx.body);
      return done(presentRow(ctx.actor, person, await findRow(ctx.db, person.id, id)), text('job_history.past_added'));
    },
  }),
  bind(jobHistory.correct, {
    find: async (ctx) => {
      const person = await findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true });
      return { person, row: await findRow(ctx.db, person.id, ctx.params.rowId) };
    },
    allow: (ctx, { person }) => requireWide(ctx, person),
    handle: async (ctx, { person, row }) => {
      await correctPastJob(ctx, { person, row }, ctx.body);
      const after = await findRow(ctx.db, person.id, row.id);
      return done(presentRow(ctx.actor, person, after), text('job_history.corrected'));
    },
  }),
  bind(jobHistory.delete, {
    find: async (ctx) => {
      const person = await findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true });
      return { person, row: await findRow(ctx.db, person.id, ctx.params.rowId) };
    },
    allow: (ctx, { person }) => requireOther(ctx.actor, person),
    handle: async (ctx, { person, row }) => {
      if (isDecided(row)) throw conflict(decided, { status: row.status, revision: person.revision });
      await transition(ctx.db, {
        table: 'job_history',
        column: 'status',
        id: row.id,
        from: ['scheduled', 'failed'],
        to: 'cancelled',
        refusal: (status) => text('job_history.cannot_be_cancelled', { state: stateOf(status) }),
      });
      await record(ctx, {
        action: 'job_history.cancelled',
        subject_id: row.id,
        subject_label: person.name,
        entity_id: person.entity_id,
        changes: { status: { from: row.status, to: 'cancelled' } },
      });
    },
  }),
  bind(plannedChanges.list, {
    handle: async (ctx) => pageOf(ctx, ctx.query, await listPlanned(ctx, ctx.query)),
  }),
  bind(plannedChanges.cancel, {
    handle: async (ctx) => {
      const result = await cancelPlanned(ctx, ctx.body);
      const { cancelled, refused } = result.counts;
      const key = ctx.body.dry_run ? 'job_history.would_be_cancelled' : 'job_history.cancelled';
      const message =
        refused > 0 ? text(`${key}_some`, { count: cancelled, refused }) : text(key, { count: cancelled });
      return done(result, message);
    },
  }),
];
