import type { ApiError } from '../../../api/api-error.ts';

/** The roles of a new person as form values, each with the companies it is limited to. */
export type Access = { password: boolean; roles: { role: string; companies: string[] }[] };
export const noAccess: Access = { password: false, roles: [] };

export const assignmentsOf = (access: Access) =>
  access.roles
    .filter(({ role }) => role !== '')
    .map(({ role, companies }) => ({
      role_id: Number(role),
      entity_ids: companies.length > 0 ? companies.map(Number) : null,
    }));

/** What the service refused about sign-in and roles; the form shows each message there. */
export const accessErrors = (error: ApiError | null | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(error?.fieldErrors ?? {}).filter(([field]) => /^(issue_password|assignments(\..*)?)$/.test(field)),
  );

/** The message for a field of a role, by its place among the rows: empty rows are not sent. */
export const roleErrors =
  (rows: Access['roles'], errors: Readonly<Record<string, string>>) =>
  (index: number, field: 'role_id' | 'entity_ids'): string | undefined =>
    rows[index]?.role === ''
      ? undefined
      : errors[`assignments.${rows.slice(0, index).filter(({ role }) => role !== '').length}.${field}`];
