import { dayFromNow } from './make-kpi.ts';
import type { Random } from './year/random.ts';

type Id = { id: number };
/** Two departments of a company, one of another company, and a cycle. */
export type Places = { hall: Id; yard: Id; away: Id; cycle: Id };

/** A statement that changes what stored figures count; `head` may be `null`. */
export type Change = (random: Random, ids: { lead: number; person: number; head: string }) => string;

/** Leaving, being away and coming back. */
export const lives: readonly Change[] = [
  (random, { lead }) =>
    `update employees set activity_status = '${random.pick(['active', 'inactive'])}' where id = ${lead}`,
  (random, { lead }) =>
    `update employees set employment_lifecycle = '${random.pick(['confirmed', 'resigned', 'resigned'])}' where id = ${lead}`,
  (random, { lead }) =>
    `update employees set deleted_at = ${random.pick(['null', 'null', 'now()'])} where id = ${lead}`,
];
/** Statements that assign and remove responsibilities, by kind. */
export const dutiesOf = ({ hall, yard, cycle }: Places): Change[][] => [
  [
    (_random, { head, person }) => `update employees set reporting_manager_id = ${head} where id = ${person}`,
    (random, { person }) =>
      `update employees set activity_status = '${random.pick(['active', 'inactive'])}' where id = ${person}`,
    (random, { person }) => `update employees set deleted_at = ${random.pick(['null', 'now()'])} where id = ${person}`,
  ],
  [
    (random, { head }) =>
      `update departments set manager_id = ${head}, team_lead_id = null where id = ${random.pick([hall, yard]).id}`,
    (_random, { head }) => `update departments set team_lead_id = ${head}, manager_id = null where id = ${yard.id}`,
  ],
  [
    (_random, { head }) => `update kpi_cycles set owner_id = ${head} where id = ${cycle.id}`,
    (random) => `update kpi_cycles set status = '${random.pick(['published', 'closed'])}' where id = ${cycle.id}`,
  ],
  [
    (_random, { head, person }) => `update kpi_evaluations set reviewer_id = ${head} where employee_id = ${person}`,
    (random, { person }) =>
      `update kpi_evaluations set status = '${random.pick(['manager_review', 'cancelled'])}' where employee_id = ${person}`,
  ],
  [
    (_random, { head, person }) => `update probation_reviews set reviewer_id = ${head} where employee_id = ${person}`,
    (random, { person }) =>
      `update probation_reviews set status = '${random.pick(['pending', 'cancelled'])}' where employee_id = ${person}`,
  ],
];
/** Statements that begin, end and check a probation. */
export const probationsOf = ({ hall, away }: Places): Change[] => [
  (random, { person }) => `
    update employees set employment_type = '${random.pick(['full_time', 'intern'])}',
      joining_date = ${random.pick(['null', `'2024-02-29'`, `'2024-03-01'`])} where id = ${person}`,
  (random, { person }) =>
    `update employees set employment_lifecycle = '${random.pick(['probationary', 'confirmed'])}' where id = ${person}`,
  (random, { person }) =>
    `update employees set activity_status = '${random.pick(['active', 'inactive'])}' where id = ${person}`,
  (random, { person }) => `
    update employees set probation_end_date = ${random.pick(['null', `'${dayFromNow(30)}'`, `'${dayFromNow(60)}'`])}
    where id = ${person}`,
  (random, { person }) => `
    update employees set (entity_id, department_id) = (
      select entity_id, id from departments where id = ${random.pick([hall, away]).id}) where id = ${person}`,
  (random, { person }) => `
    update probation_reviews set status = '${random.pick(['pending', 'submitted', 'cancelled', 'reverted'])}'
    where employee_id = ${person}`,
  (random, { person }) => `
    update probation_reviews set status = 'approved', outcome = 'confirm', effective_date = current_date,
      decided_at = now(), probation_end_date = '${dayFromNow(random.pick([30, 60]))}' where employee_id = ${person}`,
  (_random, { person }) => `
    delete from probation_signatures where review_id in (select id from probation_reviews where employee_id = ${person});
    delete from probation_reviews where employee_id = ${person}`,
  (_random, { head, person }) => `
    insert into probation_reviews (employee_id, entity_id, department_id, probation_end_date, due_date, reviewer_id,
      person_sort)
    select id, entity_id, department_id, '${dayFromNow(30)}', '${dayFromNow(20)}', ${head}, fold(name)
    from employees where id = ${person}`,
];

const evaluationStates = ['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted'];

/** Statements that move evaluations and people from one count to another. */
export const movesOf = ({ hall, yard, away }: Places): Change[] => [
  (random, { person }) => `
    update kpi_evaluations set status = '${random.pick(evaluationStates)}', stage_open_until = ${random.pick(['null', `'${dayFromNow(9)}'`])}
    where employee_id = ${person}`,
  (random, { person }) => `
    update kpi_evaluations set status = 'completed', overall_percentage = ${random.between(20, 100)},
      performance_flag = '${random.pick(['pip', 'standard', 'hipo'])}' where employee_id = ${person}`,
  (random, { person }) => `
    update kpi_evaluations set (entity_id, department_id) = (
      select entity_id, id from departments where id = ${random.pick([hall, yard, away]).id}) where employee_id = ${person}`,
  (random) => `
    insert into employees (employee_number, first_name, last_name, employment_lifecycle, joining_date, entity_id, department_id)
    select 'F-${random.between(1, 1_000_000_000)}', 'New', 'Person', '${random.pick(['probationary', 'confirmed'])}', '2024-02-29', entity_id, id
    from departments where id = ${random.pick([hall, yard, away]).id}`,
  () => `
    delete from employees where id = (
      select min(e.id) from employees e where e.employee_number like 'F-%'
        and not exists (select from job_history h where h.employee_id = e.id)
        and not exists (select from kpi_evaluations v where v.employee_id = e.id))`,
  () => `
    insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, template_id, template_name,
      template_version, scale_min, scale_max, score_step, person_sort)
    select v.cycle_id, e.id, e.entity_id, e.department_id, v.template_id, v.template_name, v.template_version,
      v.scale_min, v.scale_max, v.score_step, fold(e.name)
    from employees e, lateral (select * from kpi_evaluations order by id limit 1) as v
    where e.id = (
      select max(n.id) from employees n where n.employee_number like 'F-%'
        and not exists (select from kpi_evaluations o where o.employee_id = n.id))`,
  (random, { person }) => `
    update employees set employment_type = '${random.pick(['full_time', 'part_time', 'intern'])}',
      employment_lifecycle = '${random.pick(['confirmed', 'probationary', 'resigned'])}' where id = ${person}`,
];
