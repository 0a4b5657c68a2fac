import type { PasswordsIssued } from '@tenure/contract';
import { validHours } from '../../../access/account-links.ts';
import { record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { Ctx, ServiceCtx } from '../../../http/context.ts';
import { notifyPasswordsShown } from '../../../notifications/account.ts';
import { entriesOf, check } from './candidates.ts';
import type { Candidate, Giving, Refused } from './candidates.ts';
import { sendLinks } from './links.ts';
import { prepareOneTimePassword, storeOneTimePasswords } from './passwords.ts';
import type { Prepared } from './passwords.ts';

type Issued = Omit<PasswordsIssued, 'refused'> & { refused: Refused[] };
/** Passwords of many people, issued by one request that can be repeated. */
export type BulkPasswordCtx = ServiceCtx & Pick<Ctx, 'claimKey'>;

async function prepareAll({ deps }: BulkPasswordCtx, people: readonly Candidate[]): Promise<Map<number, Prepared>> {
  const prepared = new Map<number, Prepared>();
  for (const person of people) {
    // one after the other, so that sign-ins find a free thread meanwhile
    prepared.set(person.id, await prepareOneTimePassword(deps.hashing, person.user_id, person));
  }
  return prepared;
}

async function storeAll(
  ctx: BulkPasswordCtx,
  db: Db,
  people: readonly Candidate[],
  prepared: ReadonlyMap<number, Prepared>,
) {
  const expiries = await storeOneTimePasswords(
    db,
    ctx.actor,
    people.map(({ id }) => prepared.get(id) as Prepared),
  );
  const context = { db, actor: ctx.actor, request: ctx.request };
  await record(context, ...entriesOf('password_reset', people));
  await notifyPasswordsShown(
    context,
    people.map(({ user_id }) => user_id),
  );
  return people.map((person) => ({
    employee_id: person.id,
    email: person.email,
    one_time_password: prepared.get(person.id)?.one_time_password ?? '',
    expires_at: expiries.get(person.user_id) ?? '',
  }));
}

async function sendAll(ctx: BulkPasswordCtx, db: Db, people: readonly Candidate[], purpose: Giving['purpose']) {
  const expiries = await sendLinks({ ...ctx, db }, people, purpose);
  return people.map(({ id, email, user_id }) => ({ employee_id: id, email, expires_at: expiries.get(user_id) ?? '' }));
}

function throughProvider(people: readonly Candidate[]): Pick<PasswordsIssued, 'through_provider'> {
  const through_provider = people.flatMap(({ id, providers }) =>
    providers === null ? [] : [{ employee_id: id, provider: providers }],
  );
  return through_provider.length > 0 ? { through_provider } : {};
}

/**
 * Lets many people choose a new password, with links or one-time passwords; lists refused people with the reasons. A
 * dry run lists the same.
 */
export async function issueForMany(
  ctx: BulkPasswordCtx,
  employeeIds: readonly number[],
  { dry_run, ...giving }: Giving & { dry_run: boolean },
): Promise<Issued> {
  const { purpose, delivery } = giving;
  const before = await check(ctx.db, ctx.actor, [...new Set(employeeIds)], { ...giving, lock: false });
  const { refused: refusedBefore, found: people } = before;
  const { mailer, config } = ctx.deps;
  const link_hours = validHours(purpose, config);
  const known = { delivery, mail_is_on: mailer.isOn, link_hours, people };
  const nothing = { ...known, issued: [], sent: [], refused: refusedBefore };
  const prepared = !dry_run && delivery === 'screen' ? await prepareAll(ctx, before.granted) : new Map();
  return ctx.db.transaction().execute(async (db) => {
    await ctx.claimKey(db);
    if (dry_run) return { ...nothing, ...throughProvider(before.granted) };
    // hashing takes time: people who lost the permission meanwhile are skipped
    const ids = before.granted.map(({ id }) => id);
    const { granted, refused } = await check(db, ctx.actor, ids, { ...giving, lock: true });
    const all = { ...nothing, ...throughProvider(granted), refused: [...refusedBefore, ...refused] };
    if (delivery === 'mail') return { ...all, sent: await sendAll(ctx, db, granted, purpose) };
    return { ...all, issued: await storeAll(ctx, db, granted, prepared) };
  });
}
