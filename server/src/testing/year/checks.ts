import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { brokenInvariants, brokenRules } from '../../invariants/invariants.ts';
import { expectedEnd } from './probation-days.ts';
import { wrongScores } from './scores.ts';
import { dayOf, rowsOf, succeed } from './world.ts';
import type { World } from './world.ts';

/** What must be true after each day; each rule finds violations. */

/** Whether a person's account can act with a permission in a company. */
const acts = (person: string, permission: string, entity: string) => sql`exists (
  select from employees p join users u on u.id = p.user_id and u.is_enabled
  join role_assignments a on a.user_id = u.id join role_permissions g on g.role_id = a.role_id
  where p.id = ${sql.raw(person)} and p.activity_status = 'active' and g.permission = ${permission}
    and coalesce(${sql.raw(entity)} = any(a.entity_ids), true))`;
/** Whether a company has an HR user with a permission, other than one person. */
const hr = (permission: string, entity: string, except: string) => sql`exists (
  select from role_assignments a join role_permissions g on g.role_id = a.role_id and g.permission = ${permission}
  join roles r on r.id = a.role_id and r.scope = 'all' join users u on u.id = a.user_id and u.is_enabled
  left join employees p on p.user_id = u.id
  where coalesce(${sql.raw(entity)} = any(a.entity_ids), true) and p.id is distinct from ${sql.raw(except)}
    and coalesce(p.activity_status = 'active', true))`;

const rules = {
  'an evaluation has no one who can act': sql`
    select v.id, v.status from kpi_evaluations v where not case
      when v.status in ('self_assessment', 'pending_acceptance') then
        ${acts('v.employee_id', 'kpi-evaluation.view', 'v.entity_id')}
        or ${hr('kpi-evaluation.hr-review', 'v.entity_id', 'v.employee_id')}
      when v.status = 'manager_review' and v.reviewer_missing_since is null then
        ${acts('v.reviewer_id', 'kpi-evaluation.review', 'v.entity_id')}
      when v.status = 'manager_review' then ${hr('kpi-evaluation.assign-reviewer', 'v.entity_id', 'v.employee_id')}
      when v.status in ('hr_review', 'accepted', 'disputed') then
        ${hr('kpi-evaluation.hr-review', 'v.entity_id', 'v.employee_id')}
      else true end`,
  'a probation review has no one who can act': sql`
    select v.id, v.status from probation_reviews v where not case
      when v.status in ('pending', 'sent_back') and v.reviewer_missing_since is null then
        ${acts('v.reviewer_id', 'probation-review.submit', 'v.entity_id')}
      when v.status in ('pending', 'sent_back') then ${hr('probation-review.create', 'v.entity_id', 'v.employee_id')}
      when v.status = 'submitted' then ${hr('probation-review.approve', 'v.entity_id', 'v.employee_id')}
      else true end`,
  'a reviewer is below the person': sql`
    select v.id, v.employee_id, v.reviewer_id from kpi_evaluations v
    where v.status in ('self_assessment', 'manager_review') and v.reviewer_missing_since is null
      and v.employee_id in (select superiors_of(v.reviewer_id))
    union all
    select v.id, v.employee_id, v.reviewer_id from probation_reviews v
    where v.status in ('pending', 'sent_back') and v.reviewer_missing_since is null
      and v.employee_id in (select superiors_of(v.reviewer_id))`,
  'an excluded person has an evaluation that began later': sql`
    select l.employee_id, v.id from kpi_cycle_left_out l
    join kpi_evaluations v on v.cycle_id = l.cycle_id and v.employee_id = l.employee_id
    where v.status <> 'cancelled' and v.created_at > l.decided_at`,
  'a newly eligible person was not found by the job of the day before': sql`
    select c.id, e.id as employee_id from kpi_cycles c
    join kpi_cycle_departments r on r.cycle_id = c.id and r.is_published
    join employees e on e.department_id = r.department_id and e.deleted_at is null
    where c.status = 'published' and e.activity_status = 'active' and e.employment_lifecycle = 'confirmed'
      and e.joining_date <= c.end_date and e.updated_at < now() - interval '2 days'
      and r.published_at < now() - interval '2 days'
      and not exists (select from kpi_evaluations v where v.cycle_id = c.id and v.employee_id = e.id)
      and not exists (select from kpi_cycle_left_out l where l.cycle_id = c.id and l.employee_id = e.id)
      and not exists (select from kpi_newly_eligible x where x.cycle_id = c.id and x.employee_id = e.id)`,
  'a person who left has open work': sql`
    select e.id, v.id as evaluation from employees e join kpi_evaluations v on v.employee_id = e.id
    where e.employment_lifecycle = 'terminated' and e.activity_status = 'inactive'
      and v.status in ('self_assessment', 'manager_review')`,
  'a person works beyond the last day, or not before it': sql`
    select e.id, e.last_working_date, e.activity_status from employees e join entities n on n.id = e.entity_id
    where e.employment_lifecycle in ('resigned', 'terminated')
      and (e.activity_status = 'active')
          <> (e.last_working_date >= (now() at time zone n.timezone)::date)`,
};

/** Probation ends that differ from those computed here. */
async function wrongEnds(world: World): Promise<string[]> {
  const stored = await rowsOf<{ id: number; end: string | null }>(
    world,
    `select id::int, probation_end_date::text as end from employees where employment_lifecycle = 'probationary'`,
  );
  return stored.flatMap(({ id, end }) => {
    const probation = world.probations.get(id);
    if (!probation) return [`${id} is on probation unexpectedly`];
    const expected = expectedEnd(probation);
    return expected === end
      ? []
      : [`the probation of ${id} ends on ${end}, not on ${expected}: ${JSON.stringify(probation)}`];
  });
}

/** A task, together with what its evaluation is waiting for. */
async function evaluationOf(world: World, task: string): Promise<string> {
  const rows = await rowsOf(
    world,
    `select v.status, v.due_on, v.stage_open_until, v.extension_status, v.extension_step, v.extension_requests,
            (select max(a.last_day) from absences a where a.employee_id = v.employee_id) as back_after
     from kpi_evaluations v where $1 like 'kpi_%:' || v.id`,
    task,
  );
  return `${task} ${JSON.stringify(rows[0])}`;
}

/** Tasks that cannot be done, and counts that differ from the list. */
async function wrongTasks(world: World): Promise<string[]> {
  const accounts = await rowsOf<{ user_id: number }>(
    world,
    `select e.user_id::int from employees e join users u on u.id = e.user_id and u.is_enabled
     where e.activity_status = 'active' order by 1`,
  );
  const found: string[] = [];
  for (const { user_id } of accounts) {
    const { data, meta } = await succeed(world, 'get', { as: user_id, url: '/actionable-items?per_page=100' });
    const { data: counts } = await succeed(world, 'get', { as: user_id, url: '/actionable-items/counts' });
    if (counts.total !== meta.total) found.push(`${user_id} has ${meta.total} tasks and counts ${counts.total}`);
    for (const task of data as { id: string; allowed_actions: string[] }[])
      if (task.allowed_actions.length === 0)
        found.push(`${user_id} can do nothing of ${await evaluationOf(world, task.id)}`);
  }
  return found;
}

/** Lists whose total differs from their rows, or from the figures about them. */
async function wrongTotals(world: World): Promise<string[]> {
  const found: string[] = [];
  const lists = ['/employees', '/kpi-evaluations', '/probation-reviews', '/departments'];
  for (const user of [world.admin, ...world.companies.map(({ hr: [first] }) => first!)]) {
    for (const list of lists) {
      let rows = 0;
      let total = 0;
      for (let page = 1; page === 1 || (page - 1) * 100 < total; page += 1) {
        const { data, meta } = await succeed(world, 'get', { as: user, url: `${list}?per_page=100&page=${page}` });
        rows += data.length;
        ({ total } = meta);
      }
      if (rows !== total) found.push(`${list} of ${user} has ${rows} rows and says ${total}`);
    }
    const { data } = await succeed(world, 'get', { as: user, url: '/dashboard' });
    const { meta } = await succeed(world, 'get', { as: user, url: '/employees?activity_status=active&per_page=1' });
    const active = data.headcount?.active ?? data.people?.active;
    if (active !== undefined && active !== meta.total)
      found.push(`the dashboard of ${user} has ${active} active people, the list ${meta.total}`);
  }
  return found;
}

/** Everything that is wrong at the end of a day; expensive checks only if `thorough`. */
export async function wrongAfter(world: World, db: Db, { thorough }: { thorough: boolean }): Promise<string[]> {
  const since = dayOf(world.day).toZonedDateTime('UTC').toInstant().toString();
  const found = [
    ...(await brokenRules(db, rules)),
    ...(await wrongEnds(world)),
    ...(await wrongScores(world, since)),
    ...(thorough ? await brokenInvariants(db) : await brokenRules(db)),
  ];
  return thorough ? [...found, ...(await wrongTasks(world)), ...(await wrongTotals(world))] : found;
}
