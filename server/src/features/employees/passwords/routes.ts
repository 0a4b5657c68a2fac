import { employees, text } from '@tenure/contract';
import type { BodyOut, Text } from '@tenure/contract';
import { sql } from 'kysely';
import { issueLinks } from '../../../access/account-links.ts';
import { endSessionsOf } from '../../../access/sessions.ts';
import { record } from '../../../audit.ts';
import type { Entry } from '../../../audit.ts';
import { bind } from '../../../http/context.ts';
import type { Ctx } from '../../../http/context.ts';
import { conflict, invalid } from '../../../http/errors.ts';
import { done } from '../../../http/replies.ts';
import { sendPasswordLinks, notifyPasswordsShown } from '../../../notifications/account.ts';
import { lettingIn } from '../lifecycle/routes.ts';
import { getsMail, issueForMany, noMail } from './bulk.ts';
import { issueOneTimePassword } from './passwords.ts';
import { employeeReply } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

/** Later joiners get one in advance; it is valid from the first day. */
const mayHaveOne = ({ activity_status }: EmployeeRecord) => activity_status !== 'inactive';

const aboutAccount = (verb: string, person: { user_id: number; name: string; entity_id: number }): Entry => ({
  action: `account.${verb}`,
  subject_id: person.user_id,
  subject_label: person.name,
  entity_id: person.entity_id,
});

/** The delivery of new passwords: as requested, else by mail where it is configured. */
function deliveryOf({ deps }: Ctx, { delivery }: BodyOut<typeof employees.resetPassword>): 'mail' | 'screen' {
  const { isOn } = deps.mailer;
  if (delivery === 'mail' && !isOn) throw invalid('delivery', text('account.no_mail_server'));
  return delivery ?? (isOn ? 'mail' : 'screen');
}

async function showPassword(ctx: Ctx, person: EmployeeRecord) {
  const issued = await issueOneTimePassword(
    ctx.db,
    { hashing: ctx.deps.hashing, issuer: ctx.actor },
    person.user_id,
    person,
  );
  await record(ctx, aboutAccount('password_reset', person));
  await notifyPasswordsShown(ctx, [person.user_id]);
  return { message: text('account.one_time_password_issued'), fields: issued };
}

async function sendLink(ctx: Ctx, person: EmployeeRecord) {
  const { rows } = await sql<{ gets_mail: boolean }>`
    select ${getsMail} as gets_mail from employees e where e.id = ${person.id}`.execute(ctx.db);
  const { activity_status: status, revision } = person;
  if (!rows[0]?.gets_mail) throw conflict(noMail, { status, revision });
  const expiries = await issueLinks(ctx.db, [person.user_id], { purpose: 'password_reset', by: ctx.actor.user_id });
  await record(ctx, aboutAccount('password_link_sent', person));
  await sendPasswordLinks(ctx, [person.user_id]);
  return {
    message: text('account.password_link_sent'),
    fields: { expires_at: expiries.get(person.user_id) as string },
  };
}

export const passwordRoutes = [
  bind(employees.resetPassword, {
    ...lettingIn('employees.reset_password', { needs: 'way_in' }),
    handle: async (ctx, person) => {
      const { activity_status: status, revision } = person;
      if (!mayHaveOne(person)) throw conflict(text('account.may_not_sign_in'), { status, revision });
      const delivery = deliveryOf(ctx, ctx.body);
      const { message, fields } = await (delivery === 'mail' ? sendLink : showPassword)(ctx, person);
      return { ...done(await employeeReply(ctx, person.id), message), ...fields, delivery };
    },
  }),
  bind(employees.resetPasswords, {
    withoutTransaction: 'hashing hundreds of passwords takes longer than a transaction may',
    handle: async (ctx) => {
      const { employee_ids, dry_run = false } = ctx.body;
      const result = await issueForMany(ctx, employee_ids, { delivery: deliveryOf(ctx, ctx.body), dry_run });
      return done(result, messageOf(result, dry_run));
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

function messageOf({ delivery, issued, sent }: Awaited<ReturnType<typeof issueForMany>>, isTried: boolean): Text {
  if (isTried) return text('account.nothing_issued');
  if (delivery === 'mail') return text('account.password_links_sent', { count: sent.length });
  return text('account.one_time_passwords_issued', { count: issued.length });
}
