import { fieldsWithParts } from '@tenure/contract';
import type { Changes } from '../../audit.ts';
import { maskBank } from '../../people/bank.ts';
import type { Field, Values } from '../../people/fields.ts';
import { departmentIdsOf } from '../../people/roles.ts';
import type { Given } from '../../access/given-roles.ts';
import type { Person } from './people.ts';
import type { ImportContext } from './import-context.ts';

/** What a commit writes for a row. */
export type Plan = { values: Values; changed: Field[]; person: Person | null; roles: Given[] | null };

const roleNames = (roles: readonly { name: string }[]) =>
  roles
    .map(({ name }) => name)
    .toSorted()
    .join('|');

export const givenNames = (given: readonly Given[]) => roleNames(given.map(({ role }) => role));

const shown: Partial<Record<Field, string>> = {
  entity_id: 'entity',
  department_id: 'department',
  reporting_manager_id: 'reporting_manager',
};

/** The texts for ids in the file: names of companies and departments, the reference to the manager. */
function textOf({ organisation }: ImportContext, field: Field, value: unknown, manager: string | null): unknown {
  if (typeof value !== 'number') return value;
  if (field === 'entity_id') return organisation.entities.update.get(value)?.name ?? value;
  if (field === 'department_id') return organisation.departmentName(value) ?? value;
  return field === 'reporting_manager_id' ? manager : value;
}

/** The changes of a composite field by column, with masked account numbers; undefined for another field. */
function changesOfParts(field: Field, before: Values, after: Values) {
  const made = fieldsWithParts.find((one) => one.field === field);
  if (!made) return undefined;
  const [from, to] = [before, after].map((values) => {
    const parts = field === 'bank' ? maskBank(values.bank) : values[field];
    return (parts ?? {}) as Record<string, unknown>;
  });
  const isChanged = (part: string) => textIn(before[field], part) !== textIn(after[field], part);
  return made.columns
    .filter(({ part }) => isChanged(part))
    .map(({ column, part }) => [column, { from: from?.[part] ?? null, to: to?.[part] ?? null }]);
}

const textIn = (parts: unknown, part: string) => (parts as Record<string, unknown> | null)?.[part] ?? null;

/** The changes of a row to a person, by column name. */
export function changesOf(
  context: ImportContext,
  { person, values, changed, roles }: Plan,
  manager: string | null,
): Changes {
  if (!person) return {};
  const before: Partial<Record<Field, unknown>> = {
    entity_id: person.entity_name,
    department_id: person.department_name,
    reporting_manager_id: person.manager_number,
  };
  const changes = changed.flatMap((field) => {
    const parts = changesOfParts(field, person.values, values);
    if (parts) return parts;
    const from = shown[field] ? before[field] : person.values[field];
    const to = textOf(context, field, values[field], manager);
    return [[shown[field] ?? field, { from: from ?? null, to: to ?? null }]];
  });
  const role = roles ? [['role', { from: roleNames(person.roles), to: givenNames(roles) }]] : [];
  return Object.fromEntries([...changes, ...role]) as Changes;
}

/** A stable text of the plan; records that do not exist yet appear by their name in the file. */
export function planText(
  { organisation }: ImportContext,
  { person, values, changed, roles }: Plan,
  manager: string | null,
): string {
  const named = {
    ...values,
    department_id: organisation.departmentName(values.department_id ?? 0) ?? values.department_id,
    ...(manager !== null && { reporting_manager_id: manager }),
  };
  const before = person ? changed.map((field) => person.values[field]) : [];
  return JSON.stringify([
    person?.id ?? null,
    named,
    before,
    roles?.map((one) => [one.role.id, one.entity_ids, ...(departmentIdsOf(one) ?? [])]),
  ]);
}
