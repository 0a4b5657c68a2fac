import * as z from 'zod';
import { day, instant, PersonRef, Ref } from './envelope.ts';
import { employeePrivateRows } from './employee-private-rows.ts';
import { field } from './field-kit.ts';

/** Joining: the first day is in the future. The joining date decides between joining and active, whatever is sent. */
export const activityStatuses = ['active', 'joining', 'inactive'] as const;
export const lifecycles = ['probationary', 'confirmed', 'resigned', 'terminated'] as const;
export const employmentTypes = ['full_time', 'part_time', 'contract', 'intern', 'consultant'] as const;

export const RoleGrant = z.object({
  id: z.int(),
  name: z.string().max(60),
  /** Whole companies that the role is limited to; null for no limit. */
  entity_ids: z.array(z.int()).nullable(),
  /** Departments that it reaches in addition to these companies, with their descendants; absent if none. */
  department_ids: z.array(z.int()).optional(),
});
/** The account of a person with an email address. */
const Account = z.object({
  id: z.int(),
  last_login_at: instant.nullable(),
  has_password: z.boolean(),
  must_change_password: z.boolean(),
  /** The last invitation of a person who has not chosen a password yet. */
  invitation: z.object({ sent_at: instant, expires_at: instant }).nullable(),
  /** A new sign-in address that is not confirmed yet; only in the record. */
  address_change: z
    .object({ email: z.string().max(190), sent_at: instant, expires_at: instant })
    .nullable()
    .optional(),
});

const numberShape = /^[A-Za-z0-9._/-]*$/;

/**
 * Every field of a person. Groups: `card` requires `employees.view` in scope; `work` a managed scope or wider, or being
 * the person; `private` requires `employees.view_sensitive` in scope, or being the person, and is never in lists.
 */
export const employeeRows = {
  employee_number: field.text({
    group: 'card',
    max: 20,
    min: 1,
    pattern: numberShape,
    shown: z.string().max(20),
    importAs: [
      'emp no',
      'emp id',
      'employee id',
      'staff no',
      'employee #',
      'personnel number',
      'mitarbeiternummer',
      'mitarbeiter-id',
      'personalnr',
      'personal-nr.',
      'pers.-nr.',
    ],
    export: true,
    section: 'work',
    sort: true,
  }),
  // empty for people without an account
  email: field.email({
    group: 'card',
    stated: true,
    primary: true,
    importAs: ['work email', 'mail', 'email address', 'business email', 'e-mail-adresse', 'geschäftliche e-mail'],
    export: true,
    section: 'contact',
    sort: true,
  }),
  first_name: field.text({
    group: 'card',
    max: 100,
    min: 1,
    required: true,
    primary: true,
    importAs: ['given name', 'forename'],
    export: true,
    section: 'name',
    sort: true,
  }),
  last_name: field.text({
    group: 'card',
    max: 100,
    min: 1,
    required: true,
    primary: true,
    importAs: ['surname', 'family name', 'familienname'],
    export: true,
    section: 'name',
    sort: true,
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
  // first and last name if none is set
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
    sort: true,
    filter: true,
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
    sort: true,
    filter: true,
  }),
  department: field.computed(Ref, { group: 'card', export: true }),
  job_title: field.text({
    group: 'card',
    max: 150,
    primary: true,
    readOnlyForSelf: true,
    importAs: ['title', 'position', 'stelle', 'tätigkeit', 'berufsbezeichnung'],
    export: true,
    section: 'work',
    sort: true,
  }),
  reporting_manager_id: field.reference({
    group: 'card',
    to: 'person',
    primary: true,
    readOnlyForSelf: true,
    section: 'work',
    filter: true,
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
    sort: true,
    filter: true,
  }),
  employment_lifecycle: field.choice(lifecycles, {
    group: 'work',
    filledIn: true,
    createOnly: true,
    importAs: [],
    export: true,
    section: 'employment',
    sort: true,
    filter: true,
  }),
  grade: field.text({
    group: 'work',
    max: 10,
    readOnlyForSelf: true,
    importAs: ['pay grade', 'entgeltgruppe', 'gehaltsgruppe'],
    export: true,
    list: true,
    section: 'work',
  }),
  employment_type: field.choice(employmentTypes, {
    group: 'work',
    filledIn: true,
    primary: true,
    readOnlyForSelf: true,
    importAs: ['contract type', 'anstellungsart', 'vertragsart'],
    export: true,
    section: 'work',
    filter: true,
  }),
  phone: field.phone({
    group: 'work',
    selfEdit: true,
    importAs: ['work phone', 'business phone', 'telefonnummer'],
    export: true,
    section: 'contact',
  }),
  joining_date: field.day({
    group: 'work',
    primary: true,
    readOnlyForSelf: true,
    importAs: ['hire date', 'start date', 'date of hire', 'start of employment', 'einstellungsdatum', 'eintritt'],
    export: true,
    section: 'work',
    sort: true,
  }),
  /** Can sign in before the first day. */
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
    importAs: ['end of probation', 'probezeit bis', 'probezeitende'],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
    sort: true,
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
  /** First day of a pause of the probation during a long absence; null while it runs. */
  probation_paused_from: field.kept(day.nullable(), { group: 'work' }),
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
    importAs: ['last day', 'termination date', 'exit date', 'leaving date', 'austritt', 'austrittsdatum'],
    export: true,
    section: 'employment',
    hiddenWhenEmpty: true,
  }),
  roles: field.computed(z.array(RoleGrant), { group: 'work' }),
  user: field.computed(Account.nullable(), { group: 'work' }),
  ...employeePrivateRows,
};
