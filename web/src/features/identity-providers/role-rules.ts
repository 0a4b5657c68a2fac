import type { BodyIn, roleRules, RoleRules } from '@tenure/contract';

/** A rule as form values. */
export type Row = { value: string; role: string; companies: string[]; departments: string[] };
export type Rules = BodyIn<typeof roleRules.preview>['rules'];

export const noRow: Row = { value: '', role: '', companies: [], departments: [] };

/** The source of the groups: a single sign-on provider, or a SCIM connection. */
export type RuleSource = {
  id: number;
  name: string;
  /** Both sources have the same bodies and replies. */
  endpoints: typeof roleRules;
  /** When members get and lose a role. */
  lead: string;
  /** Whose groups are known. */
  about: (known: RoleRules) => string;
};

const texts = (places: readonly { id: number }[] | null | undefined) => (places ?? []).map(({ id }) => String(id));

export const rowsOf = ({ rules }: Pick<RoleRules, 'rules'>): Row[] =>
  rules.map(({ value, role, entities, departments }) => ({
    value,
    role: String(role.id),
    companies: texts(entities),
    departments: texts(departments),
  }));

/** The rows as a request body; empty rows are omitted. */
export const bodyOf = (rows: readonly Row[]): Rules =>
  filled(rows).map(({ value, role, companies, departments }) => ({
    value: value.trim(),
    role_id: Number(role),
    // without companies and departments there is no limit
    entity_ids: companies.length > 0 ? companies.map(Number) : departments.length > 0 ? [] : null,
    ...(departments.length > 0 && { department_ids: departments.map(Number) }),
  }));

const filled = (rows: readonly Row[]) => rows.filter(({ value, role }) => value.trim() !== '' || role !== '');

/** The message for a field of a row, by its index among the sent rows: empty rows are not sent. */
export const errorsOf =
  (rows: readonly Row[], errors: Readonly<Record<string, string>>) =>
  (index: number, field: 'value' | 'role_id' | 'entity_ids' | 'department_ids'): string | undefined =>
    errors[`rules.${filled(rows.slice(0, index)).length}.${field}`];

export const isSame = (one: readonly Row[], other: readonly Row[]) =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));
