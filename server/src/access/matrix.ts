import { endpointGroups, opensToTokens, seededGrants, seededRoles } from '@tenure/contract';
import type { Endpoint, Permission, SeededRole } from '@tenure/contract';
import { ruleLines } from './matrix-rules.ts';

export const allEndpoints: readonly Endpoint[] = Object.values(endpointGroups).flatMap((group) => Object.values(group));

/** The table's name for the scope of each role. */
const reach: Record<SeededRole, string> = {
  Admin: 'all',
  HR: 'all',
  Manager: 'managed',
  TeamLead: 'managed',
  Employee: 'own',
};

/** The permissions that open an endpoint; null if a session is enough or none is needed. */
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

function stepUpCell({ step_up }: Endpoint): string {
  if (!step_up) return '·';
  if (step_up !== true && 'changes' in step_up)
    return `where ${step_up.changes.map((field) => `\`${field}\``).join(' or ')} changes`;
  return step_up === true ? 'yes' : `with \`${step_up.query}\`, except ${step_up.except.join(', ')}`;
}

/** Who can call it at all: people in a session, programs with a token, guests. */
const doorsOf = (endpoint: Endpoint) =>
  [endpoint.permission === 'public' ? 'public' : 'session', ...(opensToTokens(endpoint) ? ['token'] : [])].join(', ');

/** The table of docs/access-matrix.md. */
export function accessMatrix(): string {
  const rows = allEndpoints.map((endpoint) => {
    const permission = permissionsOf(endpoint)?.join(' or ') ?? endpoint.permission;
    const cells = seededRoles.map((role) => cell(role, endpoint));
    return `| ${endpoint.method} | ${endpoint.path.replaceAll(/:(\w+)/g, '{$1}')} | ${String(permission)} | ${endpoint.scope} | ${stepUpCell(endpoint)} | ${doorsOf(endpoint)} | ${cells.join(' | ')} |`;
  });
  return [
    '# Who may call what',
    '',
    '`npm run generate` writes this page from the contract and the seeded roles. A test compares it, and another calls each endpoint as each role.',
    '`all`, `managed` and `own` name the rows in scope. An assignment limited to companies narrows `all` to their rows. `·` means 403.',
    'The column scope: with `scoped`, rows out of scope get 404. With `relationship`, the relationship of the caller to the row decides too, else 403. `everything` needs the permission for all people, else 403.',
    'The column confirm: with `STEP_UP_MINUTES`, 403 until the person has confirmed within these minutes that it is them ([roles.md](roles.md#confirming-that-it-is-you)). The column doors: `session` is open to people who are signed in, `token` to programs with a token ([api.md](api.md)), `public` to guests too. At a closed door programs get 403 `This can be done in the browser only.`',
    '',
    `| method | path | permission | scope | confirm | doors | ${seededRoles.join(' | ')} |`,
    `|---|---|---|---|---|---|${seededRoles.map(() => '---|').join('')}`,
    ...rows,
    '',
    '## Rules beside permission and scope',
    '',
    '`managed` is direct reports and managed departments; for roles with the whole tree also all reports below. It never includes the caller or the superiors of the caller. [roles.md](roles.md) explains the rules. Each refusal is 403, before the state of the row is checked, and `allowed_actions` omits the action.',
    '',
    '| rule | requirement | endpoints |',
    '|---|---|---|',
    ...ruleLines(),
    '',
  ].join('\n');
}
