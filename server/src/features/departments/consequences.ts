import { text } from '@tenure/contract';
import type { Ref } from '@tenure/contract';
import { sql } from 'kysely';
import { reachOf } from '../../access/actor.ts';
import { byName, visibleDepartments, visiblePeople } from '../../access/scope.ts';
import { consequencesOf, dependent } from '../../consequences.ts';
import type { Consequences } from '../../consequences.ts';
import type { ReadCtx } from '../../http/context.ts';
import { notFound } from '../../http/errors.ts';
import { covers, departmentsFor } from './policy.ts';
import { blockersOf } from './queries.ts';
import type { DepartmentRecord } from './queries.ts';
import { allColumns } from '../../db/all-columns.ts';

/** Finds the department of a path for a change or delete. Throws 404 if the caller can do neither. */
export async function findChangeable({ db, actor }: ReadCtx, id: number): Promise<DepartmentRecord> {
  const { rows } = await sql<DepartmentRecord>`
    select ${allColumns('departments', 'd')} from departments d where d.id = ${id}
      and (${departmentsFor(actor, 'departments.update')} or ${departmentsFor(actor, 'departments.delete')})`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw notFound();
  return row;
}

type Others = {
  active_people: number;
  joining_people: number;
  scheduled: number;
  imports: number;
  members: Ref[];
  children: Ref[];
};

async function othersOf({ db, actor }: ReadCtx, id: number): Promise<Others> {
  const { rows } = await sql<Others>`
    select (select count(*) from employees where department_id = ${id} and activity_status = 'active'
              and deleted_at is null) as active_people,
           (select count(*) from employees where department_id = ${id} and activity_status = 'joining'
              and deleted_at is null) as joining_people,
           (select count(*) from job_history where department_id = ${id} and status = 'scheduled') as scheduled,
           (select count(*) from imports where status in ('processing', 'needs_mapping', 'preview')
              and defaults ->> 'department_id' = ${String(id)}) as imports,
           array(select json_build_object('id', e.id, 'name', e.name) from employees e
                 where e.department_id = ${id} and e.activity_status = 'active' and e.deleted_at is null
                   and ${visiblePeople(actor)} order by ${byName('e')} limit 5) as members,
           array(select json_build_object('id', d.id, 'name', d.name) from departments d
                 where d.parent_id = ${id} and ${visibleDepartments(actor)}
                 order by d.name_sort, d.id limit 5) as children`.execute(db);
  return rows[0] as Others;
}

/** The records that depend on a department. */
export async function departmentConsequences(ctx: ReadCtx, department: DepartmentRecord): Promise<Consequences> {
  const { actor } = ctx;
  const blockers = await blockersOf(ctx, department.id);
  const others = await othersOf(ctx, department.id);
  const may = (permission: 'departments.update' | 'departments.delete') =>
    covers(actor, reachOf(actor, permission), department) ? null : text('general.unauthorized');
  return consequencesOf(
    [
      dependent('people', blockers.people, ['delete']),
      dependent('active_people', others.active_people, ['deactivate'], others.members),
      dependent('joining_people', others.joining_people, ['deactivate']),
      dependent('departments', blockers.children, ['delete'], others.children),
      dependent('job_history', blockers.history, ['delete']),
      dependent('kpi_cycles', blockers.cycles, ['delete']),
      dependent('kpi_evaluations', blockers.evaluations, ['delete']),
      dependent('probation_reviews', blockers.reviews, ['delete']),
      dependent('limited_roles', blockers.roles, ['delete']),
      dependent('scheduled_changes', others.scheduled),
      dependent('pending_imports', others.imports),
    ],
    {
      delete: may('departments.delete'),
      deactivate:
        department.status === 'inactive' ? text('departments.department_inactive_already') : may('departments.update'),
    },
  );
}
