import { hire } from './companies.ts';
import { beginning, expectedEnd, extended } from './probation-days.ts';
import { attempt, later, note, rowsOf, succeed, todayAt } from './world.ts';
import type { Company, Department, World } from './world.ts';

/** Changes to people during the year, each by the least privileged actor: the company's HR if possible. */

type Person = { id: number; department_id: number; lifecycle: string };
const reason = 'As it was agreed with the person.';

/** People who work in a company and hold no office in it. */
const staffOf = (world: World, company: Company, lifecycles: readonly string[]) =>
  rowsOf<Person>(
    world,
    `select e.id::int, e.department_id::int, e.employment_lifecycle as lifecycle from employees e
     where e.entity_id = $1 and e.activity_status = 'active' and e.employment_lifecycle = any($2)
       and not exists (select from departments d where d.manager_id = e.id)
       and not exists (select from role_assignments a where a.user_id = e.user_id and a.role_id = $3)
     order by e.id`,
    company.id,
    lifecycles,
    world.roles.get('HR'),
  );

async function pickStaff(world: World, company: Company, lifecycles: readonly string[]): Promise<Person | undefined> {
  const all = await staffOf(world, company, lifecycles);
  return all.length > 0 ? world.random.pick(all) : undefined;
}

const hrOf = ({ random }: World, company: Company) => random.pick(company.hr);
const headOf = async (world: World, department: number) =>
  (await rowsOf<{ id: number }>(world, 'select manager_id::int as id from departments where id = $1', department))[0]
    ?.id ?? null;

const months = async (world: World, company: Company) =>
  (
    await rowsOf<{ months: number }>(
      world,
      'select probation_months::int as months from entities where id = $1',
      company.id,
    )
  )[0]!.months;

async function join(world: World, company: Company): Promise<void> {
  const { id: department_id } = world.random.pick(company.departments);
  const joining_date = later(world, world.random.between(0, 20));
  const manager = await headOf(world, department_id);
  const has_email = world.random.chance(0.85);
  const job = { entity_id: company.id, department_id, manager, joining_date, has_email };
  const { id } = await hire(world, hrOf(world, company), job);
  world.probations.set(id, beginning(joining_date, await months(world, company)));
  note(world, `${id} joins ${department_id} on ${joining_date}`);
}

async function leave(world: World, company: Company): Promise<void> {
  const person = await pickStaff(world, company, ['probationary', 'confirmed']);
  if (!person) return;
  const type = world.random.chance(0.8) ? 'resigned' : 'terminated';
  const last = todayAt(world, company)
    .add({ days: world.random.between(3, 40) })
    .toString();
  await succeed(world, 'post', {
    as: hrOf(world, company),
    url: `/employees/${person.id}/separate`,
    body: { type, last_working_date: last, reason },
  });
  note(world, `${person.id} ${type} until ${last}`);
}

async function leaveAsHead(world: World, company: Company): Promise<void> {
  const heads = await rowsOf<{ id: number; department_id: number }>(
    world,
    `select e.id::int, e.department_id::int from employees e
     where e.entity_id = $1 and e.activity_status = 'active' and e.employment_lifecycle = 'confirmed'
       and exists (select from departments d where d.manager_id = e.id and d.parent_id is not null
                   and d.name <> 'Human Resources')
       and not exists (select from departments d where d.manager_id = e.id and d.parent_id is null) order by e.id`,
    company.id,
  );
  if (heads.length === 0) return;
  const head = world.random.pick(heads);
  const last = todayAt(world, company)
    .add({ days: world.random.between(10, 30) })
    .toString();
  const body = { type: 'resigned', last_working_date: last, reason };
  await succeed(world, 'post', { as: hrOf(world, company), url: `/employees/${head.id}/separate`, body });
  note(world, `the head ${head.id} resigns until ${last}`);
}

async function move(world: World, company: Company): Promise<void> {
  const person = await pickStaff(world, company, ['confirmed', 'probationary']);
  if (!person) return;
  const scheduled = await rowsOf<{ department_id: number }>(
    world,
    `select department_id::int from job_history where employee_id = $1 and status = 'scheduled'`,
    person.id,
  );
  const taken = new Set([person, ...scheduled].map(({ department_id }) => department_id));
  const target = world.random.pick(company.departments.filter(({ id }) => !taken.has(id)));
  const body = { department_id: target.id, reporting_manager_id: await headOf(world, target.id) };
  const planned = world.random.chance(0.4);
  const day = later(world, world.random.between(2, 30));
  await succeed(world, planned ? 'post' : 'put', {
    as: hrOf(world, company),
    url: `/employees/${person.id}${planned ? '/job-history' : ''}`,
    body: planned ? { ...body, effective_from: day } : body,
  });
  note(world, `${person.id} moves to ${target.id}${planned ? ` on ${day}` : ''}`);
}

async function moveAway(world: World, company: Company): Promise<void> {
  const person = await pickStaff(world, company, ['confirmed', 'probationary']);
  const other = world.companies.find(({ id }) => id !== company.id)!;
  if (!person) return;
  const target = world.random.pick(other.departments);
  const body = {
    entity_id: other.id,
    department_id: target.id,
    reporting_manager_id: await headOf(world, target.id),
  };
  await succeed(world, 'put', { as: world.admin, url: `/employees/${person.id}`, body });
  note(world, `${person.id} moves to company ${other.id}, department ${target.id}`);
}

async function rehire(world: World, company: Company): Promise<void> {
  const gone = await rowsOf<{ id: number }>(
    world,
    `select id::int from employees where entity_id = $1 and activity_status = 'inactive'
       and employment_lifecycle in ('resigned', 'terminated') and last_working_date < $2::date - 20 order by id`,
    company.id,
    todayAt(world, company).toString(),
  );
  if (gone.length === 0) return;
  const { id } = world.random.pick(gone);
  const target = world.random.pick(company.departments);
  const joining_date = later(world, world.random.between(1, 10));
  const body = {
    joining_date,
    entity_id: company.id,
    department_id: target.id,
    reporting_manager_id: await headOf(world, target.id),
  };
  await succeed(world, 'post', { as: hrOf(world, company), url: `/employees/${id}/rehire`, body });
  world.probations.set(id, beginning(joining_date, await months(world, company)));
  note(world, `${id} is rehired for ${joining_date}`);
}

/** A long absence begins today or later; the service refuses it for a person who is already away. */
async function beAbsent(world: World, company: Company): Promise<void> {
  const person = await pickStaff(world, company, ['confirmed']);
  if (!person) return;
  const first = todayAt(world, company).add({ days: world.random.between(-3, 20) });
  const last_day = world.random.chance(0.2) ? null : first.add({ days: world.random.between(30, 150) }).toString();
  const body = { first_day: first.toString(), last_day, absence_reason: 'Parental leave' };
  const url = `/employees/${person.id}/absences`;
  const answer = await attempt(world, 'post', { as: hrOf(world, company), url, body });
  if (answer.status === 201) note(world, `${person.id} is away from ${body.first_day} to ${last_day}`);
  else if (answer.status !== 422) throw new Error(`day ${world.day}: ${url} ${JSON.stringify(answer.body)}`);
}

/** A head is away for some weeks, and the head above reviews; the service refuses a head who is already away. */
async function leaveToDeputy(world: World, company: Company): Promise<void> {
  const heads = await rowsOf<{ id: number; deputy: number }>(
    world,
    `select e.id::int, m.id::int as deputy from employees e join employees m on m.id = e.reporting_manager_id
     where e.entity_id = $1 and e.activity_status = 'active' and e.employment_lifecycle = 'confirmed'
       and m.activity_status = 'active' and exists (select from departments d where d.manager_id = e.id) order by e.id`,
    company.id,
  );
  if (heads.length === 0) return;
  const { id, deputy: deputy_id } = world.random.pick(heads);
  const first = todayAt(world, company).add({ days: world.random.between(0, 5) });
  const last_day = first.add({ days: world.random.between(5, 40) }).toString();
  const days = { first_day: first.toString(), last_day };
  const body = { ...days, deputy_id, deputy_tasks: ['kpi_reviews', 'probation_reviews'] };
  const url = `/employees/${id}/absences`;
  const answer = await attempt(world, 'post', { as: hrOf(world, company), url, body });
  if (answer.status === 201)
    note(world, `the head ${id} is away from ${days.first_day} to ${last_day}, for ${deputy_id}`);
  else if (answer.status !== 422) throw new Error(`day ${world.day}: ${url} ${JSON.stringify(answer.body)}`);
}

/** A person returns earlier than planned, or from an open-ended absence. */
async function comeBack(world: World, company: Company): Promise<void> {
  const today = todayAt(world, company).toString();
  const [away] = await rowsOf<{ id: number; employee_id: number }>(
    world,
    `select a.id::int, a.employee_id::int from absences a join employees e on e.id = a.employee_id
     where e.entity_id = $1 and a.first_day < $2 and coalesce(a.last_day, 'infinity') > $2
       and e.activity_status = 'active' order by a.last_day desc nulls first, a.id limit 1`,
    company.id,
    today,
  );
  if (!away) return;
  const url = `/employees/${away.employee_id}/absences/${away.id}/end`;
  await succeed(world, 'post', { as: hrOf(world, company), url, body: { back_on: today } });
  note(world, `${away.employee_id} is back`);
}

/** A probation is paused or resumed, unless the service says why not. */
async function pauseProbation(world: World, company: Company): Promise<void> {
  const [person] = await rowsOf<{ id: number; from: string | null }>(
    world,
    `select id::int, probation_paused_from::text as from from employees
     where entity_id = $1 and employment_lifecycle = 'probationary' and activity_status = 'active'
       and joining_date < $2::date - 10 order by probation_paused_from nulls last, id limit 1`,
    company.id,
    todayAt(world, company).toString(),
  );
  const probation = person && world.probations.get(person.id);
  if (!person || !probation) return;
  const today = todayAt(world, company);
  const url = `/employees/${person.id}/probation-${person.from === null ? 'pause' : 'resume'}`;
  const day = { [person.from === null ? 'absent_from' : 'back_on']: today.toString() };
  const answer = await attempt(world, 'post', { as: hrOf(world, company), url, body: { ...day, reason } });
  if (answer.status === 422) return;
  if (answer.status !== 200) throw new Error(`day ${world.day}: ${url} ${JSON.stringify(answer.body)}`);
  if (person.from !== null)
    probation.paused += Temporal.PlainDate.from(person.from).until(today, { largestUnit: 'days' }).days;
  note(world, `the probation of ${person.id} ${person.from === null ? 'pauses' : 'goes on'}`);
}

/** A probation is extended by a month without a review, unless the service says why not. */
async function extendByHand(world: World, company: Company): Promise<void> {
  const person = await pickStaff(world, company, ['probationary']);
  const probation = person && world.probations.get(person.id);
  if (!probation) return;
  const longer = extended(probation, 1);
  const answer = await attempt(world, 'post', {
    as: hrOf(world, company),
    url: `/employees/${person.id}/extend-probation`,
    body: { probation_end_date: expectedEnd(longer), reason },
  });
  if (answer.status === 200) world.probations.set(person.id, longer);
  else if (answer.status !== 422) throw new Error(`day ${world.day}: extension ${JSON.stringify(answer.body)}`);
}

/** A department moves below another one with its people, and ten people of a second one follow later. */
export async function reorganise(world: World, company: Company): Promise<void> {
  const [sales, operations] = company.departments.slice(1) as [Department, Department];
  const moved = company.departments.find(({ parent }) => parent === operations.id)!;
  const body = { parent_id: sales.id };
  await succeed(world, 'put', { as: hrOf(world, company), url: `/departments/${moved.id}`, body });
  const ids = (await staffOf(world, company, ['confirmed']))
    .filter(({ department_id }) => department_id === operations.id)
    .slice(0, 10)
    .map(({ id }) => id);
  if (ids.length === 0) return;
  const change = { kind: 'move', ids, department_id: moved.id, effective_from: later(world, 14) };
  const { data } = await succeed(world, 'post', { as: hrOf(world, company), url: '/employees/bulk', body: change });
  note(world, `${moved.id} goes below ${sales.id}; ${data.counts.changed} people follow on ${later(world, 14)}`);
}

/** How often each change happens per day in a company of 150 people. */
const habits: [perDay: number, change: (world: World, company: Company) => Promise<void>][] = [
  [0.12, join],
  [0.09, leave],
  [0.006, leaveAsHead],
  [0.07, move],
  [0.02, moveAway],
  [0.015, rehire],
  [0.03, pauseProbation],
  [0.02, extendByHand],
  [0.04, beAbsent],
  [0.03, leaveToDeputy],
  [0.02, comeBack],
];

export async function changeStaff(world: World): Promise<void> {
  for (const company of world.companies)
    for (const [perDay, change] of habits) if (world.random.chance(perDay)) await change(world, company);
}
