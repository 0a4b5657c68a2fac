import { text } from '@tenure/contract';
import type { AuditVerb, PasswordsIssued, SentPurpose, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { accountKey, coverOf, lockAccounts, noCover } from '../../../access/cover.ts';
import { demandedProviders } from '../../../access/demanded-providers.ts';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import type { Db } from '../../../db/connect.ts';
import { lacksOwnPassword, usesDemandedProvider } from '../../../people/conditions.ts';
import { isWithinCover } from '../../../people/policy.ts';
import type { Subject } from '../../../people/policy.ts';
import { noSignIn } from '../../../people/roles.ts';

/** A person who can be given a way to sign in. */
export type Candidate = {
  id: number;
  user_id: number;
  entity_id: number;
  name: string;
  email: string;
  employee_number: string;
  entity_name: string;
  is_employed: boolean;
  gets_mail: boolean;
  has_own_password: boolean;
  /** The providers that the person must sign in through; null for none. */
  providers: string | null;
  /** True if the person has signed in through one of them. */
  uses_provider: boolean;
  /** True if the person switched off signing in with the password. */
  passkeys_only: boolean;
  cover: Subject['cover'];
};

/** A person as found; without an address there is no account to sign in to. */
type Found = Omit<Candidate, 'user_id' | 'email'> & { user_id: number | null; email: string | null };

const hasAccount = (person: Found): person is Candidate => person.user_id !== null;

/** Why people get a new password, and how. Only people without a password of their own are invited. */
export type Giving = { purpose: SentPurpose; delivery: PasswordsIssued['delivery'] };

export type Refused = { employee_id: number; reason: Text };

/** Message about people who get no mail: before their first day or after their last one. */
const noMail = text('account.no_mail_now');
/** The same about people who sign in through a provider, for whom a one-time password would be useless. */
const noMailYet = text('account.no_mail_yet');
/** Message about people who need no invitation. */
const hasPassword = text('account.has_password');
/** True if the person `e` gets mails. */
const getsMail = sql<boolean>`exists (select from reachable_users r where r.user_id = e.user_id)`;

/** Locks people and their accounts. The next statement reads a password that someone was setting meanwhile. */
async function lockAccountsOf(db: Db, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ user_id: number | null }>`
    select user_id from employees where id = any(${ids}::bigint[]) order by id for update`.execute(db);
  await lockAccounts(
    db,
    rows.flatMap(({ user_id }) => user_id ?? []),
  );
}

/** The people of `ids` whose passwords the actor can reset; locked in a writing transaction. */
async function candidates(db: Db, actor: Actor, ids: number[], lock: boolean): Promise<Map<number, Found>> {
  if (lock) await lockAccountsOf(db, ids);
  const { rows } = await sql<Omit<Found, 'cover'>>`
    select e.id, e.user_id, e.entity_id, e.name, e.email, e.employee_number, c.name as entity_name,
           e.activity_status <> 'inactive' as is_employed, ${getsMail} as gets_mail,
           not ${lacksOwnPassword()} as has_own_password, ${demandedProviders} as providers,
           ${usesDemandedProvider} as uses_provider,
           coalesce(not u.password_sign_in, false) as passkeys_only
    from employees e join entities c on c.id = e.entity_id left join users u on u.id = e.user_id
    where e.id = any(${ids}::bigint[]) and e.deleted_at is null
      and ${visiblePeople(actor)} and ${peopleFor(actor, 'employees.reset_password')}
    order by e.id`.execute(db);
  const covers = await coverOf(db, actor, rows.map(accountKey));
  return new Map(rows.map((row) => [row.id, { ...row, cover: covers.get(accountKey(row)) ?? noCover }]));
}

/** The reason against inviting a person to sign in through the provider; nothing else can be issued to them. */
function whyNotThrough(person: Found, provider: string, { purpose, delivery }: Giving): Text | undefined {
  if (purpose !== 'invitation' || delivery !== 'mail') return text('account.signs_in_through', { provider });
  if (person.uses_provider) return text('account.uses_provider', { provider });
  if (person.has_own_password) return hasPassword;
  return person.gets_mail ? undefined : noMailYet;
}

function whyNot(actor: Actor, person: Found | undefined, { purpose, delivery }: Giving): Text | undefined {
  if (!person) return text('general.not_found');
  if (person.id === actor.employee_id) return text('general.own_account');
  // checked before the actor's cover: for people who left, nothing reveals who decides about the caller
  if (person.user_id !== null && !person.is_employed) return text('account.may_not_sign_in');
  if (!isWithinCover('reset-password', person)) return text('general.not_permitted');
  if (person.user_id === null) return noSignIn;
  if (person.providers !== null) return whyNotThrough(person, person.providers, { purpose, delivery });
  if (person.passkeys_only) return text('account.passkeys_only');
  if (purpose === 'invitation' && person.has_own_password) return hasPassword;
  return delivery === 'mail' && !person.gets_mail ? noMail : undefined;
}

/** Divides `ids` into people who get a new password or link, and refused people. */
export async function check(db: Db, actor: Actor, ids: number[], { lock, ...giving }: Giving & { lock: boolean }) {
  const people = await candidates(db, actor, ids, lock);
  const [granted, refused]: [Candidate[], Refused[]] = [[], []];
  for (const id of ids) {
    const person = people.get(id);
    const reason = whyNot(actor, person, giving);
    if (reason) refused.push({ employee_id: id, reason });
    else if (person && hasAccount(person)) granted.push(person);
  }
  const found = [...people.values()].map(({ id, employee_number, name }) => ({ id, employee_number, name }));
  return { granted, refused, found };
}

/** The properties of an account that the audit log stores. */
export type Account = Pick<Candidate, 'user_id' | 'name' | 'entity_id'>;

/** Audit log entries about accounts. */
export const entriesOf = (verb: AuditVerb<'account'>, people: readonly Account[]) =>
  people.map(({ user_id, name, entity_id }) => ({
    action: `account.${verb}` as const,
    subject_id: user_id,
    subject_label: name,
    entity_id,
  }));
