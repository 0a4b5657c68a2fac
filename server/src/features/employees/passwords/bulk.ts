import { text } from '@tenure/contract';
import type { PasswordsIssued, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { issueLinks } from '../../../access/account-links.ts';
import type { Actor } from '../../../access/actor.ts';
import { coverOf, holdAccounts, noCover } from '../../../access/cover.ts';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import { record } from '../../../audit.ts';
import type { Db } from '../../../db/connect.ts';
import type { DB } from '../../../db/schema.ts';
import type { Ctx, ServiceCtx } from '../../../http/context.ts';
import { sendPasswordLinks, notifyPasswordsShown } from '../../../notifications/account.ts';
import { isWithinCover } from '../../../people/policy.ts';
import type { Subject } from '../../../people/policy.ts';
import { prepareOneTimePassword, storeOneTimePasswords } from './passwords.ts';
import type { Prepared } from './passwords.ts';

type Candidate = {
  id: number;
  user_id: number;
  entity_id: number;
  name: string;
  email: string;
  employee_number: string;
  entity_name: string;
  is_employed: boolean;
  gets_mail: boolean;
  cover: Subject['cover'];
};

type Refused = { employee_id: number; reason: Text };
type Issued = Omit<PasswordsIssued, 'refused'> & { refused: Refused[] };
/** Passwords of many people, issued by one request that may be repeated. */
export type BulkPasswordCtx = ServiceCtx & Pick<Ctx, 'claimKey'>;
type Delivery = PasswordsIssued['delivery'];

/** Message for people who get no mail: before their first day or after their last one. */
export const noMail = text('account.no_mail_now');
/** True when mails go to the person `e`. */
export const getsMail = sql<boolean>`exists (select from reachable_users r where r.user_id = e.user_id)`;

/** The people of `ids` whose passwords the actor can reset; locked in a writing transaction. */
async function candidates(db: Db, actor: Actor, ids: number[], lock: boolean): Promise<Map<number, Candidate>> {
  const { rows } = await sql<Omit<Candidate, 'cover'>>`
    select e.id, e.user_id, e.entity_id, e.name, e.email, e.employee_number, c.name as entity_name,
           e.activity_status <> 'inactive' as is_employed, ${getsMail} as gets_mail
    from employees e join entities c on c.id = e.entity_id
    where e.id = any(${ids}::bigint[]) and e.deleted_at is null
      and ${visiblePeople(actor)} and ${peopleFor(actor, 'employees.reset_password')}
    order by e.id ${lock ? sql`for update of e` : sql``}`.execute(db);
  const accounts = rows.map(({ user_id }) => user_id);
  if (lock) await holdAccounts(db, accounts);
  const covers = await coverOf(db, actor, accounts);
  return new Map(rows.map((row) => [row.id, { ...row, cover: covers.get(row.user_id) ?? noCover }]));
}

function whyNot(actor: Actor, person: Candidate | undefined, delivery: Delivery): Text | undefined {
  if (!person) return text('general.not_found');
  const isOutOfHand = person.id === actor.employee_id || !isWithinCover('reset-password', person);
  if (isOutOfHand) return text('general.unauthorized');
  if (!person.is_employed) return text('account.may_not_sign_in');
  return delivery === 'mail' && !person.gets_mail ? noMail : undefined;
}

/** Divides `ids` into people who get a password or link and refused people. */
async function judge(db: Db, actor: Actor, ids: number[], { delivery, lock }: { delivery: Delivery; lock: boolean }) {
  const people = await candidates(db, actor, ids, lock);
  const [granted, refused]: [Candidate[], Refused[]] = [[], []];
  for (const id of ids) {
    const person = people.get(id);
    const reason = whyNot(actor, person, delivery);
    if (reason) refused.push({ employee_id: id, reason });
    else if (person) granted.push(person);
  }
  const found = [...people.values()].map(({ id, employee_number, name }) => ({ id, employee_number, name }));
  return { granted, refused, found };
}

async function prepareAll({ deps }: BulkPasswordCtx, people: readonly Candidate[]): Promise<Map<number, Prepared>> {
  const prepared = new Map<number, Prepared>();
  for (const person of people) {
    // in sequence, so that sign-ins find a free thread meanwhile
    prepared.set(person.id, await prepareOneTimePassword(deps.hashing, person.user_id, person));
  }
  return prepared;
}

const entriesOf = (verb: string, people: readonly Candidate[]) =>
  people.map(({ user_id, name, entity_id }) => ({
    action: `account.${verb}` as const,
    subject_id: user_id,
    subject_label: name,
    entity_id,
  }));

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

async function sendAll(ctx: BulkPasswordCtx, db: Db, people: readonly Candidate[]) {
  const userIds = people.map(({ user_id }) => user_id);
  const expiries = await issueLinks(db, userIds, { purpose: 'password_reset', by: ctx.actor.user_id });
  const context = { db, actor: ctx.actor, request: ctx.request };
  await record(context, ...entriesOf('password_link_sent', people));
  await sendPasswordLinks(context, userIds);
  return people.map(({ id, email, user_id }) => ({ employee_id: id, email, expires_at: expiries.get(user_id) ?? '' }));
}

/**
 * Lets many people choose a new password, by links or with one-time passwords; lists the reasons for refused people. A
 * dry run lists the same.
 */
export async function issueForMany(
  ctx: BulkPasswordCtx,
  employeeIds: readonly number[],
  { delivery, dry_run }: { delivery: Delivery; dry_run: boolean },
): Promise<Issued> {
  const before = await judge(ctx.db, ctx.actor, [...new Set(employeeIds)], { delivery, lock: false });
  const { refused: refusedBefore, found: people } = before;
  const nothing = { delivery, mail_is_on: ctx.deps.mailer.isOn, issued: [], sent: [], refused: refusedBefore, people };
  const prepared = !dry_run && delivery === 'screen' ? await prepareAll(ctx, before.granted) : new Map();
  return (ctx.db as Kysely<DB>).transaction().execute(async (db) => {
    await ctx.claimKey(db);
    if (dry_run) return nothing;
    // hashing takes time: people who lost the permission meanwhile are skipped
    const ids = before.granted.map(({ id }) => id);
    const { granted, refused } = await judge(db, ctx.actor, ids, { delivery, lock: true });
    const all = { ...nothing, refused: [...refusedBefore, ...refused] };
    if (delivery === 'mail') return { ...all, sent: await sendAll(ctx, db, granted) };
    return { ...all, issued: await storeAll(ctx, db, granted, prepared) };
  });
}
