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

/** When it was counted. What is counted by days is counted by the day that it was then in the company of the person. */
const block = { as_of: instant };
const percent = z.number().nullable();
const groupCount = z.object({ id: z.int(), name: z.string().max(150), count: z.int() });

const Headcount = z.object({
  ...block,
  /** All people who have begun and not left; where employment is hidden, who is active. */
  total: z.int(),
  active: z.int(),
  /** Inactive, and not because they left. This and what follows from employment is absent where that is hidden. */
  inactive: z.int().optional(),
  /** Their first day is still to come; in no other figure here. */
  joining: z.int().optional(),
  /** Active people by lifecycle; who works out their notice is in neither. */
  probationary: z.int().optional(),
  confirmed: z.int().optional(),
  /** Active people. */
  by_entity: z.array(groupCount),
  by_department: z.array(groupCount),
  /** Joiners less leavers of this month so far. */
  delta_month: z.int().optional(),
});

const Movement = z.object({
  ...block,
  /** Since the first day of this month. A person who was hired again is a joiner. */
  joiners_month: z.int(),
  leavers_month: z.int(),
  rehires_month: z.int(),
  /** Leavers of twelve months for a hundred people of the mean of head count then and now. */
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
  /** Within so many days from today; those who are past the end are `overdue`. */
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
  /** The day in the own company. */
  today: day,
  /** Of the chosen cycle, else the latest one. */
  evaluation: z.object({ id: z.int(), status: z.enum(evaluationStatuses), due_on: day.nullable() }).nullable(),
  last_results: z.array(
    z.object({ cycle: Ref, overall_percentage: percent, performance_flag: z.enum(performanceFlags).nullable() }),
  ),
  /** While on probation; the status is that of the last review the person may see. */
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

/** A block that the caller may not see is absent. */
export const Dashboard = z.object({
  /** For days in lists: the day in the reader's company where it is counted, else the latest of the counted ones. */
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
  /** At the end of the month, or now: then with those on their last working day, who are leavers of the month too. */
  headcount: z.int(),
  joiners: z.int(),
  leavers: z.int(),
  rehires: z.int(),
  /** From and to what is not counted here. */
  moved_in: z.int(),
  moved_out: z.int(),
});
export type MonthOfMovement = z.output<typeof MonthOfMovement>;

/** People are counted where they were at the time. */
export const MovementReport = z.object({
  ...block,
  /** As on the dashboard; no later day is counted. */
  today: day,
  /** The oldest first; the last one is not over yet. */
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
  /** As on the dashboard; no later day is counted. */
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

/** The last cycles with evaluations, the newest first. */
export const CyclesReport = z.object({
  ...block,
  cycles: z.array(
    z.object({
      id: z.int(),
      name: z.string().max(120),
      end_date: day,
      /** Without cancelled ones. */
      evaluations: z.int(),
      /** Completed evaluations; the viewer's own is left out. */
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
