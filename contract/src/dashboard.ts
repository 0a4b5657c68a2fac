import * as z from 'zod';
import { actionableKinds } from './actionable-items.ts';
import { employmentTypes } from './employee-rows.ts';
import { endpoint } from './endpoint.ts';
import { day, instant, item, Ref } from './envelope.ts';
import { CycleSummary } from './kpi-cycle-figures.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { performanceFlags } from './score-explanation.ts';
import { filters } from './lists.ts';
import { probationOutcomes, probationStatuses } from './probation-reviews.ts';

/** Completed years of service, the upper bound not included. */
export const tenureBands = ['0-1', '1-3', '3-5', '5+'] as const;

/** When it was counted. Counts by day used the calendar day of the person's company at that time. */
const block = { as_of: instant };
const percent = z.number().nullable();
const groupCount = z.object({ id: z.int(), name: z.string().max(150), count: z.int() });

const Headcount = z.object({
  ...block,
  /** All people who have started and not left; if employment is hidden, all active people. */
  total: z.int(),
  active: z.int(),
  /** Inactive, but not because they left. Absent if employment is hidden, as are the following fields. */
  inactive: z.int().optional(),
  /** Their first day is still to come; not counted anywhere else here. */
  joining: z.int().optional(),
  /** Active people by lifecycle; people in their notice period are in neither. */
  probationary: z.int().optional(),
  confirmed: z.int().optional(),
  /** Active people. */
  by_entity: z.array(groupCount),
  by_department: z.array(groupCount),
  /** Joiners minus leavers of this month so far. */
  delta_month: z.int().optional(),
});

const Movement = z.object({
  ...block,
  /** Since the first day of this month. A rehired person is a joiner. */
  joiners_month: z.int(),
  leavers_month: z.int(),
  rehires_month: z.int(),
  /** Leavers in twelve months per hundred people, relative to the mean of the head counts then and now. */
  turnover_pct: percent,
});

/** Active people. */
const Tenure = z.object({
  ...block,
  bands: z.record(z.enum(tenureBands), z.int()),
  employment_types: z.record(z.enum(employmentTypes), z.int()),
});

const Probation = z.object({
  ...block,
  on_probation: z.int(),
  /** Within this many days from today; those past their end are `overdue`. */
  ending_30: z.int(),
  ending_14: z.int(),
  ending_7: z.int(),
  overdue: z.int(),
  no_end_date: z.int(),
  no_review: z.int(),
  /** Decided since the first day of this quarter. */
  outcomes_quarter: z.record(z.enum(probationOutcomes), z.int()),
  extension_rate_pct: percent,
});

const MyWork = z.object({
  ...block,
  by_kind: z.partialRecord(z.enum(actionableKinds), z.int()),
  overdue: z.int(),
  unread_notifications: z.int(),
});

const Me = z.object({
  ...block,
  /** Today in the user's own company. */
  today: day,
  /** In the selected cycle, else the latest one. */
  evaluation: z.object({ id: z.int(), status: z.enum(evaluationStatuses), due_on: day.nullable() }).nullable(),
  last_results: z.array(
    z.object({ cycle: Ref, overall_percentage: percent, performance_flag: z.enum(performanceFlags).nullable() }),
  ),
  /** During probation; the status is that of the last review that the user may see. */
  probation: z.object({ end_date: day.nullable(), status: z.enum(probationStatuses).nullable() }).nullable(),
});

const DataQuality = z.object({
  ...block,
  employees_without_manager: z.int(),
  departments_without_manager: z.int(),
  accounts_without_role: z.int(),
  managers_without_review_permission: z.int(),
  evaluations_without_reviewer: z.int(),
});

/** Blocks that the caller may not see are absent. */
export const Dashboard = z.object({
  /** The reference day of lists: today in the reader's company if counted, else the latest of the counted ones. */
  today: day,
  filters: z.object({ entities: z.array(Ref), cycles: z.array(Ref) }),
  headcount: Headcount.optional(),
  movement: Movement.optional(),
  tenure: Tenure.optional(),
  /** null: there is no such cycle. */
  kpi_cycle: CycleSummary.nullable().optional(),
  probation: Probation.optional(),
  my_work: MyWork,
  me: Me.optional(),
  data_quality: DataQuality.optional(),
});
export type Dashboard = z.output<typeof Dashboard>;

const MonthOfMovement = z.object({
  /** `YYYY-MM` */
  month: z.string().max(7),
  /** At the end of the month, or now: then with those on their last working day, who are also leavers of the month. */
  headcount: z.int(),
  joiners: z.int(),
  leavers: z.int(),
  rehires: z.int(),
  /** Moves from and to companies or departments that are not counted here. */
  moved_in: z.int(),
  moved_out: z.int(),
});
export type MonthOfMovement = z.output<typeof MonthOfMovement>;

/** People are counted where they were at the time. */
export const MovementReport = z.object({
  ...block,
  /** As on the dashboard; later days are not counted. */
  today: day,
  /** Oldest first; the last one is not over yet. */
  months: z.array(MonthOfMovement),
  /** The last twelve months. */
  departments: z.array(
    z.object({
      id: z.int(),
      name: z.string().max(150),
      entity: Ref,
      headcount: z.int(),
      joiners: z.int(),
      leavers: z.int(),
      turnover_pct: percent,
    }),
  ),
});
export type MovementReport = z.output<typeof MovementReport>;

export const OutcomesReport = z.object({
  ...block,
  /** As on the dashboard; later days are not counted. */
  today: day,
  outcomes: z.record(z.enum(probationOutcomes), z.int()),
  extension_rate_pct: percent,
  departments: z.array(
    z.object({
      id: z.int(),
      name: z.string().max(150),
      entity: Ref,
      outcomes: z.record(z.enum(probationOutcomes), z.int()),
    }),
  ),
});
export type OutcomesReport = z.output<typeof OutcomesReport>;

/** The most recent cycles with evaluations, newest first. */
export const CyclesReport = z.object({
  ...block,
  cycles: z.array(
    z.object({
      id: z.int(),
      name: z.string().max(120),
      end_date: day,
      /** Without cancelled evaluations. */
      evaluations: z.int(),
      /** Completed evaluations, without the viewer's own. */
      results: z.int(),
      /** null: fewer than five results. */
      average_percentage: percent,
    }),
  ),
});
export type CyclesReport = z.output<typeof CyclesReport>;

const report = { method: 'GET', permission: 'dashboard.view_all', scope: 'scoped', status: 200 } as const;

export const dashboard = {
  get: endpoint({
    method: 'GET',
    path: '/dashboard',
    summary: 'Read the tasks of the user and the figures in scope',
    permission: 'signed in',
    scope: 'scoped',
    query: z.object({ entity_id: filters.ids(), cycle_id: filters.ids() }),
    reply: item(Dashboard),
    status: 200,
  }),
};

export const reports = {
  movement: endpoint({
    ...report,
    path: '/reports/movement',
    summary: 'Head count, joiners and leavers by month, turnover by department',
    query: z.object({ entity_id: filters.ids(), from: filters.day(), to: filters.day() }),
    reply: item(MovementReport),
  }),
  cycles: endpoint({
    ...report,
    path: '/reports/kpi-cycles',
    summary: 'Evaluations and results of the last KPI cycles',
    query: z.object({ entity_id: filters.ids() }),
    reply: item(CyclesReport),
  }),
  probationOutcomes: endpoint({
    ...report,
    path: '/reports/probation-outcomes',
    summary: 'How probations ended, by department',
    query: z.object({ entity_id: filters.ids(), from: filters.day(), to: filters.day() }),
    reply: item(OutcomesReport),
  }),
};
