import * as z from 'zod';
import { ApiToken } from './api-tokens.ts';
import { Employee, employeeInput } from './employee-fields.ts';
import { employeeRows } from './employee-rows.ts';
import { inOrder, namesWhere } from './field-kit.ts';
import { endpoint } from './endpoint.ts';
import { instant, item, page } from './envelope.ts';
import { languageTag, password, revision } from './fields.ts';
import { filters, listQuery } from './lists.ts';
import { Preferences, preferencesInput } from './preferences.ts';

export const Profile = z.object({
  user: z.object({
    id: z.int(),
    email: z.string().max(190),
    last_login_at: instant.nullable(),
    must_change_password: z.boolean(),
    locale: z.string().max(35),
    preferences: Preferences,
  }),
  employee: Employee.nullable(),
  roles: z.array(z.string().max(60)),
  permissions: z.array(z.string().max(60)),
});
export type Profile = z.output<typeof Profile>;

export const Session = z.object({
  id: z.int(),
  current: z.boolean(),
  ip: z.string().max(64).nullable(),
  user_agent: z.string().max(255).nullable(),
  created_at: instant,
  last_seen_at: instant,
  expires_at: instant,
  /** How the session began, and with how many factors. */
  method: z.enum(['password', 'passkey', 'sso']),
  factors: z.union([z.literal(1), z.literal(2)]),
  /** The provider that the session began through; null without one, or if it no longer exists. */
  provider: z.string().max(60).nullable(),
});

/** A token that remains valid after the user changes their password. */
export const KeptToken = ApiToken.pick({ id: true, name: true, hint: true, expires_at: true });
export type KeptToken = z.output<typeof KeptToken>;

type SelfEdited = ReturnType<typeof namesWhere<typeof employeeRows, 'selfEdit'>>[number];

/** What people change about themselves. */
export const selfEdited: readonly SelfEdited[] = inOrder(namesWhere(employeeRows, 'selfEdit'), [
  'display_name',
  'salutation',
  'phone',
  'mobile',
  'address',
  'emergency_contact',
  'personal_email',
  'marital_status',
]);
const ownFields = Object.fromEntries(selfEdited.map((name) => [name, employeeInput[name]])) as Pick<
  typeof employeeInput,
  SelfEdited
>;

const own = { permission: 'signed in', scope: 'own' } as const;

export const profile = {
  get: endpoint({
    ...own,
    method: 'GET',
    path: '/profile',
    summary: 'Read the own profile',
    reply: item(Profile),
    status: 200,
  }),
  update: endpoint({
    ...own,
    method: 'PUT',
    path: '/profile',
    summary: 'Change the own profile',
    body: z.object({
      ...ownFields,
      locale: languageTag().optional(),
      preferences: preferencesInput.optional(),
      ...revision,
    }),
    reply: item(Profile),
    status: 200,
  }),
  changePassword: endpoint({
    ...own,
    method: 'PUT',
    path: '/profile/password',
    summary: 'Change the own password; ends other sessions, and names the personal tokens that stay',
    body: z.object({
      current_password: password(),
      password: password(),
      password_confirmation: z.string().max(1_024).optional(),
    }),
    reply: item(Profile).extend({ kept_tokens: z.array(KeptToken) }),
    status: 200,
  }),
  setPicture: endpoint({
    ...own,
    method: 'POST',
    path: '/profile/picture',
    summary: 'Set the own picture',
    upload: 'picture',
    reply: item(Profile),
    status: 200,
  }),
  removePicture: endpoint({
    ...own,
    method: 'DELETE',
    path: '/profile/picture',
    summary: 'Remove the own picture',
    status: 204,
  }),
  sessions: endpoint({
    ...own,
    method: 'GET',
    path: '/profile/sessions',
    summary: 'List the own sessions',
    query: listQuery(['last_seen_at', 'created_at'], { current: filters.flag() }),
    reply: page(Session),
    status: 200,
  }),
  endSession: endpoint({
    ...own,
    method: 'DELETE',
    path: '/profile/sessions/:id',
    summary: 'End one of the own sessions',
    status: 204,
  }),
  endOtherSessions: endpoint({
    ...own,
    method: 'DELETE',
    path: '/profile/sessions',
    summary: 'End all other own sessions',
    status: 204,
  }),
};
