import * as z from 'zod';
import { allowedActions, day, instant, PersonRef, Ref, stamps } from './envelope.ts';
import { boolean, date, email, id, oneOf, pattern, phone, text } from './fields.ts';

/** Joining: the first day is still to come. What tells it from active is the joining date, whatever is sent. */
export const activityStatuses = ['active', 'joining', 'inactive'] as const;
export const lifecycles = ['probationary', 'confirmed', 'resigned', 'terminated'] as const;
export const employmentTypes = ['full_time', 'part_time', 'contract', 'intern', 'consultant'] as const;
export const genders = ['male', 'female', 'other'] as const;
export const maritalStatuses = ['single', 'married', 'divorced', 'widowed'] as const;

const inner = (max = 150) => text(max).nullish();

/** One line per field a form may send. Who may see which field: `employeeFieldGroups` below. */
export const employeeInput = {
  employee_number: pattern(/^[A-Za-z0-9._/-]*$/, 20, 1).nullish(),
  email: email(),
  first_name: text(100, 1),
  last_name: text(100, 1),
  salutation: text(20).nullish(),
  middle_name: text(100).nullish(),
  display_name: text(200).nullish(),
  entity_id: id(),
  department_id: id(),
  job_title: text(150).nullish(),
  reporting_manager_id: id().nullish(),
  activity_status: oneOf(activityStatuses).optional(),
  employment_lifecycle: oneOf(lifecycles).optional(),
  grade: text(10).nullish(),
  employment_type: oneOf(employmentTypes).optional(),
  phone: phone().nullish(),
  joining_date: date().nullish(),
  /** Signs in before the first day. */
  early_access: boolean().optional(),
  probation_start_date: date().nullish(),
  probation_end_date: date().nullish(),
  confirmation_date: date().nullish(),
  notice_date: date().nullish(),
  last_working_date: date().nullish(),
  date_of_birth: date().nullish(),
  gender: oneOf(genders).nullish(),
  marital_status: oneOf(maritalStatuses).nullish(),
  nationality: text(60).nullish(),
  personal_email: email().nullish(),
  mobile: phone().nullish(),
  address: z
    .object({
      line1: inner(),
      line2: inner(),
      city: inner(),
      state: inner(),
      postal_code: inner(),
      country: inner(),
    })
    .nullish(),
  emergency_contact: z.object({ name: inner(), relation: inner(), phone: phone().nullish() }).nullish(),
  bank: z
    .object({
      bank_name: inner(60),
      branch: inner(60),
      account_title: inner(60),
      account_number: inner(60),
      iban: inner(60),
    })
    .nullish(),
};

export const RoleGrant = z.object({ id: z.int(), name: z.string().max(60), entity_ids: z.array(z.int()).nullable() });
export const roleAssignments = z
  .array(z.object({ role_id: id(), entity_ids: z.array(id()).max(500).nullish() }))
  .max(50);

const nullableText = (max: number) => z.string().max(max).nullable();
const nullableDay = day.nullable();

/** Seen by whoever has the person in `employees.view` scope. */
const card = {
  employee_number: z.string().max(20),
  email: z.string().max(190),
  first_name: z.string().max(100),
  last_name: z.string().max(100),
  salutation: nullableText(20),
  middle_name: nullableText(100),
  display_name: z.string().max(201),
  entity_id: z.int(),
  entity: Ref,
  department_id: z.int(),
  department: Ref,
  job_title: nullableText(150),
  reporting_manager_id: z.int().nullable(),
  reporting_manager: PersonRef.nullable(),
  profile_picture_url: nullableText(255),
  activity_status: z.enum(activityStatuses),
};

/** Seen by managed scope or wider, and by the person. */
const work = {
  employment_lifecycle: z.enum(lifecycles).optional(),
  grade: nullableText(10).optional(),
  employment_type: z.enum(employmentTypes).optional(),
  phone: nullableText(30).optional(),
  joining_date: nullableDay.optional(),
  early_access: z.boolean().optional(),
  probation_start_date: nullableDay.optional(),
  probation_end_date: nullableDay.optional(),
  confirmation_date: nullableDay.optional(),
  extension_count: z.int().optional(),
  notice_date: nullableDay.optional(),
  last_working_date: nullableDay.optional(),
  roles: z.array(RoleGrant).optional(),
  user: z
    .object({
      id: z.int(),
      last_login_at: instant.nullable(),
      has_password: z.boolean(),
      must_change_password: z.boolean(),
    })
    .optional(),
};

const inside = (max = 150) => z.string().max(max).nullable().optional();

/** Seen with `employees.view_sensitive` in scope, and by the person; never in lists. */
const sensitive = {
  date_of_birth: nullableDay.optional(),
  gender: z.enum(genders).nullable().optional(),
  marital_status: z.enum(maritalStatuses).nullable().optional(),
  nationality: nullableText(60).optional(),
  separation_reason: nullableText(500).optional(),
  personal_email: nullableText(190).optional(),
  mobile: nullableText(30).optional(),
  address: z
    .object({
      line1: inside(),
      line2: inside(),
      city: inside(),
      state: inside(),
      postal_code: inside(),
      country: inside(),
    })
    .nullable()
    .optional(),
  emergency_contact: z
    .object({ name: inside(), relation: inside(), phone: inside(30) })
    .nullable()
    .optional(),
  bank: z
    .object({
      bank_name: inside(60),
      branch: inside(60),
      account_title: inside(60),
      account_number: inside(60),
      iban: inside(60),
    })
    .nullable()
    .optional(),
};

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
