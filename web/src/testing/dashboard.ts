const as_of = '2026-04-18T14:30:00.000Z';
const group = (id: number, name: string, count: number) => ({ id, name, count });

/** The dashboard of a user who may see all figures. */
export const wholeDashboard = {
  filters: {
    entities: [
      { id: 1, name: 'Acme Foods' },
      { id: 2, name: 'Acme Retail' },
    ],
    cycles: [{ id: 9, name: 'Q1 2026' }],
  },
  headcount: {
    as_of,
    total: 150,
    active: 142,
    inactive: 8,
    probationary: 14,
    confirmed: 128,
    by_entity: [group(1, 'Acme Foods', 100), group(2, 'Acme Retail', 42)],
    by_department: [group(4, 'Purchasing', 18)],
    delta_month: 3,
  },
  movement: { as_of, joiners_month: 4, leavers_month: 1, rehires_month: 0, turnover_pct: 6.43 },
  tenure: {
    as_of,
    bands: { '0-1': 30, '1-3': 52, '3-5': 34, '5+': 26 },
    employment_types: { full_time: 131, part_time: 7, contract: 2, intern: 2, consultant: 0 },
  },
  kpi_cycle: {
    as_of,
    cycle: { id: 9, name: 'Q1 2026' },
    total: 118,
    by_status: {
      self_assessment: 40,
      manager_review: 30,
      hr_review: 20,
      pending_acceptance: 10,
      accepted: 4,
      disputed: 1,
      completed: 12,
      cancelled: 1,
    },
    completion_pct: 10.26,
    overdue: { self: 3, manager: 2, hr: 0, acceptance: 1 },
    average_percentage: 78.4,
    bands: [
      { band: 'A', count: 2, share_pct: 16.67, cap_pct: 20, over_limit: false },
      { band: 'B', count: 4, share_pct: 33.33, cap_pct: 40, over_limit: false },
      { band: 'C', count: 5, share_pct: 41.67, cap_pct: 30, over_limit: true },
      { band: 'D', count: 1, share_pct: 8.33, cap_pct: 10, over_limit: false },
    ],
    flags: { pip: 1, standard: 9, hipo: 2 },
    disputes_open: 1,
    median_days_per_stage: { self_assessment: 6, manager_review: 5.5, hr_review: 3, pending_acceptance: 2 },
    departments: [{ id: 4, name: 'Purchasing', total: 17, completed: 3, overdue: 1 }],
  },
  probation: {
    as_of,
    on_probation: 14,
    ending_30: 4,
    ending_14: 2,
    ending_7: 0,
    overdue: 1,
    no_end_date: 0,
    no_review: 1,
    outcomes_quarter: { confirm: 6, extend: 1, terminate: 0 },
    extension_rate_pct: 14.29,
  },
  my_work: { as_of, by_kind: { kpi_hr_review: 20 }, overdue: 1, unread_notifications: 5 },
  data_quality: {
    as_of,
    employees_without_manager: 2,
    departments_without_manager: 1,
    accounts_without_role: 0,
    managers_without_review_permission: 1,
    evaluations_without_reviewer: 3,
  },
};
