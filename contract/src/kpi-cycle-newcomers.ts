import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, instant, item, page, PersonRef, Ref } from './envelope.ts';
import { id, reason } from './fields.ts';
import { maxCyclePeople } from './kpi-cycle-people.ts';
import { filters, listQuery } from './lists.ts';
import { messageField } from './message-field.ts';

/**
 * How a person became eligible after publishing: by joining, by confirmation, by moving to a published department, or
 * by returning after being inactive or deleted.
 */
export const eligibilityCauses = ['joined', 'confirmed', 'moved', 'returned'] as const;

/** A person whom the rules of a published cycle include, without an evaluation or a decision. */
export const NewlyEligible = z.object({
  employee: PersonRef,
  department: Ref,
  entity_id: z.int(),
  /** null if it is none of these, or if the caller cannot read the person's employment. */
  cause: z.enum(eligibilityCauses).nullable(),
  /** The first day to which the cause applies. */
  since: day.nullable(),
  /** What adding the person would assign; null if nothing, or if the caller cannot see it. */
  template: Ref.nullable(),
  reviewer: PersonRef.nullable(),
});
export type NewlyEligible = z.output<typeof NewlyEligible>;

/** A person whom HR excluded from a cycle. */
export const LeftOut = z.object({
  employee: PersonRef,
  /** null if the caller cannot see the current department. */
  department: Ref.nullable(),
  reason: z.string().max(500),
  decided_by: ActorRef,
  decided_at: instant,
  allowed_actions: allowedActions,
});
export type LeftOut = z.output<typeof LeftOut>;

const LeaveOutResult = z.object({
  employee_id: z.int(),
  /** null for a person whom the caller cannot see, whether they exist or not. */
  employee: PersonRef.nullable(),
  outcome: z.enum(['left_out', 'refused']),
  /** Why the person is refused. */
  reason: messageField().nullable(),
});

const path = '/kpi-cycles/:id/left-out';
const common = { permission: 'kpi-cycle.publish', scope: 'scoped' } as const;
const query = listQuery(['employee_name', 'department_name'], { department_id: filters.ids() });

export const kpiCycleNewcomers = {
  newlyEligible: endpoint({
    ...common,
    method: 'GET',
    path: '/kpi-cycles/:id/newly-eligible',
    summary: 'List people who became eligible after the KPI cycle was published',
    query,
    reply: page(NewlyEligible),
    status: 200,
  }),
  leftOut: endpoint({
    ...common,
    method: 'GET',
    path,
    summary: 'List people whom HR left out of a KPI cycle',
    query,
    reply: page(LeftOut),
    status: 200,
  }),
  leaveOut: endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Leave newly eligible people out of a KPI cycle',
    body: z.object({ employee_ids: z.array(id()).min(1).max(maxCyclePeople), reason: reason() }),
    reply: item(
      z.object({
        counts: z.object({ total: z.int(), left_out: z.int(), refused: z.int() }),
        people: z.array(LeaveOutResult),
      }),
    ),
    status: 200,
  }),
  undo: endpoint({
    ...common,
    method: 'DELETE',
    path: `${path}/:employeeId`,
    summary: 'Undo the decision to leave a person out of a KPI cycle',
    status: 204,
  }),
};
