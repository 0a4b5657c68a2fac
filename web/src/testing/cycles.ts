import type { CycleDepartment, CycleSummary, KpiCycle, Preflight } from '@tenure/contract';

const stamps = { revision: 1, created_at: '2026-10-01T08:00:00.000Z', updated_at: '2026-10-01T08:00:00.000Z' };

export const cycle = (fields: Partial<KpiCycle> = {}): KpiCycle => ({
  id: 9,
  name: 'Q4 2026',
  description: null,
  type: 'quarterly',
  start_date: '2026-10-01',
  end_date: '2026-12-31',
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  self_assessment_opens_on: null,
  self_assessment_closes_on: null,
  manager_review_opens_on: null,
  manager_review_closes_on: null,
  acceptance_days: 7,
  min_days: 3,
  min_service_days: null,
  auto_skip_self: false,
  auto_accept: false,
  four_eyes: true,
  hr_comment_optional: false,
  manager_weight_pct: 100,
  self_weight_pct: 0,
  pip_below_pct: 60,
  hipo_from_pct: 90,
  band_caps: null,
  bands: { a: { name: 'A', from: 90 }, b: { name: 'B', from: 80 }, c: { name: 'C', from: 60 }, d: { name: 'D' } },
  status: 'draft',
  publishing: null,
  departments_count: 1,
  published_departments_count: 0,
  evaluations_count: 0,
  completed_count: 0,
  cancelled_count: 0,
  owner_id: 12,
  owner: { id: 12, employee_number: 'ACME-012', name: 'Hana Ito' },
  created_by: { user_id: 7, name: 'Hana Ito' },
  published_at: null,
  closed_at: null,
  close_reason: null,
  allowed_actions: ['update', 'preflight', 'publish', 'delete'],
  ...stamps,
  ...fields,
});

/** The same cycle after publishing: 12 evaluations, 3 of them completed. */
export const runningCycle = (fields: Partial<KpiCycle> = {}): KpiCycle =>
  cycle({
    status: 'published',
    published_at: '2026-10-02T08:00:00.000Z',
    published_departments_count: 1,
    evaluations_count: 12,
    completed_count: 3,
    allowed_actions: ['update', 'preflight', 'publish', 'remind', 'close', 'export'],
    ...fields,
  });

export const counts = {
  self_assessment: 4,
  manager_review: 2,
  hr_review: 1,
  pending_acceptance: 1,
  accepted: 1,
  disputed: 0,
  completed: 3,
  cancelled: 0,
};
const none = Object.fromEntries(Object.keys(counts).map((status) => [status, 0])) as typeof counts;

export const chosenDepartment = (fields: Partial<CycleDepartment> = {}): CycleDepartment => ({
  id: 31,
  cycle_id: 9,
  department_id: 4,
  department: { id: 4, name: 'Purchasing' },
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  template_id: null,
  template: null,
  is_published: false,
  published_at: null,
  published_by: null,
  evaluations_count: 0,
  by_status: none,
  overdue: 0,
  allowed_actions: ['update', 'delete'],
  ...stamps,
  ...fields,
});

export const summary = (fields: Partial<CycleSummary> = {}): CycleSummary => ({
  as_of: '2026-11-20T08:00:00.000Z',
  cycle: { id: 9, name: 'Q4 2026' },
  total: 12,
  by_status: counts,
  completion_pct: 25,
  overdue: { self: 2, manager: 0, hr: 0, acceptance: 0 },
  average_percentage: 78.4,
  bands: [],
  flags: { pip: 0, standard: 3, hipo: 0 },
  disputes_open: 0,
  median_days_per_stage: { self_assessment: 6, manager_review: null, hr_review: null, pending_acceptance: null },
  departments: [],
  ...fields,
});

export const preflight = (fields: Partial<Preflight> = {}): Preflight => ({
  cycle_id: 9,
  eligible: 12,
  to_create: 12,
  existing: 0,
  excluded: [],
  excluded_count: 0,
  newly_eligible: [],
  newly_eligible_count: 0,
  notified: 14,
  templates: [{ id: 3, name: 'Buyer', highest_pct: 100 }],
  blockers: [],
  warnings: [],
  plan_hash: 'first',
  ...fields,
});
