import * as z from 'zod';
import { Employee } from './employee-fields.ts';
import { confirmed, endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { boolean, id, text } from './fields.ts';
import { deliveries, delivery, maxPasswordPeople, OneTimePassword, PasswordsIssued } from './one-time-passwords.ts';

const employeePath = '/employees/:id';
const permitted = { permission: 'employees.reset_password', scope: 'relationship' } as const;
const issuedToOne = {
  ...confirmed,
  body: z.object({ delivery }),
  reply: item(Employee).extend({ ...OneTimePassword.partial().shape, delivery: z.enum(deliveries) }),
  secret: 'one_time_password',
  status: 200,
} as const;
const issuedToMany = {
  ...confirmed,
  body: z.object({
    employee_ids: z.array(id()).min(1).max(maxPasswordPeople),
    delivery,
    /** Lists who would get one and who would be refused, but issues nothing. */
    dry_run: boolean().optional(),
  }),
  reply: item(PasswordsIssued),
  secret: true,
  status: 200,
} as const;

/** Passwords, invitations and sessions of other people's accounts. */
export const employeePasswords = {
  resetPassword: endpoint({
    ...permitted,
    method: 'POST',
    path: `${employeePath}/reset-password`,
    summary: 'Let a person choose a new password: by a link in a mail, or with a one-time password',
    ...issuedToOne,
  }),
  resetPasswords: endpoint({
    ...permitted,
    method: 'POST',
    path: '/employees/reset-passwords',
    summary: 'Let many people choose a new password: by links in mails, or with one-time passwords',
    ...issuedToMany,
  }),
  invite: endpoint({
    ...permitted,
    method: 'POST',
    path: `${employeePath}/invite`,
    summary: 'Invite a person without a password of their own: by a link in a mail, or with a one-time password',
    ...issuedToOne,
  }),
  withdrawInvitation: endpoint({
    ...permitted,
    method: 'DELETE',
    path: `${employeePath}/invite`,
    summary: 'Withdraw the invitation of a person; its link stops working',
    accepts: 'session',
    status: 204,
  }),
  inviteMany: endpoint({
    ...permitted,
    method: 'POST',
    path: '/employees/invite',
    summary: 'Invite many people without a password of their own, or remind them: a new link replaces the former one',
    ...issuedToMany,
  }),
  resetSecondFactor: endpoint({
    ...confirmed,
    permission: 'employees.reset_second_factor',
    scope: 'relationship',
    method: 'DELETE',
    path: `${employeePath}/second-factor`,
    summary: 'Take the second factor of a person away; they set up another one at their next sign-in',
    body: z.object({ reason: text(1_000, 3) }),
    status: 204,
  }),
  cancelAddressChange: endpoint({
    method: 'DELETE',
    path: `${employeePath}/address-change`,
    summary: 'Cancel the change of a sign-in address that is not confirmed yet',
    permission: 'employees.update',
    scope: 'scoped',
    accepts: 'session',
    status: 204,
  }),
  endSessions: endpoint({
    ...permitted,
    method: 'DELETE',
    path: `${employeePath}/sessions`,
    summary: 'End all sessions of a person',
    accepts: 'session',
    status: 204,
  }),
};
