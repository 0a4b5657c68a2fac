import { seededGrants } from '@tenure/contract';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Holder } from './actor.ts';
import { coveredAccounts, requireCover } from './cover.ts';
import { loadRights } from './rights.ts';

const { deps, make } = await startApp();
const { db } = deps;

const [acme, beta] = [await make.entity(), await make.entity()];
const departments = {
  acme: await make.department({ entity_id: acme.id }),
  beta: await make.department({ entity_id: beta.id }),
};
const inAcme = { department_id: departments.acme.id };
const inBeta = { department_id: departments.beta.id };
type Made = Awaited<ReturnType<typeof make.employee>>;

const holder = async ({ user_id, id }: { user_id: number; id?: number }): Promise<Holder> => ({
  ...(await loadRights(db, user_id)),
  user_id,
  employee_id: id ?? null,
});

async function role(name: string, scope: 'own' | 'managed' | 'all', permissions: readonly string[]) {
  const { id } = await db.insertInto('roles').values({ name, scope }).returning('id').executeTakeFirstOrThrow();
  await db
    .insertInto('role_permissions')
    .values(permissions.map((permission) => ({ role_id: id, permission })))
    .execute();
  return name;
}

const managerPermissions = [...seededGrants('Manager'), 'employees.view_sensitive', 'employees.reset_password'];

const limited = (roleName: string, ...entity_ids: number[]) => ({ role: roleName, entity_ids });
const covers = async (actor: { user_id: number; id?: number }, account: { user_id: number }) =>
  (await coveredAccounts(db, await holder(actor), [account.user_id])).has(account.user_id);

const hrOfAll = await make.employee({ ...inBeta, roles: ['Employee', 'HR'] });
const hrOfAcme = await make.employee({ ...inAcme, roles: ['Employee', limited('HR', acme.id)] });
const admin = await make.employee({ ...inAcme, roles: ['Employee', 'Admin'] });
const bareAdmin = await make.admin();

test.each<[string, () => Promise<Made | { user_id: number }>, { hrOfAcme: boolean; hrOfAll: boolean }]>([
  ['an employee of the company', () => make.employee(inAcme), { hrOfAcme: true, hrOfAll: true }],
  ['an employee of another company', () => make.employee(inBeta), { hrOfAcme: false, hrOfAll: true }],
  [
    'HR of the same company',
    () => make.employee({ ...inAcme, roles: ['Employee', limited('HR', acme.id)] }),
    { hrOfAcme: true, hrOfAll: true },
  ],
  [
    'HR of two companies',
    () => make.employee({ ...inAcme, roles: ['Employee', limited('HR', acme.id, beta.id)] }),
    { hrOfAcme: false, hrOfAll: true },
  ],
  ['HR of everything', () => make.employee({ ...inAcme, roles: ['HR'] }), { hrOfAcme: false, hrOfAll: true }],
  ['an administrator', async () => admin, { hrOfAcme: false, hrOfAll: false }],
  ['an administrator without a person', async () => bareAdmin, { hrOfAcme: false, hrOfAll: false }],
  [
    'an account without a person and without roles',
    async () => {
      const user = await db
        .insertInto('users')
        .values({ email: 'robot@example.com' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { user_id: user.id };
    },
    { hrOfAcme: false, hrOfAll: true },
  ],
])('%s is covered by an actor with all of its rights', async (_title, account, expected) => {
  const made = await account();
  expect(await covers(hrOfAcme, made)).toBe(expected.hrOfAcme);
  expect(await covers(hrOfAll, made)).toBe(expected.hrOfAll);
  expect(await covers(admin, made)).toBe(true);
  expect(await covers(bareAdmin, made)).toBe(true);
});

test('a manager is compared by the people the account manages now', async () => {
  const manager = await make.employee({ ...inAcme, roles: ['Employee', 'Manager'] });
  await make.employee({ ...inAcme, reporting_manager_id: manager.id });
  expect(await covers(hrOfAcme, manager)).toBe(true);
  const { id } = await make.employee({ ...inBeta, reporting_manager_id: manager.id });
  expect(await covers(hrOfAcme, manager)).toBe(false);
  expect(await covers(hrOfAll, manager)).toBe(true);
  await db.updateTable('employees').set({ reporting_manager_id: null }).where('id', '=', id).execute();
  expect(await covers(hrOfAcme, manager)).toBe(true);
  const below = await make.department({ entity_id: beta.id, manager_id: manager.id });
  expect(await covers(hrOfAcme, manager)).toBe(false);
  const limit = make.employee({ ...inAcme, roles: ['Employee', limited('Manager', acme.id)] });
  await db
    .updateTable('departments')
    .set({ manager_id: (await limit).id })
    .where('id', '=', below.id)
    .execute();
  expect(await covers(hrOfAcme, await limit)).toBe(true);
});

test('a lead of departments is compared by the descendant departments and their people', async () => {
  const lead = await make.employee({ ...inAcme, roles: ['Employee', 'Manager'] });
  const top = await make.department({ entity_id: acme.id, manager_id: lead.id });
  const below = await make.department({ entity_id: acme.id, parent_id: top.id });
  const member = await make.employee({ department_id: below.id });
  const boss = await make.employee({ ...inAcme, roles: ['Employee', 'Manager'] });
  await db.updateTable('employees').set({ reporting_manager_id: boss.id }).where('id', '=', lead.id).execute();
  expect(await covers(hrOfAcme, lead)).toBe(true);
  // a manager covers the report, not the people the report leads
  const desk = await role('Whole desk', 'managed', managerPermissions);
  const deputy = await make.employee({ ...inAcme, roles: ['Employee', { role: desk, entity_ids: [acme.id] }] });
  await db.updateTable('employees').set({ reporting_manager_id: deputy.id }).where('id', '=', lead.id).execute();
  expect(await covers(deputy, lead)).toBe(false);
  await db.updateTable('departments').set({ manager_id: deputy.id }).where('id', '=', top.id).execute();
  await db.updateTable('departments').set({ manager_id: lead.id }).where('id', '=', below.id).execute();
  expect(await covers(deputy, lead)).toBe(true);
  await db.updateTable('employees').set({ deleted_at: new Date().toISOString() }).where('id', '=', member.id).execute();
  await make.employee({ ...inBeta, reporting_manager_id: lead.id });
  expect(await covers(deputy, lead)).toBe(false);
});

test('an account that is covered as a report only is covered when its rights go no further', async () => {
  const own = ['employees.view', 'kpi-evaluation.view', 'probation-review.view', 'employees.reset_password'];
  const desk = await role('Desk', 'managed', own);
  const sighted = await role('Sighted desk', 'managed', [...own, 'employees.view_sensitive']);
  const [blind, seeing] = [
    await make.employee({ ...inAcme, roles: ['Employee', { role: desk, entity_ids: [acme.id] }] }),
    await make.employee({ ...inAcme, roles: ['Employee', { role: sighted, entity_ids: [acme.id] }] }),
  ];
  const reportOf = (manager: Made, roles: ('Employee' | 'HR' | 'TeamLead')[] = ['Employee']) =>
    make.employee({ ...inAcme, reporting_manager_id: manager.id, roles });
  // all users can read their own private details
  expect(await covers(blind, await reportOf(blind))).toBe(false);
  expect(await covers(seeing, await reportOf(seeing))).toBe(true);
  expect(await covers(seeing, await reportOf(blind))).toBe(false);
  expect(await covers(seeing, await reportOf(seeing, ['Employee', 'HR']))).toBe(false);
  expect(await covers(seeing, await reportOf(seeing, ['Employee', 'TeamLead']))).toBe(false);
});

test('a role that sees all people exceeds one that does not', async () => {
  const seesAll = await role('Directory', 'own', ['employees.view', 'employees.view_all']);
  const directory = await make.employee({ ...inAcme, roles: ['Employee', limited(seesAll, acme.id, beta.id)] });
  expect(await covers(hrOfAcme, directory)).toBe(false);
  expect(await covers(hrOfAll, directory)).toBe(true);
});

test('every user covers the own account, and many accounts are checked in one call', async () => {
  const person = await make.employee(inAcme);
  expect(await covers(person, person)).toBe(true);
  const others = [await make.employee(inAcme), await make.employee(inBeta), hrOfAll, admin, hrOfAcme];
  const covered = await coveredAccounts(
    db,
    await holder(hrOfAcme),
    others.map(({ user_id }) => user_id),
  );
  expect([...covered].toSorted((a, b) => a - b)).toEqual([hrOfAcme.user_id, others[0]?.user_id]);
  await expect(requireCover(db, await holder(hrOfAcme), [...covered])).resolves.toBeUndefined();
  await expect(requireCover(db, await holder(hrOfAcme), [hrOfAll.user_id])).rejects.toMatchObject({ status: 403 });
});
