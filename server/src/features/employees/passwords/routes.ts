import { employeePasswords, employeeSignIn, text } from '@tenure/contract';
import type { BodyOut, PasswordsIssued, Text } from '@tenure/contract';
import { endPasswordLinks } from '../../../access/account-links.ts';
import { endAccessOf } from '../../../access/api-tokens.ts';
import { record } from '../../../audit.ts';
import { bind } from '../../../http/context.ts';
import type { Ctx } from '../../../http/context.ts';
import { conflict, forbidden, invalid } from '../../../http/errors.ts';
import { done, read } from '../../../http/replies.ts';
import { notifyPasswordsShown } from '../../../notifications/account.ts';
import { cancelAddressChange } from '../../../people/address-changes.ts';
import { requireAdminFor, requireOther } from '../../../people/policy.ts';
import { employeeReply, findEmployee } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';
import { noSignIn } from '../../../people/roles.ts';
import { lettingIn } from '../lifecycle/routes.ts';
import { issueForMany } from './bulk.ts';
import { entriesOf, check } from './candidates.ts';
import type { Account, Giving } from './candidates.ts';
import { sendLinks, withdrawInvitation } from './links.ts';
import { issueOneTimePassword } from './passwords.ts';
import { resetSecondFactor } from './second-factor.ts';
import { readSignIn } from './sign-in.ts';

type Delivery = PasswordsIssued['delivery'];

/** The delivery of new passwords: as requested, else by mail if it is configured. */
function deliveryOf({ deps }: Ctx, { delivery }: BodyOut<typeof employeePasswords.resetPassword>): Delivery {
  const { isOn } = deps.mailer;
  if (delivery === 'mail' && !isOn) throw invalid('delivery', text('account.no_mail_server'));
  return delivery ?? (isOn ? 'mail' : 'screen');
}

/** A person with a sign-in. */
type Holder = Account & { email: string | null; employee_number: string; entity_name: string };

async function showPassword(ctx: Ctx, person: Holder) {
  const issued = await issueOneTimePassword(
    ctx.db,
    { hashing: ctx.deps.hashing, issuer: ctx.actor },
    person.user_id,
    person,
  );
  await record(ctx, ...entriesOf('password_reset', [person]));
  await notifyPasswordsShown(ctx, [person.user_id]);
  return { message: text('account.one_time_password_issued'), fields: issued };
}

const linkSent = {
  password_reset: text('account.password_link_sent'),
  invitation: text('account.invitation_sent'),
} as const;

async function sendLink(ctx: Ctx, person: Account, purpose: Giving['purpose']) {
  const expiries = await sendLinks(ctx, [person], purpose);
  return { message: linkSent[purpose], fields: { expires_at: expiries.get(person.user_id) as string } };
}

const refuse = ({ activity_status: status, revision }: EmployeeRecord, reason: Text) =>
  conflict(reason, { status, revision });

/** The account of the person. Throws 422 without a sign-in. */
function holderOf(person: EmployeeRecord) {
  const { user_id } = person;
  if (user_id === null) throw refuse(person, noSignIn);
  return { ...person, user_id };
}

type ResetBody = BodyOut<typeof employeePasswords.resetPassword>;

/** Gives one person a new password or a link. Throws 422 with the reason if the person can get neither. */
async function give(ctx: Ctx & { body: ResetBody }, person: EmployeeRecord, purpose: Giving['purpose']) {
  const delivery = deliveryOf(ctx, ctx.body);
  const { refused } = await check(ctx.db, ctx.actor, [person.id], { purpose, delivery, lock: true });
  if (refused[0]) throw refuse(person, refused[0].reason);
  const holder = holderOf(person);
  const { message, fields } = await (delivery === 'mail' ? sendLink(ctx, holder, purpose) : showPassword(ctx, holder));
  return { ...done(await employeeReply(ctx, person.id), message), ...fields, delivery };
}

const hashingTakesLong = 'hashing hundreds of passwords takes longer than a transaction may';

async function giveMany(
  ctx: Ctx & { body: BodyOut<typeof employeePasswords.resetPasswords> },
  purpose: Giving['purpose'],
) {
  const { employee_ids, dry_run = false } = ctx.body;
  const result = await issueForMany(ctx, employee_ids, { purpose, delivery: deliveryOf(ctx, ctx.body), dry_run });
  return done(result, messageOf(result, { purpose, dry_run }));
}

type Result = Awaited<ReturnType<typeof issueForMany>>;

function messageOf(
  { delivery, issued, sent }: Result,
  { purpose, dry_run }: Pick<Giving, 'purpose'> & { dry_run: boolean },
): Text {
  if (dry_run) return text('account.nothing_issued');
  if (delivery === 'screen') return text('account.one_time_passwords_issued', { count: issued.length });
  const count = sent.length;
  return purpose === 'invitation'
    ? text('account.invitations_sent', { count })
    : text('account.password_links_sent', { count });
}

export const passwordRoutes = [
  bind(employeeSignIn.get, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.reset_password'),
    // requires the rights of the account, even while it cannot sign in
    allow: ({ actor }, person) => {
      requireOther(actor, person);
      if (!person.cover.has('rights')) throw forbidden();
    },
    handle: async (ctx, person) => read(await readSignIn(ctx, holderOf(person).user_id)),
  }),
  bind(employeePasswords.resetPassword, {
    ...lettingIn('employees.reset_password', { needs: 'way_in' }),
    handle: (ctx, person) => give(ctx, person, 'password_reset'),
  }),
  bind(employeePasswords.resetPasswords, {
    withoutTransaction: hashingTakesLong,
    handle: (ctx) => giveMany(ctx, 'password_reset'),
  }),
  bind(employeePasswords.invite, {
    ...lettingIn('employees.reset_password', { needs: 'way_in' }),
    handle: (ctx, person) => give(ctx, person, 'invitation'),
  }),
  bind(employeePasswords.inviteMany, {
    withoutTransaction: hashingTakesLong,
    handle: (ctx) => giveMany(ctx, 'invitation'),
  }),
  bind(employeePasswords.withdrawInvitation, {
    ...lettingIn('employees.reset_password'),
    handle: (ctx, person) => withdrawInvitation(ctx, holderOf(person)),
  }),
  bind(employeePasswords.resetSecondFactor, {
    ...lettingIn('employees.reset_second_factor', { needs: 'way_in' }),
    handle: (ctx, person) => resetSecondFactor(ctx, person, ctx.body.reason),
  }),
  bind(employeePasswords.cancelAddressChange, {
    find: (ctx) => findEmployee(ctx, ctx.params.id, 'employees.update', { lock: true }),
    allow: (ctx, person) => requireAdminFor(ctx.actor, person),
    handle: async (ctx, person) => {
      const { user_id } = person;
      if (user_id !== null) await cancelAddressChange(ctx, { ...person, user_id });
    },
  }),
  bind(employeePasswords.endSessions, {
    ...lettingIn('employees.reset_password'),
    handle: async (ctx, person) => {
      const holder = holderOf(person);
      await endAccessOf(ctx.db, [holder.user_id], 'ended by an administrator');
      await endPasswordLinks(ctx.db, [holder.user_id]);
      await record(ctx, ...entriesOf('sessions_ended', [holder]));
    },
  }),
];
