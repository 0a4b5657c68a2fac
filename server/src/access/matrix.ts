import { endpointGroups, seededGrants, seededRoles } from '@tenure/contract';
import type { Endpoint, Permission, SeededRole } from '@tenure/contract';
import { ruleLines } from './matrix-rules.ts';

export const allEndpoints: readonly Endpoint[] = Object.values(endpointGroups).flatMap((group) => Object.values(group));

/** How the table names the scope of each role. */
const reach: Record<SeededRole, string> = {
  Admin: 'all',
  HR: 'all',
  Manager: 'managed',
  TeamLead: 'managed',
  Employee: 'own',
};

/** The permissions that open an endpoint; null where a session is enough or none is needed. */
export const permissionsOf = ({ permission }: Endpoint): readonly Permission[] | null =>
  permission === 'public' || permission === 'signed in'
    ? null
    : typeof permission === 'string'
      ? [permission]
      : permission;

/** True when a seeded role may call an endpoint, before any row is checked. */
export function mayCall(role: SeededRole, endpoint: Endpoint): boolean {
  const permissions = permissionsOf(endpoint);
  if (!permissions) return true;
  const held = seededGrants(role).some((name) => permissions.includes(name));
  return held && (endpoint.scope !== 'everything' || reach[role] === 'all');
}

function cell(role: SeededRole, endpoint: Endpoint): string {
  if (!mayCall(role, endpoint)) return '·';
  if (endpoint.scope === 'own') return 'own';
  if (endpoint.scope === 'none') return 'yes';
  return permissionsOf(endpoint) ? reach[role] : 'by type';
}

/** The table of docs/access-matrix.md. */
export function accessMatrix(): string {
  const rows = allEndpoints.map((endpoint) => {
    const permission = permissionsOf(endpoint)?.join(' or ') ?? endpoint.permission;
    const cells = seededRoles.map((role) => cell(role, endpoint));
    return `| ${endpoint.method} | ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')} | ${String(permission)} | ${endpoint.scope} | ${cells.join(' | ')} |`;
  });
  return [
    '# Who may call what',
    '',
    'Made from the contract and the seeded roles by `npm run generate`; a test compares it and calls each endpoint as each role.',
    '`all`, `managed`, `own`: the rows reached. An assignment limited to companies narrows `all` to their rows. `·`: 403.',
    'scope: `scoped` rows outside the reach are 404; `relationship` the own record and other relationships are 403; `everything` only a reach of all.',
    '',
    `| method | path | permission | scope | ${seededRoles.join(' | ')} |`,
    `|---|---|---|---|${seededRoles.map(() => '---|').join('')}`,
    ...rows,
    '',
    '## What decides beside permission and scope',
    '',
    '`managed` never holds the caller, the heads above or anybody in the own line of managers. [roles.md](roles.md) explains the rules; each refusal is 403 before any look at state, and `allowed_actions` agrees.',
    '',
    '| rule | what it asks | endpoints |',
    '|---|---|---|',
    ...ruleLines(),
    '',
  ].join('\n');
}
