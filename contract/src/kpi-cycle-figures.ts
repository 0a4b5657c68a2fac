import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item, Ref } from './envelope.ts';
import { oneOf } from './fields.ts';
import { evaluationStatuses } from './kpi-evaluations.ts';
import { filters, listQuery, readableExportQuery } from './lists.ts';
import { tables } from './files.ts';

export const cycleBands = ['A', 'B', 'C', 'D'] as const;

const share = z.object({
  band: z.enum(cycleBands),
  /** The name of the band in the cycle. */
  name: z.string().max(40),
  count: z.int(),
  share_pct: z.number().nullable(),
  cap_pct: z.int().nullable(),
  over_limit: z.boolean(),
});
export type BandShare = z.output<typeof share>;

export const CycleSummary = z.object({
  as_of: instant,
  cycle: Ref,
  total: z.int(),
  by_status: z.record(z.enum(evaluationStatuses), z.int()),
  completion_pct: z.number().nullable(),
  overdue: z.object({ self: z.int(), manager: z.int(), hr: z.int(), acceptance: z.int() }),
  average_percentage: z.number().nullable(),
  bands: z.array(share),
  flags: z.object({ pip: z.int(), standard: z.int(), hipo: z.int() }),
  disputes_open: z.int(),
  median_days_per_stage: z.object({
    self_assessment: z.number().nullable(),
    manager_review: z.number().nullable(),
    hr_review: z.number().nullable(),
    pending_acceptance: z.number().nullable(),
  }),
  departments: z.array(
    z.object({
      id: z.int(),
      name: z.string().max(150),
      total: z.int(),
      completed: z.int(),
      overdue: z.int(),
    }),
  ),
});
export type CycleSummary = z.output<typeof CycleSummary>;

/** The distribution of a cycle's results, by department or by reviewer, without the viewer's own result. */
export const Distribution = z.object({
  as_of: instant,
  by: z.enum(['department', 'reviewer']),
  overall: z.object({ count: z.int(), average_percentage: z.number().nullable(), bands: z.array(share) }),
  groups: z.array(
    z.object({
      /** null: without reviewer */
      id: z.int().nullable(),
      name: z.string().max(255).nullable(),
      count: z.int(),
      average_percentage: z.number().nullable(),
      bands: z.array(share),
    }),
  ),
});
export type Distribution = z.output<typeof Distribution>;

const results = readableExportQuery(
  listQuery(['employee_name'], { department_id: filters.ids(), status: filters.oneOf(evaluationStatuses) }),
);

const path = '/kpi-cycles/:id';
const view = { method: 'GET', permission: 'kpi-cycle.view', scope: 'scoped', status: 200 } as const;

/** The results of a cycle. */
export const kpiCycleFigures = {
  summary: endpoint({
    ...view,
    path: `${path}/summary`,
    summary: 'Figures of a KPI cycle',
    reply: item(CycleSummary),
  }),
  distribution: endpoint({
    ...view,
    path: `${path}/distribution`,
    summary: 'How the results of a KPI cycle spread',
    query: z.object({ by: oneOf(['department', 'reviewer']).optional() }),
    reply: item(Distribution),
  }),
  export: endpoint({
    method: 'GET',
    path: `${path}/export`,
    summary: 'Export the results of a KPI cycle',
    permission: 'kpi-cycle.export',
    scope: 'scoped',
    query: results,
    file: tables,
    budget: 'export',
    status: 200,
  }),
};
