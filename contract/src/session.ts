import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant } from './envelope.ts';
import { email, password } from './fields.ts';
import { managedDepths, roleScopes, RoleView } from './roles.ts';
import { spoken } from './spoken.ts';

const name = z.string().max(255);

export const RoleAssignment = z.object({
  role_id: z.int(),
  role: name,
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  /** Companies the role is limited to; null for no limit. */
  entity_ids: z.array(z.int()).nullable(),
  /** Departments it reaches beside these companies, with those below; absent without any. */
  department_ids: z.array(z.int()).optional(),
});

export const CurrentUser = z.object({
  data: z.object({
    user: z.object({
      id: z.int(),
      email: z.string().max(190),
      name,
      employee_id: z.int().nullable(),
      locale: z.string().max(35),
      must_change_password: z.boolean(),
      last_login_at: instant.nullable(),
      profile_picture_url: z.string().max(255).nullable(),
      role_assignments: z.array(RoleAssignment),
    }),
    roles: z.array(name),
    permissions: z.array(name),
    /** Whether the installation has a company directory. */
    directory: z.boolean(),
    /** The role that the session views as; roles and permissions are then those of the role. */
    viewing: RoleView.nullable(),
  }),
});
export type CurrentUser = z.output<typeof CurrentUser>;

const Confirmation = z.object({ message: spoken(255) });

const me = {
  method: 'GET',
  summary: 'The signed-in user with roles and permissions',
  permission: 'signed in',
  scope: 'own',
  reply: CurrentUser,
  status: 200,
} as const;

/** Signing in and out; the same two paths without `/api` are the same handlers. */
export const session = {
  login: endpoint({
    method: 'POST',
    path: '/login',
    summary: 'Sign in: sets the session cookie, and tenure_device, by which this browser is known at its next sign-in',
    permission: 'public',
    scope: 'none',
    body: z.object({ email: email(), password: password() }),
    reply: Confirmation,
    status: 200,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/logout',
    summary: 'Sign out: ends this session',
    permission: 'signed in',
    scope: 'own',
    reply: Confirmation,
    status: 200,
  }),
  me: endpoint({ ...me, path: '/me' }),
  user: endpoint({ ...me, path: '/user', summary: 'The same as /me' }),
};
