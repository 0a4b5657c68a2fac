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
