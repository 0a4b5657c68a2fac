import { rowsOf, succeed } from './world.ts';
import type { Company, Department, World } from './world.ts';

/** Two companies in time zones a day apart, with departments three levels deep and their people. */

const plans = [
  { name: 'North', code: 'NO', timezone: 'Europe/Berlin' },
  { name: 'South', code: 'SO', timezone: 'Pacific/Auckland' },
];
/** Departments, each with the index of its parent in this list. */
const tree: [name: string, parent: number | null][] = [
  ['Board', null],
  ['Sales', 0],
  ['Operations', 0],
  ['Human Resources', 0],
  ['Field sales', 1],
  ['Inside sales', 1],
  ['Warehouse', 2],
  ['Transport', 2],
];
const titles = ['Clerk', 'Specialist', 'Planner', 'Driver', 'Consultant', 'Technician'];

type Hire = {
  entity_id: number;
  department_id: number;
  manager: number | null;
  joining_date: string;
  roles?: { role: string; entity_ids?: number[] }[];
  /** Without an address there is no account. */
  has_email?: boolean;
};
export type Hired = { id: number; user_id: number };

/** Adds a person, by default with the role Employee. */
export async function hire(
  world: World,
  by: number,
  { manager, roles, has_email = true, ...job }: Hire,
): Promise<Hired> {
  const number = (world.serial += 1);
  const { data } = await succeed(world, 'post', {
    as: by,
    url: '/employees',
    body: {
      ...job,
      first_name: `Person${number}`,
      last_name: `Family${number}`,
      email: has_email ? `person${number}@year.example` : null,
      job_title: world.random.pick(titles),
      reporting_manager_id: manager,
      ...(roles && {
        assignments: roles.map(({ role, entity_ids = null }) => ({ role_id: world.roles.get(role), entity_ids })),
      }),
    },
  });
  return { id: data.id, user_id: data.user?.id ?? 0 };
}

const confirm = (world: World, id: number, day: string) =>
  succeed(world, 'post', {
    as: world.admin,
    url: `/employees/${id}/confirm`,
    body: { confirmation_date: day, reason: 'Confirmed before the year.' },
  });

async function makeDepartments(world: World, entity_id: number): Promise<number[]> {
  const ids: number[] = [];
  for (const [name, parent] of tree) {
    const body = { name, entity_id, parent_id: parent === null ? null : ids[parent] };
    ids.push((await succeed(world, 'post', { as: world.admin, url: '/departments', body })).data.id);
  }
  return ids;
}

/** Heads from the top down: each reports to the head above. */
async function makeHeads(
  world: World,
  entity_id: number,
  ids: readonly number[],
  chair: number,
): Promise<Department[]> {
  const departments: Department[] = [];
  for (const [index, id] of ids.entries()) {
    const parent = tree[index]![1];
    const above = parent === null ? chair : departments[parent]!.head;
    const head = await hire(world, world.admin, {
      entity_id,
      department_id: id,
      manager: above,
      joining_date: '2021-02-01',
      roles: [{ role: 'Manager' }],
    });
    await confirm(world, head.id, '2021-08-01');
    const body = { employee_id: head.id };
    await succeed(world, 'put', { as: world.admin, url: `/departments/${id}/manager`, body });
    departments.push({ id, parent: parent === null ? null : ids[parent]!, head: head.id });
  }
  return departments;
}

async function makeCompany(world: World, plan: (typeof plans)[number], chair: number): Promise<Company> {
  const settings = { probation_months: 6, probation_max_extensions: 2, probation_day_30_review: plan.code === 'NO' };
  const { data } = await succeed(world, 'post', {
    as: world.admin,
    url: '/entities',
    body: { ...plan, ...settings },
  });
  const departments = await makeHeads(world, data.id, await makeDepartments(world, data.id), chair);
  const [, , , people] = departments as [Department, Department, Department, Department];
  const hr: number[] = [];
  for (let count = 0; count < 2; count += 1) {
    const made = await hire(world, world.admin, {
      entity_id: data.id,
      department_id: people.id,
      manager: people.head,
      joining_date: '2022-03-01',
      roles: [{ role: 'HR', entity_ids: [data.id] }],
    });
    await confirm(world, made.id, '2022-09-01');
    hr.push(made.user_id);
  }
  return { id: data.id, timezone: plan.timezone, hr, departments };
}

/** The chair of the group, above both companies, in a separate company. */
async function makeChair(world: World): Promise<number> {
  const group = (
    await succeed(world, 'post', { as: world.admin, url: '/entities', body: { name: 'Group', code: 'GR' } })
  ).data;
  const body = { name: 'Chair', entity_id: group.id };
  const { data } = await succeed(world, 'post', { as: world.admin, url: '/departments', body });
  const job = { entity_id: group.id, department_id: data.id, manager: null, joining_date: '2020-01-01' };
  const chair = await hire(world, world.admin, { ...job, roles: [{ role: 'Manager' }] });
  await confirm(world, chair.id, '2020-07-01');
  return chair.id;
}

async function makeTemplates(world: World): Promise<World['templates']> {
  const rated = (name: string, weight: number) => ({ name, weight });
  const measured = { item_type: 'measured', direction: 'higher_better', target_value: 80, unit: '%' };
  const make = async (name: string, items: object[]) =>
    (await succeed(world, 'post', { as: world.admin, url: '/kpi-templates', body: { name, status: 'active', items } }))
      .data.id as number;
  return {
    right: await make('Everyone', [
      rated('Quality', 40),
      { ...rated('Delivery on time', 35), ...measured },
      { ...rated('Days to answer', 25), ...measured, direction: 'lower_better', target_value: 10, unit: 'days' },
    ]),
    wrong: await make('Of the year before', [rated('Quality', 50), rated('Attitude', 50)]),
  };
}

/** Creates the group with this many people. */
export async function found(world: World, people: number): Promise<void> {
  const { data } = await succeed(world, 'get', { as: world.admin, url: '/roles?per_page=100' });
  world.roles = new Map((data as { id: number; name: string }[]).map(({ id, name }) => [name, id]));
  const chair = await makeChair(world);
  world.chair = chair;
  for (const plan of plans) world.companies.push(await makeCompany(world, plan, chair));
  world.templates = await makeTemplates(world);
  const [{ count } = { count: 0 }] = await rowsOf<{ count: number }>(world, 'select count(*)::int from employees');
  for (let left = people - count; left > 0; left -= 1) {
    const company = world.companies[left % 2]!;
    const { id: department_id, head } = world.random.pick(company.departments);
    const joining_date = `20${world.random.between(22, 30)}-0${world.random.between(1, 9)}-1${world.random.between(0, 9)}`;
    const has_email = world.random.chance(0.9);
    const job = { entity_id: company.id, department_id, manager: head, joining_date, has_email };
    const { id } = await hire(world, world.admin, job);
    await confirm(world, id, joining_date);
  }
}
