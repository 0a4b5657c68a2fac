import type { AccountLink, accountLinks, BodyOut, Text } from '@tenure/contract';
import { linkPurposes, messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { consumeLink } from '../../access/account-links.ts';
import type { OpenLink } from '../../access/account-links.ts';
import { endAccessOf } from '../../access/api-tokens.ts';
import { record } from '../../audit.ts';
import { passwordProblems } from '../../crypto/password-rules.ts';
import type { PasswordContext } from '../../crypto/password-rules.ts';
import { isPasswordTooLong } from '../../crypto/passwords.ts';
import type { Db } from '../../db/connect.ts';
import type { Ctx, GuestCtx } from '../../http/context.ts';
import { invalid, invalidFields, say } from '../../http/errors.ts';
import { notifyLinkUsed } from '../../notifications/own-account.ts';
import { dead, findLink, tryLink } from './find.ts';
import { factorOptions, wantsFactor, withFactor } from './second-step.ts';
import type { Owner, ProvingCtx, Consume } from './second-step.ts';

type Body = BodyOut<typeof accountLinks.redeem>;
type Account = PasswordContext & Owner & { password_hash: string | null };

/** The purposes of password links, and the audit log's action for their use. */
const uses = {
  password_reset: 'account.password_link_used',
  invitation: 'account.invitation_used',
  requested_reset: 'account.password_link_used',
} as const;
type Use = keyof typeof uses;
const toPasswords = Object.keys(uses) as Use[];
const notOther = text('account.password_unchanged');
const tooLong = messages.maxCharacters(1_024);

/** `l•••@acme.example`: enough to recognise one's own address, too little to sign in with. */
const hintOf = (email: string) => email.replace(/^(.).*@/, '$1•••@');

/** Describes a valid link. */
export async function checkLink(ctx: GuestCtx, token: string): Promise<AccountLink> {
  const { purpose, email, expires_at, user_id } = await tryLink(ctx, token, linkPurposes);
  const second_factor = purpose in uses && (await wantsFactor(ctx.db, user_id));
  return { purpose, email_hint: hintOf(email), expires_at, second_factor };
}

/** How the user proves the second factor along with a password link. */
export async function linkOptions(ctx: ProvingCtx & Pick<Ctx, 'setCookies'>, token: string) {
  const { user_id } = await tryLink(ctx, token, toPasswords);
  return (await wantsFactor(ctx.db, user_id)) ? factorOptions(ctx, user_id) : { totp: false, options: null };
}

async function loadAccount(db: Db, userId: number): Promise<Account> {
  const { rows } = await sql<Account>`
    select u.id as user_id, u.password_hash, u.email, coalesce(e.name, u.email) as name, e.employee_number, c.name as entity_name,
           e.entity_id
    from users u
    left join employees e on e.user_id = u.id
    left join entities c on c.id = e.entity_id
    where u.id = ${userId}`.execute(db);
  return rows[0] as Account;
}

/** The problems of a password, whatever the current one is. */
function problemsOf({ deps }: GuestCtx, account: Account, { password, password_confirmation }: Body): Text[] {
  if (isPasswordTooLong(password)) return [tooLong];
  return [
    ...passwordProblems(password, { min: deps.config.PASSWORD_MIN_LENGTH, context: account }),
    ...(password === password_confirmation ? [] : [messages.confirmed]),
  ];
}

const refusal = (problems: readonly Text[]) =>
  invalidFields({ password: problems.map((problem) => say('password', problem)) });

const isFormer = async ({ deps }: GuestCtx, { password_hash }: Account, { password }: Body): Promise<boolean> =>
  password_hash !== null && (await deps.hashing.verify(password, password_hash));

async function setPassword(db: Db, { user_id }: OpenLink, password_hash: string): Promise<void> {
  await endAccessOf(db, [user_id], 'password reset');
  await db
    .updateTable('users')
    .set({
      password_hash,
      one_time_password: false,
      must_change_password: false,
      password_expires_at: null,
      // the user who set the address may read its mail
      password_issued_by: sql.ref('address_set_by'),
      password_unused: sql<boolean>`address_set_by is not null`,
    })
    .where('id', '=', user_id)
    .execute();
}

type Choice = { token: string; link: OpenLink; password_hash: string; is_former: boolean };

/**
 * Stores the password after `consume` uses up the proof; without `consume`, only if the account has no second factor. False
 * for a wrong proof.
 */
async function store(ctx: GuestCtx, { token, link, ...chosen }: Choice, consume?: Consume): Promise<boolean> {
  const { deps, request } = ctx;
  const { user_id, id, purpose } = link;
  return ctx.db.transaction().execute(async (db) => {
    // lock the account before its links: all code that revokes links locks both in this order
    await sql`select from users where id = ${user_id} for no key update`.execute(db);
    await findLink({ db, deps }, token, toPasswords);
    if (consume && !(await consume(db))) return false;
    // the account may have got a second factor since the link was read
    if (!consume && (await wantsFactor(db, user_id))) throw invalid('code', messages.required);
    // reported only after the second factor; the rollback restores its code
    if (chosen.is_former) throw refusal([notOther]);
    if (!(await consumeLink(db, link, token))) throw dead();
    await setPassword(db, link, chosen.password_hash);
    const { name, entity_id } = await loadAccount(db, user_id);
    await record(
      { db, actor: { user_id, name }, request },
      { action: uses[purpose as Use], subject_id: user_id, subject_label: name, entity_id },
    );
    await notifyLinkUsed(db, user_id, id, request);
    return true;
  });
}

/**
 * Sets the password of the link's account by the usual rules, with a second factor if the account has one. Ends all of
 * its sessions, starts none and uses up the link. Throws 422 with one message for every invalid link, with the problems
 * of the password, or for a wrong code, which does not use up the link; 429 beyond the limits.
 */
export async function redeemLink(ctx: ProvingCtx, body: Body): Promise<void> {
  const { token } = body;
  const link = await tryLink(ctx, token, toPasswords);
  const account = await loadAccount(ctx.db, link.user_id);
  const problems = problemsOf(ctx, account, body);
  if (problems.length > 0) {
    // another request may have used the link meanwhile, with this very password
    await findLink(ctx, token, toPasswords);
    throw refusal(problems);
  }
  const choose = async (consume?: Consume) => {
    const is_former = await isFormer(ctx, account, body);
    const password_hash = await ctx.deps.hashing.hash(body.password);
    return store(ctx, { token, link, password_hash, is_former }, consume);
  };
  if (await wantsFactor(ctx.db, link.user_id)) await withFactor(ctx, { link, owner: account, sent: body }, choose);
  else await choose();
}
