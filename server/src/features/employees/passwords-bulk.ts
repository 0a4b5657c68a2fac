import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Actor } from '../../access/actor.ts';
import { coverOf, holdAccounts, noCover } from '../../access/cover.ts';
import { peopleFor, visiblePeople } from '../../access/scope.ts';
import { record } from '../../audit.ts';
import type { Db } from '../../db/connect.ts';
import type { DB } from '../../db/schema.ts';
import type { Ctx } from '../../http/context.ts';
import { tellPasswordReset } from '../../notifications/account.ts';
import { isWithinCover } from './policy.ts';
import type { Subject } from './policy.ts';
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
  cover: Subject['cover'];
};

type Refused = { employee_id: number; reason: string };
type Issued = { employee_id: number; email: string; one_time_password: string; expires_at: string };

/** Those of `ids` the actor may reset passwords of; locked where the statement is part of a transaction that writes. */
async function candidates(db: Db, actor: Actor, ids: number[], lock: boolean): Promise<Map<number, Candidate>> {
  const { rows } = await sql<Omit<Candidate, 'cover'>>`
    select e.id, e.user_id, e.entity_id, e.name, e.email, e.employee_number, c.name as entity_name,
           e.activity_status <> 'inactive' as is_employed
    from employees e join entities c on c.id = e.entity_id
    where e.id = any(${ids}::bigint[]) and e.deleted_at is null
      and ${visiblePeople(actor)} and ${peopleFor(actor, 'employees.reset_password')}
    order by e.id ${lock ? sql`for update of e` : sql``}`.execute(db);
  const accounts = rows.map(({ user_id }) => user_id);
  if (lock) await holdAccounts(db, accounts);
  const covers = await coverOf(db, actor, accounts);
  return new Map(rows.map((row) => [row.id, { ...row, cover: covers.get(row.user_id) ?? noCover }]));
}

function whyNot(actor: Actor, person: Candidate | undefined): string | undefined {
  if (!person) return 'Not found.';
  const isOutOfHand = person.id === actor.employee_id || !isWithinCover('reset-password', person);
  if (isOutOfHand) return 'This action is unauthorized.';
  return person.is_employed ? undefined : 'This person may not sign in.';
}

/** Everybody of `ids` is either among the passwords prepared or among the refused. */
async function prepareAll({ deps, actor, db }: Pick<Ctx, 'deps' | 'actor' | 'db'>, ids: number[]) {
  const people = await candidates(db, actor, ids, false);
  const [prepared, refused]: [Map<number, Prepared>, Refused[]] = [new Map(), []];
  for (const id of ids) {
    const person = people.get(id);
    const reason = whyNot(actor, person);
    if (person && !reason) {
      // one after the other, so that people who sign in meanwhile find a free thread
      prepared.set(id, await prepareOneTimePassword(deps.hashing, person.user_id, person));
    } else refused.push({ employee_id: id, reason: reason ?? '' });
  }
  return { prepared, refused };
}

async function storeAll(
  ctx: Pick<Ctx, 'actor' | 'request' | 'claimKey'>,
  db: Db,
  prepared: ReadonlyMap<number, Prepared>,
) {
  await ctx.claimKey(db);
  const people = await candidates(db, ctx.actor, [...prepared.keys()], true);
  // the hashing took its time: whoever may not have one any more gets none
  const refused = [...prepared.keys()].flatMap((id): Refused[] => {
    const reason = whyNot(ctx.actor, people.get(id));
    return reason ? [{ employee_id: id, reason }] : [];
  });
  const gone = new Set(refused.map((one) => one.employee_id));
  const kept = [...people.values()].filter(({ id }) => !gone.has(id));
  const expiries = await storeOneTimePasswords(
    db,
    kept.map(({ id }) => prepared.get(id) as Prepared),
  );
  await record(
    { db, actor: ctx.actor, request: ctx.request },
    ...kept.map(({ user_id, name, entity_id }) => ({
      action: 'account.password_reset' as const,
      subject_id: user_id,
      subject_label: name,
      entity_id,
    })),
  );
  await tellPasswordReset(
    { db, actor: ctx.actor },
    kept.map(({ user_id }) => user_id),
  );
  const issued = kept.map(({ id, user_id, email }): Issued => ({
    employee_id: id,
    email,
    one_time_password: prepared.get(id)?.one_time_password ?? '',
    expires_at: expiries.get(user_id) ?? '',
  }));
  return { issued, refused };
}

/** Issues one-time passwords to many people; for each one who gets none the reason. */
export async function issueForMany(
  ctx: Pick<Ctx, 'deps' | 'actor' | 'db' | 'request' | 'claimKey'>,
  employeeIds: readonly number[],
): Promise<{ issued: Issued[]; refused: Refused[] }> {
  const ids = [...new Set(employeeIds)];
  const { prepared, refused } = await prepareAll(ctx, ids);
  const stored = await (ctx.db as Kysely<DB>).transaction().execute((db) => storeAll(ctx, db, prepared));
  return { issued: stored.issued, refused: [...refused, ...stored.refused] };
}
