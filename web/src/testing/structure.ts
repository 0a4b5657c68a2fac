import { departmentRows, entityRows, type Department, type Entity, type FieldRows } from '@tenure/contract';

const stamps = { revision: 1, created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-01-05T08:00:00.000Z' };

type Empty<T> = { [K in keyof T as null extends T[K] ? K : never]: null };

/** Empty values for optional fields, so that a new field needs no line here. */
const emptyOf = <T>(rows: FieldRows) =>
  Object.fromEntries(Object.keys(rows).map((name) => [name, null])) as unknown as Empty<T>;

export const company = (fields: Partial<Entity> = {}): Entity => ({
  ...emptyOf<Entity>(entityRows),
  id: 1,
  name: 'Acme Foods Ltd',
  code: 'ACME',
  status: 'active',
  registration_number: '04711882',
  address: '1 Harbour Square, Bristol',
  country: 'GB',
  timezone: 'Europe/London',
  locale: 'en',
  probation_months: 3,
  probation_lead_days: 30,
  probation_max_extensions: 1,
  probation_day_30_review: false,
  probation_midpoint_review: false,
  kpi_band_a_name: 'A',
  kpi_band_a_from: 90,
  kpi_band_b_name: 'B',
  kpi_band_b_from: 80,
  kpi_band_c_name: 'C',
  kpi_band_c_from: 60,
  kpi_band_d_name: 'D',
  departments_count: 2,
  employees_count: 20,
  hr_representatives: [],
  allowed_actions: ['update', 'export'],
  ...stamps,
  ...fields,
});

export const department = (fields: Partial<Department> = {}): Department => ({
  ...emptyOf<Department>(departmentRows),
  id: 4,
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  name: 'Purchasing',
  code: 'PUR',
  status: 'active',
  employees_count: 0,
  children_count: 0,
  allowed_actions: ['update', 'manager', 'team-lead', 'export'],
  ...stamps,
  ...fields,
});
