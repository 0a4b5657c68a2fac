import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { ActorRef, allowedActions, day, instant, item, page, PersonRef, Ref, stamps } from './envelope.ts';
import { boolean, changes, countableDate, decimal, id, integer, oneOf, reason, revision, text } from './fields.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { Preflight } from './kpi-preflight.ts';
import { filters, listQuery } from './lists.ts';

export const cycleTypes = ['monthly', 'quarterly', 'semi_annual', 'annual', 'custom'] as const;
export const cycleStatuses = ['draft', 'published', 'closed'] as const;
export const remindStages = ['self', 'manager', 'acceptance'] as const;

const percent = () => integer(0, 100);
const bandName = () => text(40, 1);
const band = () => z.object({ name: bandName(), from: decimal(0.01, 100, 2) });
const create = z.object({
  name: text(150, 2),
  description: text(5_000).nullish(),
  type: oneOf(cycleTypes).optional(),
  start_date: countableDate(),
  end_date: countableDate(),
  entity_id: id().nullish(),
  self_assessment_opens_on: countableDate().nullish(),
  self_assessment_closes_on: countableDate().nullish(),
  manager_review_opens_on: countableDate().nullish(),
  manager_review_closes_on: countableDate().nullish(),
  acceptance_days: integer(1, 60).optional(),
  /** The fewest days for a step, counted from the day it reaches a person. */
  min_days: integer(1, 30).optional(),
  min_service_days: integer(1, 366).nullish(),
  auto_skip_self: boolean().optional(),
  auto_accept: boolean().optional(),
  /** An HR user who submitted the manager review does not do the HR review if another can. */
  four_eyes: boolean().optional(),
  hr_comment_optional: boolean().optional(),
  manager_weight_pct: percent().optional(),
  self_weight_pct: percent().optional(),
  pip_below_pct: decimal(0, 100, 2).optional(),
  hipo_from_pct: decimal(0, 100, 2).optional(),
  band_caps: z.object({ a: percent(), b: percent(), c: percent(), d: percent() }).nullish(),
  /** The names of the bands, highest first, and the lowest percentage of each; the last one gets the rest. */
  bands: z.object({ a: band(), b: band(), c: band(), d: z.object({ name: bandName() }) }).optional(),
  owner_id: id().nullish(),
});

const optionalText = (max: number) => z.string().max(max).nullable();
const caps = z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int() });

const bandRead = z.object({ name: z.string().max(40), from: z.number() });
export const CycleBands = z.object({ a: bandRead, b: bandRead, c: bandRead, d: bandRead.omit({ from: true }) });
export type CycleBands = z.output<typeof CycleBands>;

export const KpiCycle = z.object({
  id: z.int(),
  name: z.string().max(150),
  description: optionalText(5_000),
  type: z.enum(cycleTypes),
  start_date: day,
  end_date: day,
  entity_id: z.int().nullable(),
  entity: Ref.nullable(),
  self_assessment_opens_on: day.nullable(),
  self_assessment_closes_on: day.nullable(),
  manager_review_opens_on: day.nullable(),
  manager_review_closes_on: day.nullable(),
  acceptance_days: z.int(),
  min_days: z.int(),
  min_service_days: z.int().nullable(),
  auto_skip_self: z.boolean(),
  auto_accept: z.boolean(),
  four_eyes: z.boolean(),
  hr_comment_optional: z.boolean(),
  manager_weight_pct: z.int(),
  self_weight_pct: z.int(),
  pip_below_pct: z.number(),
  hipo_from_pct: z.number(),
  band_caps: caps.nullable(),
  bands: CycleBands,
  status: z.enum(cycleStatuses),
  /**
   * The progress of a publish in the background, without figures for readers who do not see all of its companies; null
   * if none is running.
   */
  publishing: z.object({ processed: z.int().optional(), total: z.int().optional() }).nullable(),
  departments_count: z.int(),
  published_departments_count: z.int(),
  evaluations_count: z.int(),
  completed_count: z.int(),
  cancelled_count: z.int(),
  owner_id: z.int().nullable(),
  owner: PersonRef.nullable(),
  created_by: ActorRef,
  published_at: instant.nullable(),
  closed_at: instant.nullable(),
  close_reason: optionalText(500),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type KpiCycle = z.output<typeof KpiCycle>;

export const CycleDepartment = z.object({
  id: z.int(),
  cycle_id: z.int(),
  department_id: z.int(),
  department: Ref,
  entity_id: z.int(),
  entity: Ref,
  template_id: z.int().nullable(),
  template: Ref.nullable(),
  is_published: z.boolean(),
  published_at: instant.nullable(),
  published_by: ActorRef.nullable(),
  evaluations_count: z.int(),
  /** The number of the department's evaluations by state. */
  by_status: z.record(z.enum(evaluationStatuses), z.int()),
  overdue: z.int(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type CycleDepartment = z.output<typeof CycleDepartment>;

export const PublishResult = z.object({
  status: z.enum(['completed', 'processing']),
  created: z.int(),
  skipped: z.int(),
  blocked: z.int(),
});

const query = listQuery(['start_date', 'end_date', 'name', 'status', 'created_at'], {
  entity_id: filters.ids(),
  status: filters.oneOf(cycleStatuses),
  type: filters.oneOf(cycleTypes),
  start_from: filters.day(),
  start_to: filters.day(),
});

const path = '/kpi-cycles/:id';
const departmentPath = `${path}/departments/:departmentId` as const;
const reply = item(KpiCycle);
const view = { method: 'GET', permission: 'kpi-cycle.view', scope: 'scoped', status: 200 } as const;
const update = { permission: 'kpi-cycle.update', scope: 'scoped', status: 200 } as const;

export const kpiCycles = {
  list: endpoint({ ...view, path: '/kpi-cycles', summary: 'List KPI cycles', query, reply: page(KpiCycle) }),
  get: endpoint({ ...view, path, summary: 'Read a KPI cycle', reply }),
  create: endpoint({
    method: 'POST',
    path: '/kpi-cycles',
    summary: 'Add a KPI cycle',
    permission: 'kpi-cycle.create',
    scope: 'scoped',
    body: create.extend({
      /** The cycle whose rules, departments and templates the new one starts with; its windows shift with the start. */
      copy_from: id().nullish(),
    }),
    reply,
    status: 201,
  }),
  update: endpoint({
    ...update,
    method: 'PUT',
    path,
    summary: 'Change a KPI cycle',
    body: changes(create, revision),
    reply,
  }),
  delete: endpoint({
    method: 'DELETE',
    path,
    summary: 'Delete a KPI cycle that was never published',
    permission: 'kpi-cycle.delete',
    scope: 'scoped',
    status: 204,
  }),
  departments: endpoint({
    ...view,
    path: `${path}/departments`,
    summary: 'List the departments of a KPI cycle with their templates and progress',
    query: listQuery(['department_name', 'entity_name', 'published_at', 'evaluations_count'], {
      entity_id: filters.ids(),
      is_published: filters.flag(),
      template_id: filters.ids(),
    }),
    reply: page(CycleDepartment),
  }),
  assignDepartment: endpoint({
    ...update,
    method: 'PUT',
    path: departmentPath,
    summary: 'Let a department take part, and choose its template',
    body: z.object({ template_id: id().nullish(), ...revision }),
    reply: item(CycleDepartment),
  }),
  removeDepartment: endpoint({
    method: 'DELETE',
    path: departmentPath,
    summary: 'Take a department out of a KPI cycle',
    permission: 'kpi-cycle.update',
    scope: 'scoped',
    status: 204,
  }),
  preflight: endpoint({
    method: 'GET',
    path: `${path}/preflight`,
    summary: 'What publishing would do, and what is in its way',
    permission: 'kpi-cycle.publish',
    scope: 'scoped',
    query: z.object({ department_ids: filters.ids() }),
    reply: item(Preflight),
    status: 200,
  }),
  publish: endpoint({
    method: 'POST',
    path: `${path}/publish`,
    summary: 'Make the evaluations of a KPI cycle',
    permission: 'kpi-cycle.publish',
    scope: 'scoped',
    // large cycles continue as a job with all rights of the account
    accepts: 'session',
    body: z.object({
      department_ids: z.array(id()).min(1).max(1_000).nullish(),
      plan_hash: text(64).nullish(),
      allow_missing_reviewer: boolean().optional(),
    }),
    reply: reply.extend({ result: PublishResult }),
    status: 200,
  }),
  remind: endpoint({
    ...update,
    method: 'POST',
    path: `${path}/remind`,
    summary: 'Remind those who have not acted',
    body: z.object({ stage: oneOf(remindStages), department_ids: z.array(id()).min(1).max(1_000).nullish() }),
    reply: item(z.object({ reminded: z.int(), open: z.int() })),
  }),
  close: endpoint({
    ...update,
    method: 'POST',
    path: `${path}/close`,
    summary: 'Close a KPI cycle',
    body: z.object({ force: boolean().optional(), reason: reason().nullish(), ...revision }),
    reply,
  }),
  reopen: endpoint({
    method: 'POST',
    path: `${path}/reopen`,
    summary: 'Open a closed KPI cycle again',
    permission: 'kpi-cycle.reopen',
    scope: 'scoped',
    body: z.object({ reason: reason(), ...revision }),
    reply,
    status: 200,
  }),
};
