import type { jobFields } from '@tenure/contract';
import { messages } from '@tenure/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { say } from '../../http/errors.ts';
import type { FieldErrors } from '../../http/errors.ts';
import { lockReportingLines } from '../../people/rule-context.ts';

/** The job of a person as stored in the history. */
export type Job = {
  entity_id: number;
  department_id: number;
  reporting_manager_id: number | null;
  job_title: string | null;
  grade: string | null;
  employment_type: string;
};

export type JobField = (typeof jobFields)[number];

type JobChecks = { entity_fits: boolean; department_fits: boolean; manager_fits: boolean; is_cycle: boolean };

/** The records a job of `person` would refer to. */
async function loadChecks(db: Db, personId: number, job: Job): Promise<JobChecks> {
  const { rows } = await sql<JobChecks>`
    with recursive above as (
      select id, reporting_manager_id from employees where id = ${job.reporting_manager_id}
      union
      select e.id, e.reporting_manager_id from employees e join above on e.id = above.reporting_manager_id
    )
    select exists (select from entities where id = ${job.entity_id} and status = 'active') as entity_fits,
           exists (select from departments where id = ${job.department_id} and entity_id = ${job.entity_id}
                   and status = 'active') as department_fits,
           exists (select from employees where id = ${job.reporting_manager_id} and activity_status <> 'inactive'
                   and deleted_at is null) as manager_fits,
           exists (select from above where id = ${personId}) as is_cycle`.execute(db);
  return rows[0] as JobChecks;
}

/**
 * The reasons why a person cannot have this job today, by field; empty if there are none. Checks only the fields in
 * `changed`, and the department also if the company changes.
 */
export async function jobProblems(
  db: Db,
  personId: number,
  job: Job,
  changed: readonly string[],
): Promise<FieldErrors> {
  const changes = (field: JobField) => changed.includes(field);
  if (!changes('entity_id') && !changes('department_id') && !changes('reporting_manager_id')) return {};
  if (changes('reporting_manager_id')) {
    // locked against a concurrent departure of the manager
    await sql`select from employees where id = ${job.reporting_manager_id} for share`.execute(db);
    await lockReportingLines(db);
  }
  const checks = await loadChecks(db, personId, job);
  const errors: FieldErrors = {};
  const refuse = (field: JobField) => (errors[field] = [say(field, messages.unavailable)]);
  if (changes('entity_id') && !checks.entity_fits) refuse('entity_id');
  else if ((changes('department_id') || changes('entity_id')) && !checks.department_fits) refuse('department_id');
  if (changes('reporting_manager_id') && job.reporting_manager_id !== null && (!checks.manager_fits || checks.is_cycle))
    refuse('reporting_manager_id');
  return errors;
}
