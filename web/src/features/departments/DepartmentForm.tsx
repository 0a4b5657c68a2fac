import { Button, Select, TextInput } from '@mantine/core';
import { departments, type Department } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../api/call.ts';
import { useSend } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ConflictView } from '../../ui/ConflictView.tsx';
import { DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { useRecordForm, type RecordForm } from '../../ui/use-record-form.ts';
import {
  departmentBody,
  departmentFields,
  departmentTexts,
  newDepartment,
  type DepartmentField,
} from './department-fields.ts';
import { optionsOf, withAllBelow } from './department-tree.ts';
import classes from './departments.module.css';
import { everyDepartment } from './every-department.ts';

export type Saved = { department: Department; warnings: string[] };
type Props = {
  /** Absent for a new one. */
  department?: Department | undefined;
  entityId: number;
  /** What a new one is to stand below. */
  parent?: number | undefined;
  onSaved: (saved: Saved) => void;
  onClose: () => void;
};

/** A department, new or to be changed. */
export function DepartmentForm(props: Props) {
  const t = useTranslations('departments');
  const { department, entityId, onClose } = props;
  const record = useDepartmentForm(props);
  const { form } = record;
  const all = useQuery(everyDepartment(entityId)).data ?? [];
  const nowhere = department ? withAllBelow(all, department.id) : new Set<number>();
  const parents = optionsOf(all, nowhere);
  const nameOf = (id: string) =>
    parents.find(({ value }) => value === id)?.label ?? all.find((one) => String(one.id) === id)?.name;
  return (
    <form
      className={classes['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        record.save();
      }}
    >
      <ErrorNotice error={record.error} fields={departmentFields} />
      <TextInput {...form.getInputProps('name')} label={t('field.name')} maxLength={150} required data-autofocus />
      <TextInput {...form.getInputProps('code')} label={t('field.code')} description={t('codeHint')} maxLength={20} />
      <Select
        {...form.getInputProps('parent_id')}
        value={form.values['parent_id'] || null}
        onChange={(id) => form.setFieldValue('parent_id', id ?? '')}
        label={t('field.parent_id')}
        placeholder={t('atTheTop')}
        data={parents}
        searchable
        clearable
      />
      <Heads record={record} department={department} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={record.isPending}>
          {t(department ? 'save' : 'create')}
        </Button>
      </DialogActions>
      <ConflictView
        differences={record.differences}
        label={(name) => t(`field.${name as DepartmentField}`)}
        show={(name, value) => (name.endsWith('_id') ? <Named name={name} id={value} nameOf={nameOf} /> : value)}
        onResolve={record.resolve}
        onCancel={record.backToForm}
        saving={record.isPending}
      />
      <LeaveGuard when={record.isDirty && !record.isPending} within={({ search }) => 'dialog' in search} />
    </form>
  );
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

const heads = [
  { field: 'manager_id', action: 'manager', permission: 'departments.assign_managers', known: 'manager' },
  { field: 'team_lead_id', action: 'team-lead', permission: 'departments.assign_team_leads', known: 'team_lead' },
] as const;

/** Who leads it, for those who may choose. */
function Heads({ record: { form }, department }: { record: RecordForm; department: Department | undefined }) {
  const t = useTranslations('departments');
  const { can } = useSession();
  return heads
    .filter(({ action, permission }) => (department ? department.allowed_actions.includes(action) : can(permission)))
    .map(({ field, known }) => {
      const id = form.values[field] ?? '';
      const error = form.errors[field];
      return (
        <PersonPicker
          key={field}
          label={t(`field.${field}`)}
          query={{ activity_status: 'active,joining' }}
          value={id === '' ? undefined : Number(id)}
          known={department?.[known] && String(department[field]) === id ? department[known].name : undefined}
          onChange={(chosen) => form.setFieldValue(field, chosen === undefined ? '' : String(chosen))}
          error={typeof error === 'string' ? error : undefined}
        />
      );
    });
}

type NamedProps = { name: string; id: string; nameOf: (id: string) => string | undefined };

/** The name behind an id of one of two versions. */
function Named({ name, id, nameOf }: NamedProps) {
  const t = useTranslations('departments');
  if (name === 'parent_id') return <bdi>{nameOf(id) ?? id}</bdi>;
  return (
    <PersonPicker
      label={t(`field.${name as DepartmentField}`)}
      labelled={false}
      value={Number(id)}
      onChange={() => {}}
      disabled
    />
  );
}
