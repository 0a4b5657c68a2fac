import {
  activityStatuses,
  employeeFieldGroups,
  employmentTypes,
  genders,
  jobFields,
  lifecycles,
  maritalStatuses,
  type BodyIn,
  type employees,
  type profile,
} from '@tenure/contract';
import type { Section } from '../search.ts';

type Input = BodyIn<typeof employees.create>;
type Nested = 'address' | 'emergency_contact' | 'bank';
type Inner<N extends Nested> = `${N}.${Extract<keyof NonNullable<Input[N]>, string>}`;

/** The fields of a person as forms, refusals and drafts name them: those inside an object with a dot. */
export type FieldName =
  | Exclude<Extract<keyof Input, string>, Nested | 'issue_password' | 'assignments'>
  | Inner<'address'>
  | Inner<'emergency_contact'>
  | Inner<'bank'>;

export type Kind = 'text' | 'email' | 'phone' | 'day' | 'choice' | 'flag' | 'company' | 'department' | 'person';

export type Field = {
  name: FieldName;
  kind: Kind;
  section: Section;
  max?: number;
  /** Nobody can be added without it. */
  must?: true;
  /** Asked for in the open part of the form for a new person; the rest is folded away. */
  first?: true;
  /** Sent for a new person only; later a step of the lifecycle changes it. */
  once?: true;
  /** Nobody changes it on the own record. */
  byOthers?: true;
  /** Not mentioned while it is empty. */
  quiet?: true;
};

/** Every field of a person, a line each. Forms, the profile, conflicts and drafts are made from it. */
export const fields: readonly Field[] = [
  { name: 'first_name', kind: 'text', section: 'name', max: 100, must: true, first: true },
  { name: 'last_name', kind: 'text', section: 'name', max: 100, must: true, first: true },
  { name: 'middle_name', kind: 'text', section: 'name', max: 100, quiet: true },
  { name: 'salutation', kind: 'text', section: 'name', max: 20, quiet: true },
  { name: 'display_name', kind: 'text', section: 'name', max: 200 },
  { name: 'email', kind: 'email', section: 'contact', max: 190, must: true, first: true },
  { name: 'phone', kind: 'phone', section: 'contact' },
  { name: 'mobile', kind: 'phone', section: 'contact' },
  { name: 'personal_email', kind: 'email', section: 'contact', max: 190 },
  { name: 'address.line1', kind: 'text', section: 'address', max: 150 },
  { name: 'address.line2', kind: 'text', section: 'address', max: 150, quiet: true },
  { name: 'address.postal_code', kind: 'text', section: 'address', max: 150 },
  { name: 'address.city', kind: 'text', section: 'address', max: 150 },
  { name: 'address.state', kind: 'text', section: 'address', max: 150, quiet: true },
  { name: 'address.country', kind: 'text', section: 'address', max: 150 },
  { name: 'emergency_contact.name', kind: 'text', section: 'emergency', max: 150 },
  { name: 'emergency_contact.relation', kind: 'text', section: 'emergency', max: 150 },
  { name: 'emergency_contact.phone', kind: 'phone', section: 'emergency' },
  { name: 'date_of_birth', kind: 'day', section: 'personal' },
  { name: 'gender', kind: 'choice', section: 'personal' },
  { name: 'marital_status', kind: 'choice', section: 'personal' },
  { name: 'nationality', kind: 'text', section: 'personal', max: 60 },
  { name: 'bank.bank_name', kind: 'text', section: 'bank', max: 60, byOthers: true },
  { name: 'bank.branch', kind: 'text', section: 'bank', max: 60, byOthers: true },
  { name: 'bank.account_title', kind: 'text', section: 'bank', max: 60, byOthers: true },
  { name: 'bank.account_number', kind: 'text', section: 'bank', max: 60, byOthers: true },
  { name: 'bank.iban', kind: 'text', section: 'bank', max: 60, byOthers: true },
  { name: 'entity_id', kind: 'company', section: 'work', must: true, first: true, byOthers: true },
  { name: 'department_id', kind: 'department', section: 'work', must: true, first: true, byOthers: true },
  { name: 'job_title', kind: 'text', section: 'work', max: 150, first: true, byOthers: true },
  { name: 'reporting_manager_id', kind: 'person', section: 'work', first: true, byOthers: true },
  { name: 'employment_type', kind: 'choice', section: 'work', first: true, byOthers: true },
  { name: 'joining_date', kind: 'day', section: 'work', first: true, byOthers: true },
  { name: 'early_access', kind: 'flag', section: 'work', byOthers: true, quiet: true },
  { name: 'employee_number', kind: 'text', section: 'work', max: 20 },
  { name: 'grade', kind: 'text', section: 'work', max: 10, byOthers: true },
  { name: 'activity_status', kind: 'choice', section: 'work', once: true },
  { name: 'employment_lifecycle', kind: 'choice', section: 'employment', once: true },
  { name: 'probation_start_date', kind: 'day', section: 'employment', byOthers: true, quiet: true },
  { name: 'probation_end_date', kind: 'day', section: 'employment', byOthers: true, quiet: true },
  { name: 'confirmation_date', kind: 'day', section: 'employment', once: true, quiet: true },
  { name: 'notice_date', kind: 'day', section: 'employment', once: true, quiet: true },
  { name: 'last_working_date', kind: 'day', section: 'employment', once: true, quiet: true },
];

/** The values of fields with a fixed list of them. */
export const choices = {
  gender: genders,
  marital_status: maritalStatuses,
  employment_type: employmentTypes,
  employment_lifecycle: lifecycles,
  activity_status: activityStatuses,
} as const;
export type ChoiceField = keyof typeof choices;
export type ChoiceOf<F extends ChoiceField> = (typeof choices)[F][number];

const own = [
  'display_name',
  'salutation',
  'phone',
  'mobile',
  'address',
  'emergency_contact',
  'personal_email',
  'marital_status',
] as const satisfies readonly (keyof BodyIn<typeof profile.update>)[];
const ownFields: ReadonlySet<string> = new Set(own);
/** May everybody change it about themselves? */
export const isOwn = ({ name }: Field): boolean => ownFields.has(ownerOf(name));

/** The field of the record that a form field is, or is part of. */
export const ownerOf = (name: FieldName): string => name.split('.')[0] ?? name;

const privately: ReadonlySet<string> = new Set(employeeFieldGroups.private);
/** Is it among what only holders of `employees.view_sensitive` see? */
export const isPrivate = ({ name }: Field): boolean => privately.has(ownerOf(name));

/** Fields whose changes the job history keeps. */
export const jobFieldNames: ReadonlySet<string> = new Set(jobFields);
