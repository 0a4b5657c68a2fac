import * as z from 'zod';
import { employeeRows } from './employee-rows.ts';
import { allowedActions, instant, stamps } from './envelope.ts';
import { inputOf, outputOf } from './field-kit.ts';
import { id } from './fields.ts';

export const roleAssignments = z
  .array(z.object({ role_id: id(), entity_ids: z.array(id()).max(500).nullish() }))
  .max(50);

/** What a form may send. */
export const employeeInput = inputOf(employeeRows);

const [card, work, sensitive] = [
  outputOf(employeeRows, 'card'),
  outputOf(employeeRows, 'work'),
  outputOf(employeeRows, 'private'),
];

/** Fields only holders of `employees.view_sensitive` and the person see. */
export type PrivateField = keyof typeof sensitive;

/** Which fields belong to which group of viewers. */
export const employeeFieldGroups = {
  card: Object.keys(card),
  work: Object.keys(work),
  private: Object.keys(sensitive),
} as const;

/** Fields whose changes the job history keeps. */
export const jobFields = [
  'entity_id',
  'department_id',
  'reporting_manager_id',
  'job_title',
  'grade',
  'employment_type',
] as const;
export const EmployeeRow = z.object({
  id: z.int(),
  ...card,
  ...work,
  deleted_at: instant.nullable().optional(),
  revision: z.int(),
  ...stamps,
  allowed_actions: allowedActions,
});
export type EmployeeRow = z.output<typeof EmployeeRow>;

export const Responsibilities = z.object({
  departments_managed: z.int(),
  departments_led: z.int(),
  direct_reports: z.int(),
  open_evaluations: z.int(),
  open_probation_reviews: z.int(),
  cycles_owned: z.int(),
});

/** Of somebody else they are given on request; absent when the reader may not see them. */
export const privateDetails = ['included', 'on_request'] as const;

export const Employee = EmployeeRow.extend({
  ...sensitive,
  private_details: z.enum(privateDetails).optional(),
  responsibilities: Responsibilities.optional(),
});
export type Employee = z.output<typeof Employee>;
