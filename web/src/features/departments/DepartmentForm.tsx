import { Select } from '@mantine/core';
import { departments, type Department } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import { DialogForm, FormActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { RowInput } from '../../ui/RowInput.tsx';
import { labelOfValue, useValueText } from '../../ui/row-values.ts';
import { useRecordForm, type RecordForm } from '../../ui/use-record-form.ts';
import {
  departmentBody,
  departmentFields,
  departmentTexts,
  newDepartment,
  rowOf,
  type DepartmentField,
} from './department-fields.ts';
import { optionsOf, withAllBelow } from './department-tree.ts';
import { allDepartments } from '../../api/all-departments.ts';

export type Saved = { department: Department; warnings: string[] };
type Props = {
  /** Absent for a new department. */
  department?: Department | undefined;
  entityId: number;
  /** The parent of a new department. */
  parent?: number | undefined;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
};

/** The form of a new or existing department. */
export function DepartmentForm(props: Props) {
  const t = useTranslations('departments');
  const label = useTranslations('fields.department');
  const text = useValueText(label);
  const { department, entityId, onClose } = props;
  const record = useDepartmentForm(props);
  const { parents, nameOf } = useParents(entityId, department);
  return (
    <DialogForm onSubmit={record.save}>
      <ErrorNotice error={record.error} fields={departmentFields} />
      {departmentFields.map((name) => (
        <DepartmentInput key={name} name={name} record={record} department={department} parents={parents} />
      ))}
      <FormActions
        cancel={t('cancel')}
        onCancel={onClose}
        submit={t(department ? 'save' : 'create')}
        loading={record.isPending}
      />
      <RecordConflict
        record={record}
        label={(name) => label(name as DepartmentField)}
        show={(name, value) =>
          name.endsWith('_id') ? (
            <Named name={name} id={value} nameOf={nameOf} />
          ) : (
            text(name, rowOf(name as DepartmentField), value)
          )
        }
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </DialogForm>
  );
}

/** The possible parents of a department, and their names by id. */
function useParents(entityId: number, department: Department | undefined) {
  const all = useQuery(allDepartments(entityId)).data ?? [];
  const parents = optionsOf(all, department ? withAllBelow(all, department.id) : new Set<number>());
  const nameOf = (id: string) =>
    parents.find(({ value }) => value === id)?.label ?? all.find((one) => String(one.id) === id)?.name;
  return { parents, nameOf };
}

function useDepartmentForm({ department, entityId, parent, onSaved }: Props) {
  const create = useSend(departments.create);
  const update = useSend(departments.update);
  return useRecordForm({
    draft: `departments.${department?.id ?? `new.${entityId}.${parent ?? ''}`}`,
    start: department
      ? { texts: departmentTexts(department), revision: department.revision }
      : { texts: newDepartment(parent) },
    send: async (changed, revision) => {
      const body = departmentBody(changed);
      if (department)
        return update.mutateAsync({
          params: { id: department.id },
          body: { ...body, revision },
        });
      const below = parent !== undefined && !('parent_id' in body) && { parent_id: parent };
      return create.mutateAsync({ body: { name: '', entity_id: entityId, ...below, ...body } });
    },
    reread: async () => {
      const { data } = await call(departments.get, { params: { id: department?.id ?? 0 } });
      return { texts: departmentTexts(data), revision: data.revision };
    },
    onSaved: ({ data, warnings = [] }) => onSaved({ department: data, warnings }),
  });
}

const heads = {
  manager_id: { action: 'manager', permission: 'departments.assign_managers', known: 'manager' },
  team_lead_id: { action: 'team-lead', permission: 'departments.assign_team_leads', known: 'team_lead' },
} as const;

type InputProps = {
  name: DepartmentField;
  record: RecordForm;
  department: Department | undefined;
  parents: ReturnType<typeof optionsOf>;
};

/** The input of one field of a department, by the kind of the field. */
function DepartmentInput({ name, record: { form }, department, parents }: InputProps) {
  const t = useTranslations('departments');
  const labels = useTranslations('fields.department');
  const label = labels(name);
  if (name === 'manager_id' || name === 'team_lead_id')
    return <Head name={name} label={label} form={form} department={department} />;
  const props = { label, ...(t.has(`hint.${name as 'code'}`) && { description: t(`hint.${name as 'code'}`) }) };
  const row = rowOf(name);
  return row.to === 'department' ? (
    <Select
      {...form.getInputProps(name)}
      {...props}
      value={form.values[name] || null}
      onChange={(id) => form.setFieldValue(name, id ?? '')}
      placeholder={t('atTheTop')}
      data={parents}
      searchable
      clearable
    />
  ) : (
    <RowInput
      {...{ name, row, form, ...props }}
      labelOf={(value) => labelOfValue(labels, name, value)}
      required={row.required === true}
      isFirst={name === departmentFields[0]}
    />
  );
}

type HeadProps = {
  name: keyof typeof heads;
  label: string;
  form: RecordForm['form'];
  department: Department | undefined;
};

/** The manager or the lead, for users who may assign them. */
function Head({ name, label, form, department }: HeadProps) {
  const { can } = useSession();
  const { action, permission, known } = heads[name];
  if (!(department ? department.allowed_actions.includes(action) : can(permission))) return null;
  const id = form.values[name] ?? '';
  const error = form.errors[name];
  return (
    <PersonPicker
      label={label}
      query={{ activity_status: 'active,joining' }}
      value={id === '' ? undefined : Number(id)}
      known={department?.[known] && String(department[name]) === id ? department[known].name : undefined}
      onChange={(chosen) => form.setFieldValue(name, chosen === undefined ? '' : String(chosen))}
      error={typeof error === 'string' ? error : undefined}
    />
  );
}

type NamedProps = { name: string; id: string; nameOf: (id: string) => string | undefined };

/** The name for an id of one of two conflicting versions. */
function Named({ name, id, nameOf }: NamedProps) {
  const label = useTranslations('fields.department');
  if (name === 'parent_id') return <bdi>{nameOf(id) ?? id}</bdi>;
  return (
    <PersonPicker
      label={label(name as DepartmentField)}
      labelled={false}
      value={Number(id)}
      onChange={() => {}}
      disabled
    />
  );
}
