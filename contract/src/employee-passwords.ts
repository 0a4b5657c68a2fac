import * as z from 'zod';
import { Employee } from './employee-fields.ts';
import { endpoint } from './endpoint.ts';
import { item } from './envelope.ts';
import { boolean, id } from './fields.ts';
import { deliveries, delivery, maxPasswordPeople, OneTimePassword, PasswordsIssued } from './one-time-passwords.ts';

const employeePath = '/employees/:id';
const reply = item(Employee).extend({ ...OneTimePassword.partial().shape, delivery: z.enum(deliveries) });
const manyPeople = z.object({
  employee_ids: z.array(id()).min(1).max(maxPasswordPeople),
  delivery,
  /** Lists who would get one and who would be refused; issues nothing. */
  dry_run: boolean().optional(),
});

/** How people get into their accounts: new passwords, invitations, and the end of their sessions. */
export const employeePasswords = {
  resetPassword: endpoint({
    method: 'POST',
    path: `${employeePath}/reset-password`,
    summary: 'Let a person choose a new password: by a link in a mail, or with a one-time password',
    permission: 'employees.reset_password',
    scope: 'relationship',
    body: z.object({ delivery }),
    reply: reply,
    secret: 'one_time_password',
    status: 200,
  }),
  resetPasswords: endpoint({
    method: 'POST',
    path: '/employees/reset-passwords',
    summary: 'Let many people choose a new password: by links in mails, or with one-time passwords',
    permission: 'employees.reset_password',
    scope: 'relationship',
    body: manyPeople,
    reply: item(PasswordsIssued),
    secret: true,
    status: 200,
  }),
  invite: endpoint({
    method: 'POST',
    path: `${employeePath}/invite`,
    summary: 'Invite a person without a password of their own: by a link in a mail, or with a one-time password',
    permission: 'employees.reset_password',
    scope: 'relationship',
    body: z.object({ delivery }),
    reply: reply,
    secret: 'one_time_password',
    status: 200,
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: `${employeePath}/invite`,
    summary: 'Withdraw the invitation of a person; its link stops working',
    permission: 'employees.reset_password',
    scope: 'relationship',
    status: 204,
  }),
  inviteMany: endpoint({
    method: 'POST',
    path: '/employees/invite',
    summary: 'Invite many people without a password of their own, or remind them: a new link replaces the former one',
    permission: 'employees.reset_password',
    scope: 'relationship',
    body: manyPeople,
    reply: item(PasswordsIssued),
    secret: true,
    status: 200,
  }),
  endSessions: endpoint({
    method: 'DELETE',
    path: `${employeePath}/sessions`,
    summary: 'End all sessions of a person',
    permission: 'employees.reset_password',
    scope: 'relationship',
    status: 204,
  }),
};
