import { text } from '@tenure/contract';
import type { Ref, Text } from '@tenure/contract';
import { sql } from 'kysely';
import type { Actor } from '../../../access/actor.ts';
import { byName, knownReviews, visibleDepartments, visiblePeople } from '../../../access/scope.ts';
import { consequencesOf, dependent } from '../../../consequences.ts';
import type { Consequences } from '../../../consequences.ts';
import type { ReadCtx } from '../../../http/context.ts';
import { forbidden, HttpError } from '../../../http/errors.ts';
import { lastAdmin } from '../../../people/lifecycle-admin.ts';
import { isSelf, isWithinCover, requireOther } from '../../../people/policy.ts';
import type { EmployeeRecord } from '../../../people/record.ts';

type Others = {
  files: number;
  evaluations: number;
  reviews: number;
  inactive_reports: number;
  scheduled: number;
  imports: number;
  is_last_admin: boolean;
  managed: Ref[];
  led: Ref[];
  reports: Ref[];
};

const departmentNames = (actor: Actor, column: 'manager_id' | 'team_lead_id', id: number) => sql`
  array(select json_build_object('id', d.id, 'name', d.name) from departments d
        where ${sql.ref(`d.${column}`)} = ${id} and ${visibleDepartments(actor)} order by d.name_sort, d.id limit 5)`;

async function othersOf({ db, actor }: ReadCtx, person: EmployeeRecord): Promise<Others> {
  const { id, user_id, is_admin } = person;
  const { rows } = await sql<Others>`
    select (select count(*) from attachments where employee_id = ${id}
              -- people do not learn how many files colleagues keep about them
              and (${!isSelf(actor, person)} or visibility in ('employee', 'manager_employee'))) as files,
           (select count(*) from kpi_evaluations where employee_id = ${id} or reviewer_id = ${id}) as evaluations,
           (select count(*) from probation_reviews v where (v.employee_id = ${id} or v.reviewer_id = ${id})
              and ${knownReviews(actor)}) as reviews,
           (select count(*) from employees where reporting_manager_id = ${id} and deleted_at is null
              and activity_status = 'inactive') as inactive_reports,
           (select count(*) from job_history where status = 'scheduled'
              and (employee_id = ${id} or reporting_manager_id = ${id})) as scheduled,
           (select count(*) from imports where status in ('processing', 'needs_mapping', 'preview')
              and created_by = ${user_id}) as imports,
           ${is_admin} and not exists (
             select from users u left join employees e on e.user_id = u.id
             where u.is_admin and u.is_enabled and u.id <> ${user_id}
               and (e.id is null or may_sign_in(e.activity_status, e.early_access, e.deleted_at))) as is_last_admin,
           ${departmentNames(actor, 'manager_id', id)} as managed, ${departmentNames(actor, 'team_lead_id', id)} as led,
           array(select json_build_object('id', e.id, 'name', e.name) from employees e
                 where e.reporting_manager_id = ${id} and e.activity_status <> 'inactive' and e.deleted_at is null
                   and ${visiblePeople(actor)} order by ${byName('e')} limit 5) as reports`.execute(db);
  return rows[0] as Others;
}

/** The reason why this caller, or any caller, cannot take the action. */
function refusalOf(actor: Actor, person: EmployeeRecord, others: Others): Text | null {
  try {
    requireOther(actor, person);
    if (!isWithinCover('deactivate', person)) throw forbidden();
  } catch (error) {
    if (error instanceof HttpError) return error.body.message;
    throw error;
  }
  return others.is_last_admin ? lastAdmin : null;
}

/** Everything that depends on a person: responsibilities to reassign, and reasons against deletion as a mistake. */
export async function employeeConsequences(ctx: ReadCtx, person: EmployeeRecord): Promise<Consequences> {
  const others = await othersOf(ctx, person);
  const duties = person.responsibilities;
  const both = ['delete', 'deactivate'] as const;
  const refusal = refusalOf(ctx.actor, person, others);
  const isInactive = person.activity_status === 'inactive';
  return consequencesOf(
    [
      dependent('departments_managed', duties.departments_managed, [...both], others.managed),
      dependent('departments_led', duties.departments_led, [...both], others.led),
      dependent('direct_reports', duties.direct_reports, [...both], others.reports),
      dependent('inactive_reports', others.inactive_reports, ['delete']),
      dependent('open_evaluations', duties.open_evaluations, ['deactivate']),
      dependent('kpi_evaluations', others.evaluations, ['delete']),
      dependent('open_probation_reviews', duties.open_probation_reviews, ['deactivate']),
      dependent('probation_reviews', others.reviews, ['delete']),
      dependent('cycles_owned', duties.cycles_owned, [...both]),
      dependent('attachments', others.files, ['delete']),
      dependent('scheduled_changes', others.scheduled),
      dependent('pending_imports', others.imports),
    ],
    { delete: refusal, deactivate: refusal ?? (isInactive ? text('employees.inactive_already') : null) },
  );
}
