/**
 * The permission catalogue, with the roles that hold each permission in a new installation. Add new ones at the end,
 * because the API identifies a permission by its position; the next start grants them to the built-in roles.
 * A Admin, H HR, M Manager, T TeamLead, E Employee.
 */
const catalogue = {
  'entities.view': ['See companies', 'AH'],
  'entities.create': ['Add companies', 'AH'],
  'entities.update': ['Change companies', 'AH'],
  'entities.delete': ['Delete companies', 'AH'],
  'departments.view': ['See departments', 'AHMT'],
  'departments.create': ['Add departments', 'AH'],
  'departments.update': ['Change departments', 'AH'],
  'departments.delete': ['Delete departments', 'AH'],
  'departments.assign_managers': ['Assign department managers', 'AH'],
  'departments.assign_team_leads': ['Assign team leads', 'AH'],
  'employees.view': ['See people', 'AHMTE'],
  'employees.view_all': ['See all people', 'AH'],
  'employees.create': ['Add and rehire people', 'AH'],
  'employees.update': ['Change people', 'AH'],
  'employees.deactivate': ['Deactivate, separate and delete people', 'AH'],
  'employees.import': ['Import people', 'AH'],
  'employees.export': ['Export people', 'AH'],
  'employees.reset_password': ['Reset passwords and end sessions', 'AH'],
  'employees.reset_second_factor': ['Take second factors away', 'AH'],
  'employees.view_sensitive': ['See private details', 'AH'],
  'employees.assign_roles': ['Assign roles', 'AH'],
  'kpi-template.view': ['See KPI templates', 'AH'],
  'kpi-template.create': ['Add KPI templates', 'AH'],
  'kpi-template.update': ['Change KPI templates', 'AH'],
  'kpi-template.delete': ['Delete KPI templates', 'AH'],
  'kpi-template.import': ['Import KPI templates', 'AH'],
  'kpi-cycle.view': ['See KPI cycles', 'AH'],
  'kpi-cycle.create': ['Add KPI cycles', 'AH'],
  'kpi-cycle.update': ['Change and close KPI cycles', 'AH'],
  'kpi-cycle.delete': ['Delete KPI cycles', 'AH'],
  'kpi-cycle.publish': ['Publish KPI cycles', 'AH'],
  'kpi-cycle.reopen': ['Reopen KPI cycles', 'A'],
  'kpi-cycle.export': ['Export KPI results', 'AH'],
  'kpi-evaluation.view': ['See KPI evaluations', 'AHMTE'],
  'kpi-evaluation.update': ['Act for the reviewer of managed people', 'AHM'],
  'kpi-evaluation.review': ['Review KPI evaluations', 'AHMT'],
  'kpi-evaluation.assign-reviewer': ['Assign reviewers', 'AH'],
  'kpi-evaluation.force-close': ['Force-close and cancel evaluations', 'AH'],
  'kpi-evaluation.hr-review': ['Do the HR review', 'AH'],
  'kpi-evaluation.reopen': ['Reopen evaluations', 'AH'],
  'probation-review.view': ['See probation reviews', 'AHMTE'],
  'probation-review.submit': ['Submit probation reviews', 'AHMT'],
  'probation-review.create': ['Create probation reviews', 'AH'],
  'probation-review.approve': ['Approve probation reviews', 'AH'],
  'probation-review.cancel': ['Cancel probation reviews', 'AH'],
  'probation-review.revert': ['Revert probation decisions', 'A'],
  'probation-review.export': ['Export probation reviews', 'AH'],
  'notification-settings.manage': ['Manage notification settings', 'AH'],
  'announcements.manage': ['Manage announcements', 'AH'],
  'dashboard.view_all': ['See all dashboard figures', 'AH'],
  'audit.view': ['See the audit log', 'AH'],
  'rbac.manage': ['Manage roles and permissions', 'A'],
  'brand.manage': ['Manage the brand', 'A'],
  'backups.view': ['See backups', 'A'],
  'events.view': ['Read events', 'A'],
  'identity.manage': ['Manage single sign-on, sign-in rules and provisioning', 'A'],
  'service-accounts.manage': ['Manage service accounts', 'A'],
  'tokens.create': ['Make personal API tokens', 'AH'],
  'tokens.view_all': ['See and revoke all API tokens', 'A'],
  'webhooks.manage': ['Manage webhooks', 'A'],
} as const satisfies Record<string, readonly [label: string, grants: string]>;

export type Permission = keyof typeof catalogue;

export const permissionNames = Object.keys(catalogue) as Permission[];

export const seededRoles = ['Admin', 'HR', 'Manager', 'TeamLead', 'Employee'] as const;
export type SeededRole = (typeof seededRoles)[number];

const letters: Record<SeededRole, string> = { Admin: 'A', HR: 'H', Manager: 'M', TeamLead: 'T', Employee: 'E' };

/** The permissions that a seeded role holds in a new installation. */
export const seededGrants = (role: SeededRole): Permission[] =>
  permissionNames.filter((name) => catalogue[name][1].includes(letters[role]));

/** The catalogue as the API lists it; `id` is the position in the catalogue, `group` the part before the dot. */
export const permissionCatalogue = permissionNames.map((name, index) => ({
  id: index + 1,
  name,
  group: name.slice(0, name.indexOf('.')),
  label: catalogue[name][0],
}));

/** Permissions that only Admin may hold. */
export const adminOnlyPermissions: readonly Permission[] = [
  'rbac.manage',
  'kpi-cycle.reopen',
  'probation-review.revert',
  'identity.manage',
  'service-accounts.manage',
];
