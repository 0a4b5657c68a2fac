import { employees } from '@tenure/contract';
import { endSessionsOf } from '../../access/sessions.ts';
import { record } from '../../audit.ts';
import type { Entry } from '../../audit.ts';
import { bind } from '../../http/context.ts';
import { conflict } from '../../http/errors.ts';
import { done } from '../../http/replies.ts';
import { tellPasswordReset } from '../../notifications/account.ts';
import { counted } from '../../wording.ts';
import { lettingIn } from './lifecycle-routes.ts';
import { issueForMany } from './passwords-bulk.ts';
import { issueOneTimePassword } from './passwords.ts';
import { employeeReply } from './queries.ts';
import type { EmployeeRecord } from './queries.ts';

/** Who joins later gets one ahead; it holds from the first day. */
const mayHaveOne = ({ activity_status }: EmployeeRecord) => activity_status !== 'inactive';

const aboutAccount = (verb: string, person: { user_id: number; name: string; entity_id: number }): Entry => ({
  action: `account.${verb}`,
  subject_id: person.user_id,
  subject_label: person.name,
  entity_id: person.entity_id,
});

export const passwordRoutes = [
  bind(employees.resetPassword, {
    ...lettingIn('employees.reset_password'),
    handle: async (ctx, person) => {
      const { activity_status: status, revision } = person;
      if (!mayHaveOne(person)) throw conflict('This person may not sign in.', { status, revision });
      const issued = await issueOneTimePassword(ctx.db, ctx.deps.hashing, person.user_id, person);
      await record(ctx, aboutAccount('password_reset', person));
      await tellPasswordReset(ctx, [person.user_id]);
      const reply = await employeeReply(ctx, person.id);
      return { ...done(reply, 'One-time password issued. It is shown only this once.'), ...issued };
    },
  }),
  bind(employees.resetPasswords, {
    withoutTransaction: 'hashing hundreds of passwords takes longer than a transaction may',
    handle: async (ctx) => {
      const result = await issueForMany(ctx, ctx.body.employee_ids);
      const issued = counted(result.issued.length, 'one-time password', 'one-time passwords');
      return done(result, `Issued ${issued}, shown only this once.`);
    },
  }),
  bind(employees.endSessions, {
    ...lettingIn('employees.reset_password'),
    handle: async (ctx, person) => {
      await endSessionsOf(ctx.db, [person.user_id], 'ended by an administrator');
      await record(ctx, aboutAccount('sessions_ended', person));
    },
  }),
];
