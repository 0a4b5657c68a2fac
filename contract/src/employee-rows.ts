import * as z from 'zod';
import { instant, PersonRef, Ref } from './envelope.ts';
import { field } from './field-kit.ts';

/** Joining: the first day is still to come. What tells it from active is the joining date, whatever is sent. */
export const activityStatuses = ['active', 'joining', 'inactive'] as const;
export const lifecycles = ['probationary', 'confirmed', 'resigned', 'terminated'] as const;
export const employmentTypes = ['full_time', 'part_time', 'contract', 'intern', 'consultant'] as const;
export const genders = ['male', 'female', 'other'] as const;
export const maritalStatuses = ['single', 'married', 'divorced', 'widowed'] as const;

export const RoleGrant = z.object({ id: z.int(), name: z.string().max(60), entity_ids: z.array(z.int()).nullable() });
const Account = z.object({
  id: z.int(),
  last_login_at: instant.nullable(),
  has_password: z.boolean(),
  must_change_password: z.boolean(),
});

const numberShape = /^[A-Za-z0-9._/-]*$/;
const line = { kind: 'text', max: 150 } as const;
const bankLine = { kind: 'text', max: 60 } as const;

/**
 * Every field of a person. Groups: `card` is seen with `employees.view` in scope; `work` by managed scope or wider, and
 * by the person; `private` with `employees.view_sensitive` in scope, and by the person, and never in lists.
 */
export const employeeRows = {
  employee_number: field.text({
    group: 'card',
    max: 20,
    min: 1,
    pattern: numberShape,
    shown: z.string().max(20),
    importAs: ['emp no', 'emp id', 'employee id', 'staff no'],
    export: true,
    section: 'work',
  }),
  email: field.email({
    group: 'card',
    required: true,
    primary: true,
    importAs: ['work email', 'mail'],
    export: true,
    section: 'contact',
  }),
  first_name: field.text({
    group: 'card',
    max: 100,
    min: 1,
    required: true,
    primary: true,
    importAs: ['given name'],
    export: true,
    section: 'name',
  }),
  last_name: field.text({
    group: 'card',
    max: 100,
    min: 1,
    required: true,
    primary: true,
    importAs: ['surname', 'family name'],
    export: true,
    section: 'name',
  }),
  salutation: field.text({
    group: 'card',
    max: 20,
    selfEdit: true,
    importAs: [],
    export: true,
    section: 'name',
    hiddenWhenEmpty: true,
  }),
  middle_name: field.text({
    group: 'card',
    max: 100,
    importAs: [],
    export: true,
    section: 'name',
    hiddenWhenEmpty: true,
  }),
  // first and last name where none is set
  display_name: field.text({
    group: 'card',
    max: 200,
    shown: z.string().max(201),
    selfEdit: true,
    importAs: [],
    export: true,
    section: 'name',
  }),
  entity_id: field.reference({
    group: 'card',
    to: 'company',
    required: true,
    primary: true,
    readOnlyForSelf: true,
    importAs: [],
    section: 'work',
  }),
  entity: field.computed(Ref, { group: 'card', export: true }),
  department_id: field.reference({
    group: 'card',
    to: 'department',
    required: true,
    primary: true,
    readOnlyForSelf: true,
    importAs: [],
    section: 'work',
  }),
  department: field.computed(Ref, { group: 'card', export: true }),
  job_title: field.text({
    group: 'card',
    max: 150,
    primary: true,
    readOnlyForSelf: true,
    importAs: ['title', 'position'],
    export: true,
    section: 'work',
  }),
  reporting_manager_id: field.reference({
    group: 'card',
    to: 'person',
    primary: true,
    readOnlyForSelf: true,
    section: 'work',
  }),
  reporting_manager: field.computed(PersonRef.nullable(), { group: 'card', export: true }),
  profile_picture_url: field.computed(z.string().max(255).nullable(), { group: 'card' }),
  activity_status: field.choice(activityStatuses, {
    group: 'card',
    filledIn: true,
    createOnly: true,
    importAs: ['status'],
    export: true,
    section: 'work',
  }),
  employment_lifecycle: field.choice(lifecycles, {
    group: 'work',
    filledIn: true,
    createOnly: true,
    importAs: [],
    export: true,
    section: 'employment',
  }),
  grade: field.text({
    group: 'work',
    max: 10,
    readOnlyForSelf: true,
    importAs: [],
    export: true,
    list: true,
    section: 'work',
  }),
  employment_type: field.choice(employmentTypes, {
    group: 'work',
    filledIn: true,
    primary: true,
    readOnlyForSelf: true,
    importAs: [],
    export: true,
    section: 'work',
  }),
  phone: field.phone({ group: 'work', selfEdit: true, importAs: [], export: true, section: 'contact' }),
  joining_date: field.day({
    group: 'work',
    primary: true,
    readOnlyForSelf: true,
    importAs: ['hire date', 'start date'],
    export: true,
    section: 'work',
  }),
  /** Signs in before the first day. */
  early_access: field.flag({
    group: 'work',
    filledIn: true,
    readOnlyForSelf: true,
    section: 'work',
    hiddenWhenEmpty: true,
  }),
  probation_start_date: field.day({
    group: 'work',
    readOnlyForSelf: true,
    importAs: [],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  probation_end_date: field.day({
    group: 'work',
    readOnlyForSelf: true,
    importAs: [],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  confirmation_date: field.day({
    group: 'work',
    createOnly: true,
    importAs: [],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  extension_count: field.kept(z.int(), { group: 'work', export: true }),
  notice_date: field.day({
    group: 'work',
    createOnly: true,
    importAs: [],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  last_working_date: field.day({
    group: 'work',
    createOnly: true,
    importAs: [],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  roles: field.computed(z.array(RoleGrant), { group: 'work' }),
  user: field.computed(Account, { group: 'work' }),
  date_of_birth: field.day({
    group: 'private',
    importAs: ['birth date', 'dob'],
    export: true,
    section: 'personal',
  }),
  gender: field.choice(genders, {
    group: 'private',
    short: { m: 'male', f: 'female' },
    importAs: ['sex'],
    export: true,
    section: 'personal',
  }),
  marital_status: field.choice(maritalStatuses, {
    group: 'private',
    selfEdit: true,
    importAs: [],
    export: true,
    section: 'personal',
  }),
  nationality: field.text({ group: 'private', max: 60, importAs: [], export: true, section: 'personal' }),
  separation_reason: field.kept(z.string().max(500).nullable(), { group: 'private' }),
  personal_email: field.email({ group: 'private', selfEdit: true, importAs: [], export: true, section: 'contact' }),
  mobile: field.phone({ group: 'private', selfEdit: true, importAs: [], export: true, section: 'contact' }),
  address: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'address',
    parts: {
      line1: line,
      line2: { ...line, hiddenWhenEmpty: true },
      city: line,
      state: { ...line, hiddenWhenEmpty: true },
      postal_code: line,
      country: line,
    },
  }),
  emergency_contact: field.parts({
    group: 'private',
    selfEdit: true,
    section: 'emergency',
    parts: { name: line, relation: line, phone: { kind: 'phone', max: 30 } },
  }),
  // its numbers are masked until they are asked for
  bank: field.parts({
    group: 'private',
    readOnlyForSelf: true,
    section: 'bank',
    parts: { bank_name: bankLine, branch: bankLine, account_title: bankLine, account_number: bankLine, iban: bankLine },
  }),
};
