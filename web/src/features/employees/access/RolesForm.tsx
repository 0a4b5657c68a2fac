import { Button, Group, Stack } from '@mantine/core';
import { employees, type Employee, type HeldRoles } from '@tenure/contract';
import { useState, type FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { useRoleName } from '../../../ui/role-name.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { assignmentsOf, type Access, type RoleField, type RoleOption } from '../form/access.ts';
import { RoleRows } from '../form/RoleRows.tsx';
import { rowsOf } from './access-texts.ts';
import { Editing } from '../record/Editing.tsx';
import { useFirstField } from '../record/use-first-field.ts';

type Rows = Access['roles'];
type Props = {
  employee: Employee;
  held: HeldRoles;
  /** Roles added to the initial form values. */
  added?: readonly Pick<HeldRoles['former'][number], 'role_id' | 'role' | 'entities' | 'departments'>[];
  onClose: () => void;
};

/** Places for the form; those that the user does not see have their number only. */
const placesOf = (places: HeldRoles['former'][number]['departments']) =>
  (places ?? []).map(({ id, name }) => ({ id, name: name ?? `#${id}` }));

/** The roles that the user may assign, and those that the person has. */
function optionsOf({ assignments, assignable, former }: HeldRoles): RoleOption[] {
  const limits = new Map([...former, ...assignments].map((one) => [one.role_id, one]));
  const offered = assignable.map(({ role_id, role, limitable, entities, in_departments, departments }) => ({
    id: role_id,
    name: role,
    limitable,
    companies: entities,
    inDepartments: in_departments,
    departments: entities && (departments ?? []),
    heldCompanies: placesOf(limits.get(role_id)?.entities ?? []),
    held: placesOf(limits.get(role_id)?.departments),
  }));
  const others = assignments
    .filter(({ role_id }) => !offered.some(({ id }) => id === role_id))
    .map(({ role_id, role, entities, departments }) => ({
      id: role_id,
      name: role,
      limitable: true,
      companies: entities && placesOf(entities),
      inDepartments: departments !== undefined,
      departments: departments ? placesOf(departments) : null,
      heldCompanies: placesOf(entities ?? []),
      held: [],
    }));
  return [...offered, ...others];
}

const key = ({ role, companies, departments = [] }: Rows[number]) =>
  `${role}:${[...companies].sort().join()}:${[...departments].sort().join()}`;

/** The roles that a change adds and removes, by name. */
function difference(before: Rows, after: Rows, options: readonly RoleOption[]) {
  const name = ({ role }: Rows[number]) => options.find(({ id }) => String(id) === role)?.name ?? '';
  const without = (these: Rows, those: Rows) => {
    const known = new Set(those.map(key));
    return these.filter((row) => row.role !== '' && !known.has(key(row))).map(name);
  };
  return { given: without(after, before), taken: without(before, after) };
}

/** Edits a person's roles; the service checks each one. */
export function RolesForm({ employee, held, added = [], onClose }: Props) {
  const t = useTranslations('access');
  const [before] = useState(() => rowsOf(held.assignments));
  const [rows, setRows] = useState(() => [...before, ...rowsOf(added)]);
  const options = optionsOf(held);
  const change = difference(before, rows, options);
  const dirty = change.given.length + change.taken.length > 0;
  const fixed = new Set(held.assignments.filter(({ removable }) => !removable).map(({ role_id }) => String(role_id)));
  const { send, save } = useSetRoles(employee, before, onClose);
  const errors = send.error?.fieldErrors ?? {};
  const fields = rows.flatMap((_, at) => [field(at, 'role_id'), field(at, 'entity_ids'), field(at, 'department_ids')]);
  const formRef = useFirstField();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save(rows);
  };
  return (
    <Editing title={t('roles')}>
      <form ref={formRef} aria-label={t('roles')} noValidate onSubmit={submit}>
        <Stack gap={14} maw="44rem">
          <ErrorNotice error={send.error} fields={fields} />
          <RoleRows
            rows={rows}
            onChange={setRows}
            options={options}
            isFixed={({ role }) => fixed.has(role)}
            errorOf={(index, name) => errors[field(index, name)]}
          />
          {held.assignments.some(({ removable, provider }) => !removable && !provider) && (
            <p className="muted">{t('fixed')}</p>
          )}
          {held.assignments.some(({ provider }) => provider) && <p className="muted">{t('fixedByProvider')}</p>}
          {rows.every(({ role }) => role === '') && <p className="muted">{t('noneLeft')}</p>}
          <Difference {...change} />
          <Buttons dirty={dirty} isPending={send.isPending} onClose={onClose} />
          <LeaveGuard when={dirty && !send.isPending} />
        </Stack>
      </form>
    </Editing>
  );
}

function Difference({ given, taken }: ReturnType<typeof difference>) {
  const t = useTranslations('access');
  const roleName = useRoleName();
  const listed = (names: readonly string[]) => names.map((name) => roleName(name)).join(', ');
  return (
    <Stack gap={2} renderRoot={(props) => <output {...props} />}>
      {given.length > 0 && <span>{t('gives', { roles: listed(given) })}</span>}
      {taken.length > 0 && <span>{t('takes', { roles: listed(taken) })}</span>}
    </Stack>
  );
}

function Buttons({ dirty, isPending, onClose }: { dirty: boolean; isPending: boolean; onClose: () => void }) {
  const tEdit = useTranslations('profile.edit');
  return (
    <Group gap={8}>
      <Button type="submit" disabled={!dirty} loading={isPending}>
        {tEdit('save')}
      </Button>
      <Button variant="default" onClick={onClose}>
        {tEdit('cancel')}
      </Button>
    </Group>
  );
}

/** Stores the roles of a person and offers to undo it. */
function useSetRoles(employee: Employee, before: Rows, onSaved: () => void) {
  const t = useTranslations('access');
  const tEdit = useTranslations('profile.edit');
  const toast = useToast();
  const send = useSend(employees.setRoles);
  const setRoles = (wanted: Rows, revision: number) =>
    send.mutateAsync({
      params: { id: employee.id },
      body: { assignments: assignmentsOf({ password: false, roles: wanted }), revision },
    });
  const save = async (rows: Rows) => {
    try {
      const { data } = await setRoles(rows, employee.revision);
      onSaved();
      const undo = () => void setRoles(before, data.revision).catch(() => toast({ text: tEdit('notUndone') }));
      toast({ text: t('saved', { name: employee.display_name }), undo });
    } catch {
      // shown above the form
    }
  };
  return { send, save };
}

const field = (index: number, name: RoleField) => `assignments.${index}.${name}`;
