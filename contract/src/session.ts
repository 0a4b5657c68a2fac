import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { day, instant, item } from './envelope.ts';
import { email, password } from './fields.ts';
import { PasskeyAnswer, PasskeyRequest } from './passkeys.ts';
import { factorCode, recoveryCode } from './second-factors.ts';
import { managedDepths, roleScopes, RoleView } from './roles.ts';
import { messageField } from './message-field.ts';

const name = z.string().max(255);

export const RoleAssignment = z.object({
  role_id: z.int(),
  role: name,
  scope: z.enum(roleScopes),
  managed_depth: z.enum(managedDepths),
  /** Companies that the role is limited to; null for no limit. */
  entity_ids: z.array(z.int()).nullable(),
  /** Departments that it reaches in addition to these companies, with their descendants; absent if none. */
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
      /** The user chose the language; otherwise it comes from the company, or the browser of the last sign-in. */
      locale_chosen: z.boolean(),
      must_change_password: z.boolean(),
      last_login_at: instant.nullable(),
      profile_picture_url: z.string().max(255).nullable(),
      role_assignments: z.array(RoleAssignment),
    }),
    roles: z.array(name),
    permissions: z.array(name),
    /** Whether the installation has a company directory. */
    directory: z.boolean(),
    /** Until when dangerous actions need no new proof of identity; null if they never do. */
    step_up_until: instant.nullable(),
    /**
     * `ok`: nothing to do. `due`: a role or the company requires a second factor from a day on, and there is none.
     * `required`: the session can only add one.
     */
    second_factor: z.object({ state: z.enum(['ok', 'due', 'required']), from: day.nullable() }),
    /** The role that the session views as; roles and permissions are then those of the role. */
    viewing: RoleView.nullable(),
  }),
});
export type CurrentUser = z.output<typeof CurrentUser>;

const Confirmation = z.object({
  message: messageField(255),
  /** There is no session yet: POST /two-factor-challenge creates it. */
  two_factor: z.literal(true).optional(),
});

const me = {
  method: 'GET',
  summary: 'The signed-in user with roles and permissions',
  permission: 'signed in',
  scope: 'own',
  accepts: 'any',
  reply: CurrentUser,
  status: 200,
} as const;

/** Signing in and out; their paths without `/api` are the same handlers. */
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
  secondStepOptions: endpoint({
    method: 'POST',
    path: '/two-factor-challenge/options',
    summary: 'How to go on with a sign-in that was answered with `two_factor`',
    permission: 'public',
    scope: 'none',
    guest: true,
    reply: item(
      z.object({
        /** The account has an authenticator app. */
        totp: z.boolean(),
        /** The request for a passkey of the account; null if it has none that works here. */
        options: PasskeyRequest.nullable(),
      }),
    ),
    secret: true,
    status: 200,
  }),
  secondStep: endpoint({
    method: 'POST',
    path: '/two-factor-challenge',
    summary:
      'Go on with a sign-in that was answered with `two_factor`, by a code of the app, a recovery code or a passkey',
    permission: 'public',
    scope: 'none',
    guest: true,
    body: z.object({
      code: factorCode().optional(),
      recovery_code: recoveryCode().optional(),
      credential: PasskeyAnswer.optional(),
    }),
    reply: z.object({ message: messageField(255) }),
    status: 200,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/logout',
    summary: 'Sign out: ends this session',
    permission: 'signed in',
    scope: 'own',
    reply: Confirmation.extend({
      /** Where the browser goes to sign out at the provider too, if the session's provider wants that. */
      end_session_url: z.string().max(4_000).optional(),
    }),
    status: 200,
  }),
  me: endpoint({ ...me, path: '/me' }),
  user: endpoint({ ...me, path: '/user', summary: 'The same as /me' }),
};
