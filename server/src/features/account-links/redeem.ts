import type { AccountLink, accountLinks, BodyOut } from '@tenure/contract';
import { linkPurposes, messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { spendLink } from '../../access/account-links.ts';
import type { OpenLink } from '../../access/account-links.ts';
import { endAccessOf } from '../../access/api-tokens.ts';
import { record } from '../../audit.ts';
import { passwordProblems } from '../../crypto/password-rules.ts';
import type { PasswordContext } from '../../crypto/password-rules.ts';
import { isPasswordTooLong } from '../../crypto/passwords.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import type { GuestCtx } from '../../http/context.ts';
import { invalidFields, say } from '../../http/errors.ts';
import { notifyLinkUsed } from '../../notifications/own-account.ts';
import { dead, findLink, tryLink } from './find.ts';

type Body = BodyOut<typeof accountLinks.redeem>;
type Account = PasswordContext & { password_hash: string | null; name: string; entity_id: number | null };

/** The purposes of links to choose a password with, and what the audit log calls their use. */
const uses = {
  password_reset: 'account.password_link_used',
  invitation: 'account.invitation_used',
  requested_reset: 'account.password_link_used',
} as const;
type Use = keyof typeof uses;
const toPasswords = Object.keys(uses) as Use[];
const notOther = text('account.password_unchanged');
const tooLong = messages.mostCharacters(1_024);

/** `l•••@acme.example`: enough to recognise the own address, too little to sign in with. */
const hintOf = (email: string) => email.replace(/^(.).*@/, '$1•••@');

/** Describes a valid link. */
export async function checkLink(ctx: GuestCtx, token: string): Promise<AccountLink> {
  const { purpose, email, expires_at } = await tryLink(ctx, token, linkPurposes);
  return { purpose, email_hint: hintOf(email), expires_at };
}

async function loadAccount(db: Db, userId: number): Promise<Account> {
  const { rows } = await sql<Account>`
    select u.password_hash, u.email, coalesce(e.name, u.email) as name, e.employee_number, c.name as entity_name,
           e.entity_id
    from users u
    left join employees e on e.user_id = u.id
    left join entities c on c.id = e.entity_id
    where u.id = ${userId}`.execute(db);
  return rows[0] as Account;
}

async function problemsOf({ deps }: GuestCtx, account: Account, { password, password_confirmation }: Body) {
  if (isPasswordTooLong(password)) return [tooLong];
  const problems = [
    ...passwordProblems(password, { min: deps.config.PASSWORD_MIN_LENGTH, context: account }),
    ...(password === password_confirmation ? [] : [messages.confirmed]),
  ];
  if (problems.length > 0 || account.password_hash === null) return problems;
  return (await deps.hashing.verify(password, account.password_hash)) ? [notOther] : [];
}

async function store(ctx: GuestCtx, token: string, link: OpenLink, password_hash: string): Promise<void> {
  const { deps, request } = ctx;
  await (ctx.db as Kysely<DB>).transaction().execute(async (db) => {
    // the account before its links: everything that revokes links locks both in this order
    await sql`select from users where id = ${link.user_id} for no key update`.execute(db);
    await findLink({ db, deps }, token, toPasswords);
    if (!(await spendLink(db, link, token))) throw dead();
    await endAccessOf(db, [link.user_id], 'password reset');
    await db
      .updateTable('users')
      .set({
        password_hash,
        one_time_password: false,
        must_change_password: false,
        password_expires_at: null,
        // the person who set the address may read its mail
        password_issued_by: sql.ref('address_set_by'),
      })
      .where('id', '=', link.user_id)
      .execute();
    const { name, entity_id } = await loadAccount(db, link.user_id);
    await record(
      { db, actor: { user_id: link.user_id, name }, request },
      { action: uses[link.purpose as Use], subject_id: link.user_id, subject_label: name, entity_id },
    );
    await notifyLinkUsed(db, link.user_id, link.id, request);
  });
}

/**
 * Sets the password of the link's account by the usual rules. Ends all its sessions, starts none and uses up the link.
 * Throws 422 with one message for every invalid link, or with the problems of the password; 429 beyond the limits.
 */
export async function redeemLink(ctx: GuestCtx, body: Body): Promise<void> {
  const link = await tryLink(ctx, body.token, toPasswords);
  const problems = await problemsOf(ctx, await loadAccount(ctx.db, link.user_id), body);
  if (problems.length > 0) {
    // the link may have been used meanwhile with this very password
    await findLink(ctx, body.token, toPasswords);
    throw invalidFields({ password: problems.map((problem) => say('password', problem)) });
  }
  await store(ctx, body.token, link, await ctx.deps.hashing.hash(body.password));
}
