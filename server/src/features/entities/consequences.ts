import { text } from '@tenure/contract';

import { sql } from 'kysely';
import { holds, reachOf } from '../../access/actor.ts';
import { entitiesIn } from '../../access/scope.ts';
import { consequencesOf, dependent } from '../../consequences.ts';
import type { Consequences } from '../../consequences.ts';
import type { Db } from '../../db/connect.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { blockersOf } from './queries.ts';
import { storedRules } from '../../sso/role-rules.ts';

/** Finds the company of a path that the caller can change or delete. Throws 404 otherwise. */
export async function findChangeable({ db, actor }: ReadCtx, id: number): Promise<{ id: number; status: string }> {
  const { rows } = await sql<{ id: number; status: string }>`
    select e.id, e.status from entities e where e.id = ${id}
      and (${entitiesIn(reachOf(actor, 'entities.update'), 'e.id')}
           or ${entitiesIn(reachOf(actor, 'entities.delete'), 'e.id')})`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type Others = { active_people: number; joining_people: number; scheduled: number; imports: number; roles: number };

async function othersOf(db: Db, id: number): Promise<Others> {
  const { rows } = await sql<Others>`
    select (select coalesce(sum(people), 0)::bigint from employee_counts
            where level = 'entity' and key_id = ${id} and activity_status = 'active') as active_people,
           (select coalesce(sum(people), 0)::bigint from employee_counts
            where level = 'entity' and key_id = ${id} and activity_status = 'joining') as joining_people,
           (select count(*) from job_history where entity_id = ${id} and status = 'scheduled') as scheduled,
           (select count(*) from imports where status in ('processing', 'needs_mapping', 'preview')
              and defaults ->> 'entity_id' = ${String(id)}) as imports,
           (select count(*) from role_assignments where ${id} = any(entity_ids))
             + (select count(*) from (${storedRules}) as r where ${id} = any(entity_ids)) as roles`.execute(db);
  return rows[0] as Others;
}

/** The records that depend on a company. */
export async function entityConsequences(
  { db, actor }: ReadCtx,
  { id, status }: { id: number; status: string },
): Promise<Consequences> {
  const blockers = await blockersOf({ db, actor }, id);
  const others = await othersOf(db, id);
  const mayDelete = holds(actor, 'entities.delete') && reachOf(actor, 'entities.delete').everything;
  return consequencesOf(
    [
      dependent('departments', blockers.departments, ['delete']),
      dependent('people', blockers.people, ['delete']),
      dependent('job_history', blockers.history, ['delete']),
      dependent('kpi_templates', blockers.templates, ['delete']),
      dependent('kpi_cycles', blockers.cycles, ['delete']),
      dependent('kpi_evaluations', blockers.evaluations, ['delete']),
      dependent('probation_reviews', blockers.reviews, ['delete']),
      dependent('active_people', others.active_people),
      dependent('joining_people', others.joining_people),
      dependent('scheduled_changes', others.scheduled),
      dependent('pending_imports', others.imports),
      dependent('limited_roles', others.roles),
    ],
    {
      delete: mayDelete ? null : text('general.unauthorized'),
      deactivate: status === 'inactive' ? text('departments.company_inactive_already') : null,
    },
  );
}
