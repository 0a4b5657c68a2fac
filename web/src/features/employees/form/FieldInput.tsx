import { TextInput } from '@mantine/core';
import { departments, entities, type Employee } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { DateField } from '../../../ui/DateField.tsx';
import { PersonPicker } from '../../../ui/PersonPicker.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { ChoiceInput, FlagInput } from '../../../ui/RowInput.tsx';
import type { Field, FieldName } from './fields.ts';
import { useChoiceLabel, useFieldLabel } from './labels.ts';
import type { PersonForm } from './use-person-form.ts';

type Props = {
  field: Field;
  form: PersonForm;
  /** The record being changed; it holds the names for its ids. */
  employee?: Employee | undefined;
};

/** The input of one field of a person, by the kind of the field. */
export function FieldInput({ field, form, employee }: Props) {
  const { name, kind } = field;
  const isLong = kind === 'text' && (field.max ?? 0) > 190;
  return (
    <div data-field={name} {...(isLong && { style: { gridColumn: '1 / -1' } })}>
      <InputOfKind field={field} form={form} employee={employee} />
    </div>
  );
}

function InputOfKind({ field, form, employee }: Props) {
  const { name, kind } = field;
  const props = {
    label: useFieldLabel()(name),
    value: form.values[name] ?? '',
    error: form.errors[name],
    description: useHint(name),
    onChange: (value: string) => form.set(name, value),
  };
  switch (kind) {
    case 'choice':
      return <Choice {...props} field={field} />;
    case 'company':
    case 'department':
    case 'person':
      return <Reference {...props} kind={kind} required={field.required === true} form={form} employee={employee} />;
    case 'day':
      return <DateField {...given(props)} />;
    case 'flag':
      return <FlagInput {...given(props)} />;
    default:
      return <Text {...props} field={field} />;
  }
}

type Shared = {
  label: string;
  value: string;
  error: string | undefined;
  description: string | undefined;
  onChange: (value: string) => void;
};

/** Mantine accepts an absent description, but not an undefined one. */
const given = ({ error, description, ...rest }: Shared) => ({
  ...rest,
  ...(error !== undefined && { error }),
  ...(description !== undefined && { description }),
});

function useHint(name: FieldName): string | undefined {
  const t = useTranslations('person.hint');
  switch (name) {
    case 'email':
    case 'display_name':
    case 'employee_number':
    case 'early_access':
    case 'probation_end_date':
      return t(name);
    default:
      return undefined;
  }
}

const inputTypes = { email: 'email', phone: 'tel' } as const;

function Text({ field, ...props }: Shared & { field: Field }) {
  const { onChange, ...rest } = given(props);
  return (
    <TextInput
      {...rest}
      type={field.kind in inputTypes ? inputTypes[field.kind as keyof typeof inputTypes] : 'text'}
      required={field.required === true}
      autoComplete="off"
      {...(field.max !== undefined && { maxLength: field.max })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Choice({ field, ...props }: Shared & { field: Field }) {
  const label = useChoiceLabel();
  // the service derives from the joining date whether a person joins later
  const values = (field.values ?? []).filter((value) => value !== 'joining');
  return <ChoiceInput {...given(props)} row={field} values={values} labelOf={(value) => label(field.name, value)} />;
}

type ReferenceProps = Shared & {
  kind: 'company' | 'department' | 'person';
  required: boolean;
  form: PersonForm;
  employee: Employee | undefined;
};

/** Department HR select a department first, which sets its company, since they cannot list companies. */
function useCompanyOfDepartment({ values, replace }: PersonForm, kind: ReferenceProps['kind']) {
  const isInDepartments = useSession().user?.role_assignments.some(({ department_ids }) => department_ids) === true;
  const { department_id: department, entity_id: company } = values;
  const asked = useQuery({
    ...load(departments.get, { params: { id: Number(department) } }),
    enabled: isInDepartments && Boolean(department) && kind !== 'person',
  });
  const ofDepartment = department ? asked.data?.data.entity : undefined;
  const follows = kind === 'department' && !company && ofDepartment !== undefined;
  useEffect(() => {
    if (follows) replace({ ...values, entity_id: String(ofDepartment.id) });
    // oxlint-disable-next-line react/exhaustive-deps -- the form is new in every render
  }, [follows, ofDepartment?.id]);
  return { isInDepartments, ofDepartment };
}

/** A select of another record, such as a department or a manager. */
function Reference({ kind, required, form, employee, ...shared }: ReferenceProps) {
  const t = useTranslations('person.hint');
  const { value, onChange, ...rest } = given(shared);
  const props = {
    ...rest,
    value: value === '' ? undefined : Number(value),
    onChange: (chosen: number | undefined) => onChange(chosen === undefined ? '' : String(chosen)),
  };
  const { isInDepartments, ofDepartment } = useCompanyOfDepartment(form, kind);
  if (kind === 'person') return <Manager {...props} employee={employee} />;
  const select = { ...props, labelled: true, required } as const;
  const company = form.values.entity_id;
  return kind === 'company' ? (
    <RecordSelect
      {...select}
      list={entities.list}
      one={entities.get}
      query={{ status: 'active' }}
      known={ofDepartment ?? employee?.entity}
    />
  ) : (
    <RecordSelect
      {...select}
      list={departments.list}
      one={departments.get}
      query={{ status: 'active', ...(company && { entity_id: company }) }}
      known={employee?.department}
      disabled={!company && !isInDepartments}
      none={t('no_departments')}
    />
  );
}

type ManagerProps = Pick<
  ComponentProps<typeof PersonPicker>,
  'label' | 'value' | 'onChange' | 'error' | 'description'
> & {
  employee: Employee | undefined;
};

function Manager({ employee, ...props }: ManagerProps) {
  const manager = employee?.reporting_manager;
  return (
    <PersonPicker
      {...props}
      known={manager?.id === props.value ? manager?.name : undefined}
      query={{ activity_status: 'active,joining' }}
      {...(employee && { except: employee.id })}
    />
  );
}
