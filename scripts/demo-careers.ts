import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { DB } from '../server/src/db/schema.ts';
import type { DemoDepartment } from './demo-company.ts';

/** The jobs and levels of the people in the demo, and how they came to them. */

type Role = { job_title: string; grade: string; employment_type: 'full_time' | 'part_time' | 'contract' | 'intern' };
/** What decides a role: the rank in the department, the days since joining, and two throws of a die. */
type Place = { department: DemoDepartment; n: number; rank: number; daysServed: number; luck: number; type: number };

const officers = [
  'Chief Executive Officer',
  'Chief Financial Officer',
  'Chief Operating Officer',
  'Chief People Officer',
];
const year = 365;

/** About three in a hundred are interns: new people without reports. */
const isIntern = ({ n, rank, daysServed }: Place) => rank > 2 && daysServed < year / 2 && n % 2 === 1;

function levelOf({ daysServed, luck }: Place): 'Junior ' | '' | 'Senior ' {
  if (daysServed < 1.5 * year) return luck === 0 ? '' : 'Junior ';
  return daysServed > 5 * year && luck > 0 ? 'Senior ' : '';
}

const grades = { 'Junior ': 'T2', '': 'T3', 'Senior ': 'T4' } as const;

/** A matching title, grade and type of employment for a person. */
export function roleOf(place: Place): Role {
  const { department, rank, type } = place;
  const employment_type = 'full_time';
  if (department.name === 'Executive')
    return rank < officers.length
      ? { job_title: officers[rank] ?? '', grade: 'X1', employment_type }
      : { job_title: 'Executive Assistant', grade: 'T4', employment_type };
  if (rank === 0) return { job_title: `Head of ${department.name}`, grade: 'M2', employment_type };
  if (rank === 1 && department.people > 8) return { job_title: 'Team Lead', grade: 'M1', employment_type };
  if (isIntern(place)) return { job_title: 'Intern', grade: 'T1', employment_type: 'intern' };
  const level = levelOf(place);
  return {
    job_title: `${level}${department.title}`,
    grade: grades[level],
    employment_type: type === 0 ? 'part_time' : type === 1 && level !== 'Junior ' ? 'contract' : employment_type,
  };
}

/**
 * Gives each person a job history that begins with the joining date. People above the lowest level were promoted to it:
 * most once, long-standing heads and leads twice. Over 40 lines: one statement.
 */
export async function insertCareers(db: Transaction<DB>): Promise<void> {
  await sql`
    with people as (
      select e.*, d.name as department_name,
             -- what a head was before: the title of the people of the department
             (select mode() within group (order by regexp_replace(c.job_title, '^(Junior|Senior) ', ''))
              from employees c where c.department_id = e.department_id and c.grade in ('T2', 'T3', 'T4')) as craft,
             (current_date - e.joining_date) as served
      from employees e join departments d on d.id = e.department_id
    ), steps as (
      select p.id, s.nth, s.title, s.grade, s.share
      from people p
      cross join lateral (values
        (1, 'Junior ' || p.craft, 'T2', 0.0, p.grade in ('T3', 'T4') and p.served > 900),
        (2, p.craft, 'T3', 0.0, p.grade in ('M1', 'M2') and p.served > 700),
        (3, p.craft, 'T3', 0.35, p.grade = 'T4' and p.served > 1500 and p.craft is not null),
        (4, 'Senior ' || p.craft, 'T4', 0.3, p.grade = 'M2' and p.served > 1800)
      ) as s (nth, title, grade, share, happened)
      where s.happened and s.title is not null and p.employment_lifecycle = 'confirmed'
      union all
      select p.id, 9, p.job_title, p.grade,
             case when p.employment_lifecycle = 'confirmed' and p.craft is not null
                       and (p.grade in ('T3', 'T4') and p.served > 900 or p.grade in ('M1', 'M2') and p.served > 700)
                  then 0.6 else 0.0 end
      from people p
    ), dated as (
      select t.*, p.joining_date + floor(p.served * t.share)::int as since
      from steps t join people p on p.id = t.id
    ), rows as (
      select d.*, lead(since) over (partition by id order by nth) as next, row_number() over (partition by id order by nth) as place
      from dated d
    )
    insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
                             reporting_manager_id, job_title, grade, employment_type, employment_lifecycle, reason,
                             created_by_name)
    select e.id, r.since, case when r.next is not null then greatest(r.since, r.next - 1) end,
           case when r.next is null then 'current' else 'past' end,
           case when r.place = 1 then '{}'::text[] else '{job_title,grade}'::text[] end,
           e.entity_id, e.department_id, e.reporting_manager_id, r.title, r.grade, e.employment_type,
           e.employment_lifecycle, case when r.place > 1 then 'Promotion' end, 'System'
    from rows r join employees e on e.id = r.id`.execute(db);
}
