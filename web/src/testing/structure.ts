import type { Department, Entity } from '@tenure/contract';

const stamps = { revision: 1, created_at: '2026-01-05T08:00:00.000Z', updated_at: '2026-01-05T08:00:00.000Z' };

export const company = (fields: Partial<Entity> = {}): Entity => ({
  id: 1,
  name: 'Acme Foods Ltd',
  code: 'ACME',
  status: 'active',
  description: null,
  registration_number: '04711882',
  tax_number: null,
  address: '1 Harbour Square, Bristol',
  country: 'GB',
  timezone: 'Europe/London',
  probation_months: 3,
  probation_lead_days: 30,
  probation_max_extensions: 1,
  departments_count: 2,
  employees_count: 20,
  hr_representatives: [],
  allowed_actions: ['update', 'export'],
  ...stamps,
  ...fields,
});

export const department = (fields: Partial<Department> = {}): Department => ({
  id: 4,
  entity_id: 1,
  entity: { id: 1, name: 'Acme Foods Ltd' },
  name: 'Purchasing',
  code: 'PUR',
  parent_id: null,
  parent: null,
  status: 'active',
  manager_id: null,
  manager: null,
  team_lead_id: null,
  team_lead: null,
  employees_count: 0,
  children_count: 0,
  allowed_actions: ['update', 'manager', 'team-lead', 'export'],
  ...stamps,
  ...fields,
});
