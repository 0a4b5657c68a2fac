import { sql } from 'kysely';
import { accountKey, coverOf, lockAccounts, noCover } from '../../../access/cover.ts';
import { forbidden } from '../../../http/errors.ts';
import type { BulkBody } from './input.ts';
import { refusalOf } from './rows.ts';
import type { Outcome, Outcomes } from './rows.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { lockNames, shownBy } from '../../../people/name-checks.ts';
import { dutiesOf } from '../lifecycle/reassign.ts';
import { deactivate, reactivate } from '../lifecycle/lifecycle.ts';
import { isWithinCover, requireOther } from '../../../people/policy.ts';
import { findEmployee } from '../../../people/queries.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

/** Sorts reports before their managers, so that managers have no reports left. */
function lowestFirst(people: readonly EmployeeRecord[]): EmployeeRecord[] {
  const byId = new Map(people.map((person) => [person.id, person]));
  const levels = new Map<number, number>();
  const levelOf = (person: EmployeeRecord): number => {
    const known = levels.get(person.id);
    if (known !== undefined) return known;
    const manager = byId.get(person.reporting_manager_id ?? 0);
    const level = manager ? levelOf(manager) + 1 : 0;
    levels.set(person.id, level);
    return level;
  };
  return people.toSorted((a, b) => levelOf(b) - levelOf(a) || a.id - b.id);
}

async function changeOne(ctx: PeopleCtx, person: EmployeeRecord, { kind, reason, reassign_to }: BulkBody) {
  requireOther(ctx.actor, person);
  if (!isWithinCover(kind === 'reactivate' ? 'reactivate' : 'deactivate', person)) throw forbidden();
  const because = { reason: reason as string };
  if (kind === 'reactivate') return reactivate(ctx, person, because);
  // this batch may have deactivated the person's reports meanwhile
  const now = dutiesOf(person) ? await findEmployee(ctx, person.id, 'employees.deactivate') : person;
  return deactivate(ctx, now, { ...because, reassign_to });
}

/** Deactivates or reactivates people one by one like the single actions; a refusal rolls back only its person. */
export async function changeLifecycles(ctx: PeopleCtx, people: readonly EmployeeRecord[], body: BulkBody) {
  const outcomes: Outcomes = new Map();
  const accounts = people.map(accountKey);
  await lockAccounts(ctx.db, accounts);
  const covers = await coverOf(ctx.db, ctx.actor, accounts);
  if (body.kind === 'reactivate') await lockNames(ctx.db, shownBy(people));
  const checked = people.map((person) => ({ ...person, cover: covers.get(accountKey(person)) ?? noCover }));
  for (const person of lowestFirst(checked)) {
    await sql`savepoint person`.execute(ctx.db);
    const outcome = await changeOne(ctx, person, body).then((): Outcome => ({ changes: true }), refusalOf);
    if ('errors' in outcome) await sql`rollback to savepoint person`.execute(ctx.db);
    await sql`release savepoint person`.execute(ctx.db);
    outcomes.set(person.id, outcome);
  }
  return outcomes;
}
