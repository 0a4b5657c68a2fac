import {
  activityStatuses,
  employeeFieldGroups,
  employeeFormOrder,
  employeeRows,
  employmentTypes,
  genders,
  jobFields,
  lifecycles,
  maritalStatuses,
  selfEdited,
  type BodyIn,
  type employees,
  type FieldRow,
} from '@tenure/contract';
import type { Section } from '../search.ts';

type Input = BodyIn<typeof employees.create>;
type Nested = 'address' | 'emergency_contact' | 'bank';
type Inner<N extends Nested> = `${N}.${Extract<keyof NonNullable<Input[N]>, string>}`;

/** The fields of a person as forms, refusals and drafts name them; a field inside an object has a dot. */
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
  /** The values of a choice. */
  values?: readonly string[] | undefined;
  /** The service fills it in, so it is never empty. */
  filledIn?: true | undefined;
  /** Required to add a person. */
  required?: true | undefined;
  /** In the open part of the form for a new person; the other fields are folded. */
  primary?: true | undefined;
  /** Sent for a new person only; later, a lifecycle step changes it. */
  createOnly?: true | undefined;
  /** Users cannot change it on their own record. */
  readOnlyForSelf?: true | undefined;
  /** Not shown while it is empty. */
  hiddenWhenEmpty?: true | undefined;
};

type Row = FieldRow & {
  max?: number;
  values?: readonly string[];
  to?: 'company' | 'department' | 'person';
  parts?: Readonly<Record<string, { kind: 'text' | 'phone'; max: number; hiddenWhenEmpty?: true }>>;
};

/** The form fields of a contract row: one, or one for each part of an object. */
function formFields([name, row]: [string, Row]): Field[] {
  const { section, required, filledIn, primary, createOnly, readOnlyForSelf, hiddenWhenEmpty, max, values, parts } =
    row;
  if (section === undefined) return [];
  const shared = { section: section as Section, required, filledIn, primary, createOnly, readOnlyForSelf };
  if (parts)
    return Object.entries(parts).map(([part, { kind, ...own }]) => ({
      ...shared,
      name: `${name}.${part}` as FieldName,
      kind,
      hiddenWhenEmpty: own.hiddenWhenEmpty,
      ...(kind === 'text' && { max: own.max }),
    }));
  const kind = (row.to ?? row.kind) as Kind;
  return [{ ...shared, name: name as FieldName, kind, values, hiddenWhenEmpty, ...(max !== undefined && { max }) }];
}

const byName: ReadonlyMap<string, Field> = new Map(
  Object.entries<Row>(employeeRows).flatMap((entry) => formFields(entry).map((field) => [field.name, field] as const)),
);

/** All form fields of a person. Forms, profile, conflicts and drafts are derived from them. */
export const fields: readonly Field[] = employeeFormOrder.flatMap((name) => byName.get(name) ?? []);

/** The values of fields with a fixed list. */
export const choices = {
  gender: genders,
  marital_status: maritalStatuses,
  employment_type: employmentTypes,
  employment_lifecycle: lifecycles,
  activity_status: activityStatuses,
} as const;
export type ChoiceField = keyof typeof choices;
export type ChoiceOf<F extends ChoiceField> = (typeof choices)[F][number];

const namesOfChoices: ReadonlySet<string> = new Set(
  fields.filter(({ kind }) => kind === 'choice').map(({ name }) => name),
);
export const isChoice = (name: string): name is FieldName => namesOfChoices.has(name);

const ownFields: ReadonlySet<string> = new Set(selfEdited);
/** May every user change the field on their own record? */
export const isOwn = ({ name }: Field): boolean => ownFields.has(ownerOf(name));

/** The record field that a form field is, or is part of. */
export const ownerOf = (name: FieldName): string => name.split('.')[0] ?? name;

const privately: ReadonlySet<string> = new Set(employeeFieldGroups.private);
/** Is the field visible only with `employees.view_sensitive`? */
export const isPrivate = ({ name }: Field): boolean => privately.has(ownerOf(name));

/** The fields whose changes are in the job history. */
export const jobFieldNames: ReadonlySet<string> = new Set(jobFields);
