import type { Permission } from '@tenure/contract';
import type { TestApp } from './app.ts';
import type { MadeEmployee } from './make.ts';

/** The companies of the canaries, and readers in every relationship to one person. */

export async function plantOrganisation({ make, owner }: TestApp) {
  const [north, south] = [await make.entity({ name: 'North' }), await make.entity({ name: 'South' })];
  const place = (entity_id: number, name: string, parent_id: number | null = null) =>
    make.department({ entity_id, name, parent_id });
  const top = await place(north.id, 'Top');
  const [audited, exported, financed] = [
    await place(north.id, 'Audited', top.id),
    await place(north.id, 'Exported', top.id),
    await place(north.id, 'Financed', top.id),
  ];
  // nested, so that each head manages the people of the office
  await owner.query('update departments set parent_id = $1 where id = $2', [audited.id, exported.id]);
  await owner.query('update departments set parent_id = $1 where id = $2', [exported.id, financed.id]);
  const office = await place(north.id, 'Office', financed.id);
  const board = await place(north.id, 'Board');
  const plant = await place(south.id, 'Zqsouthdepartment');
  return { north, south, audited, exported, financed, office, board, plant };
}
export type Organisation = Awaited<ReturnType<typeof plantOrganisation>>;

/** A person with their own role. */
async function holder(
  { make, owner }: TestApp,
  department: { id: number },
  role: { name: string; scope: 'own' | 'managed' | 'all'; depth?: 'tree'; permissions: readonly Permission[] },
): Promise<MadeEmployee> {
  const person = await make.employee({ department_id: department.id, roles: [] });
  const { rows } = await owner.query<{ id: number }>(
    `insert into roles (name, description, scope, managed_depth)
     values ($1, 'Zqrole', $2, coalesce($3, 'direct')) returning id`,
    [role.name, role.scope, role.depth],
  );
  await owner.query('insert into role_permissions (role_id, permission) select $1, unnest($2::text[])', [
    rows[0]?.id,
    role.permissions,
  ]);
  await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [person.user_id, rows[0]?.id]);
  return person;
}

/** Readers with their own roles, each with few permissions. */
const plantHolders = async (app: TestApp, at: Organisation) => ({
  auditor: await holder(app, at.board, { name: 'Auditor', scope: 'all', permissions: ['audit.view'] }),
  managedAuditor: await holder(app, at.board, {
    name: 'Team auditor',
    scope: 'managed',
    permissions: ['audit.view'],
  }),
  managedExporter: await holder(app, at.board, {
    name: 'Team exporter',
    scope: 'managed',
    permissions: ['employees.view', 'employees.export'],
  }),
  managedFinance: await holder(app, at.board, {
    name: 'Team finance',
    scope: 'managed',
    permissions: ['kpi-cycle.view', 'kpi-cycle.export', 'kpi-evaluation.view'],
  }),
  // two levels above the people
  chief: await holder(app, at.board, {
    name: 'Whole line',
    scope: 'managed',
    depth: 'tree',
    permissions: ['employees.view', 'employees.export', 'kpi-evaluation.view', 'probation-review.view'],
  }),
  directory: await holder(app, at.board, {
    name: 'Directory',
    scope: 'own',
    permissions: ['employees.view', 'employees.view_all'],
  }),
  onlooker: await holder(app, at.board, {
    name: 'Onlooker',
    scope: 'all',
    permissions: [
      'departments.view',
      'kpi-cycle.view',
      'kpi-cycle.export',
      'kpi-evaluation.view',
      'probation-review.view',
      'probation-review.export',
    ],
  }),
  planner: await holder(app, at.board, {
    name: 'Planner',
    scope: 'all',
    permissions: ['kpi-cycle.view', 'kpi-cycle.publish'],
  }),
});

export async function plantPeople(app: TestApp, at: Organisation) {
  const { make, owner } = app;
  const manager = await make.employee({ department_id: at.board.id, roles: ['Manager'] });
  const head = await make.employee({ department_id: at.office.id, roles: ['Manager'] });
  const lead = await make.employee({ department_id: at.office.id, roles: ['TeamLead'], reporting_manager_id: head.id });
  const named = { department_id: at.office.id, reporting_manager_id: manager.id };
  const people = {
    self: await make.employee({ ...named, employment_lifecycle: 'probationary' }),
    colleague: await make.employee({ ...named, employment_lifecycle: 'probationary' }),
    manager,
    head,
    lead,
    northHr: await make.employee({ department_id: at.board.id, roles: [{ role: 'HR', entity_ids: [at.north.id] }] }),
    southHr: await make.employee({ department_id: at.plant.id, roles: [{ role: 'HR', entity_ids: [at.south.id] }] }),
    // HR through the department of the people, through one above it, and through another department of their company
    officeHr: await make.employee({
      department_id: at.board.id,
      roles: [{ role: 'HR', department_ids: [at.financed.id] }],
    }),
    boardHr: await make.employee({
      department_id: at.board.id,
      roles: [{ role: 'HR', department_ids: [at.board.id] }],
    }),
    hr: await make.employee({ department_id: at.board.id, roles: ['HR'] }),
    admin: await make.employee({ department_id: at.board.id, roles: ['Admin'] }),
    southerner: await make.employee({ department_id: at.plant.id, first_name: 'Zqsouthname', grade: 'Zqsgrade' }),
    ...(await plantHolders(app, at)),
  };
  const heads: [number, number][] = [
    [at.office.id, head.id],
    [at.audited.id, people.managedAuditor.id],
    [at.exported.id, people.managedExporter.id],
    [at.financed.id, people.managedFinance.id],
  ];
  await owner.query('update employees set reporting_manager_id = $2 where id = $1', [manager.id, people.chief.id]);
  for (const one of heads) await owner.query('update departments set manager_id = $2 where id = $1', one);
  await owner.query('update departments set team_lead_id = $2 where id = $1', [at.office.id, lead.id]);
  return people;
}

export type Reader = keyof Awaited<ReturnType<typeof plantPeople>>;
export type People = Record<Reader, MadeEmployee>;
