import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { instant, item, Ref } from './envelope.ts';

/** How a person can sign in, without secrets or anything that leads to one. */
export const EmployeeSignIn = z.object({
  /** Single sign-on providers that are linked to the account. */
  identities: z.array(
    z.object({
      provider: Ref,
      linked_by: z.enum(['rule', 'person', 'hr']),
      last_used_at: instant.nullable(),
      /** The address at the provider, if it differs from the one here. */
      other_email: z.string().max(190).optional(),
    }),
  ),
  /** SCIM connections that enable and disable the account. */
  connections: z.array(Ref),
  has_app: z.boolean(),
  passkeys_count: z.int(),
  recovery_codes_left: z.int(),
  /** False if the password was switched off. */
  password_sign_in: z.boolean(),
  /** Mailed links that are still valid. */
  links: z.array(z.object({ purpose: z.enum(['password_reset', 'invitation']), expires_at: instant })),
  /** Access tokens that are still valid for the API. */
  tokens_count: z.int(),
});
export type EmployeeSignIn = z.output<typeof EmployeeSignIn>;

export const employeeSignIn = {
  get: endpoint({
    method: 'GET',
    path: '/employees/:id/sign-in',
    permission: 'employees.reset_password',
    scope: 'relationship',
    accepts: 'session',
    summary: 'How a person gets into the account: linked providers, second factors, open links and tokens',
    reply: item(EmployeeSignIn),
    status: 200,
  }),
};
