import type { BulkState, employeeBulk, ReplyIn } from '@tenure/contract';
import { sql } from 'kysely';
import type { WriteCtx } from '../../../http/context.ts';
import { bulkPermissions, checkBody, selectedIds } from './input.ts';
import type { BulkBody } from './input.ts';
import { changeJobsFrom, changeJobsToday, headWarnings, targetOf } from './job-changes.ts';
import { changeLifecycles } from './lifecycle.ts';
import { attempt, rowOf, withWarnings } from './rows.ts';
import type { Outcomes, Row } from './rows.ts';
import type { PeopleCtx } from '../../../people/dependents.ts';
import { findEmployees } from '../../../people/queries.ts';
import { activityOn } from '../../../people/rules.ts';
import { checkRevision } from '../../../workflow/transition.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

type Answer = ReplyIn<typeof employeeBulk.change>['data'];
type Result = { outcomes: Outcomes; after: (person: EmployeeRecord) => BulkState; planned?: readonly number[] };

/** Refuses people who changed since the caller read them. */
function refuseStale(people: readonly EmployeeRecord[], { revisions }: BulkBody): Outcomes {
  const seen = new Map(revisions?.map(({ id, revision }) => [id, revision]));
  const refused: Outcomes = new Map();
  for (const person of people)
    attempt(refused, person, () => {
      checkRevision(person, { revision: seen.get(person.id) }, person.activity_status);
      return { changes: false };
    });
  return new Map([...refused].filter(([, outcome]) => 'errors' in outcome));
}

async function change(ctx: PeopleCtx, people: readonly EmployeeRecord[], body: BulkBody): Promise<Result> {
  const { kind, effective_from } = body;
  if (kind === 'deactivate' || kind === 'reactivate') {
    const outcomes = await changeLifecycles(ctx, people, body);
    const after = ({ joining_date, today }: EmployeeRecord) => activityOn(joining_date, today);
    return { outcomes, after: (one) => ({ activity_status: kind === 'deactivate' ? 'inactive' : after(one) }) };
  }
  const target = await targetOf(ctx, body);
  const warnings = await headWarnings(ctx, people, target);
  if (!effective_from) {
    const outcomes = await changeJobsToday(ctx, people, target, body);
    return { outcomes: withWarnings(outcomes, warnings), after: () => target.state };
  }
  const { outcomes, planned } = await changeJobsFrom(ctx, people, target, { effective_from, reason: body.reason });
  const after = () => ({ ...target.state, effective_from });
  return { outcomes: withWarnings(outcomes, warnings), after, planned };
}

function counted(rows: readonly Row[]) {
  const of = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome).length;
  return { total: rows.length, changed: of('changed'), unchanged: of('unchanged'), refused: of('refused') };
}

async function revisionsNow({ db }: WriteCtx, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; revision: number }>`
    select id, revision from employees where id = any(${ids}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, revision }) => [id, revision]));
}

/**
 * Changes many people, each by the rules of the single change: makes the permitted changes and lists the others with
 * the reason. A dry run does the same and rolls back, so that its response equals the real one.
 */
export async function changeMany(ctx: PeopleCtx, body: BulkBody): Promise<Answer> {
  const { db, actor, request } = ctx;
  const { kind, dry_run = false } = body;
  checkBody(actor, body);
  const ids = await selectedIds(db, actor, body);
  await sql`savepoint batch`.execute(db);
  const permission = bulkPermissions[kind];
  const people = await findEmployees(ctx, ids, permission, { lock: kind === 'deactivate' ? 'with team' : true });
  const stale = refuseStale([...people.values()], body);
  const fresh = [...people.values()].filter(({ id }) => !stale.has(id)).sort((a, b) => a.id - b.id);
  const {
    outcomes,
    after,
    planned = [],
  }: Result = fresh.length > 0 ? await change(ctx, fresh, body) : { outcomes: stale, after: () => ({}) };
  if (dry_run) await sql`rollback to savepoint batch`.execute(db);
  const revisions = await revisionsNow(ctx, ids);
  const rows = ids.map((id) =>
    rowOf(id, {
      kind,
      withManager: body.reporting_manager_id !== undefined,
      person: people.get(id),
      outcome: stale.get(id) ?? outcomes.get(id),
      revision: revisions.get(id) ?? null,
      after,
    }),
  );
  const planned_ids = dry_run ? [] : [...planned];
  return { kind, dry_run, batch_id: request.id, counts: counted(rows), planned_ids, rows };
}
