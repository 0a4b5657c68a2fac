import type { ApiError } from '../../../api/api-error.ts';

/** The roles of a new person as form values, each with the companies and departments it is limited to. */
export type Access = { password: boolean; roles: { role: string; companies: string[]; departments?: string[] }[] };
export const noAccess: Access = { password: false, roles: [] };

export const assignmentsOf = (access: Access) =>
  access.roles
    .filter(({ role }) => role !== '')
    .map(({ role, companies, departments = [] }) => ({
      role_id: Number(role),
      // without companies and departments there is no limit
      entity_ids: companies.length > 0 ? companies.map(Number) : departments.length > 0 ? [] : null,
      ...(departments.length > 0 && { department_ids: departments.map(Number) }),
    }));

/** What the service refused about sign-in and roles; the form shows each message there. */
export const accessErrors = (error: ApiError | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(error?.fieldErrors ?? {}).filter(([field]) => /^(issue_password|assignments(\..*)?)$/.test(field)),
  );

/** The fields of a role that the service may refuse. */
export type RoleField = 'role_id' | 'entity_ids' | 'department_ids';

/** The message for a field of a role, by its place among the rows: empty rows are not sent. */
export const roleErrors =
  (rows: Access['roles'], errors: Readonly<Record<string, string>>) =>
  (index: number, field: RoleField): string | undefined =>
    rows[index]?.role === ''
      ? undefined
      : errors[`assignments.${rows.slice(0, index).filter(({ role }) => role !== '').length}.${field}`];

type Place = { id: number; name: string };

/** An assignable role. */
export type RoleOption = {
  id: number;
  name: string;
  /** Can the role be limited to companies? */
  limitable: boolean;
  /** The companies of which at least one must be chosen; null for no such limit. */
  companies: readonly Place[] | null;
  /** Can the role be limited to departments? */
  inDepartments: boolean;
  /** The departments to choose from; null for all. */
  departments: readonly Place[] | null;
  /** Companies that limit the role now or did before. */
  heldCompanies: readonly Place[];
  /** Departments that limit the role now. */
  held: readonly Place[];
};
