import type { Permission } from '@tenure/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reachOf } from '../access/actor.ts';
import type { Holder } from '../access/actor.ts';
import { loadRights } from '../access/rights.ts';
import { peopleIn } from '../access/scope.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';

// An attacker uses sessions and passwords that they obtain, while administrators make changes: in no case does one of
// their sessions have more rights than their own account. Rights are compared by the people each permission covers.

const { as, make, deps, owner } = await startApp();
const { db } = deps;
const companies = [await make.entity(), await make.entity()] as const;
const [acme, beta] = companies;
const departments = [await make.department({ entity_id: acme.id }), await make.department({ entity_id: beta.id })];
const admin = await as((await make.admin()).user_id);

const desk = ['employees.view', 'employees.view_sensitive', 'employees.reset_password', 'employees.update'];
const open = [...desk, 'employees.deactivate', 'kpi-evaluation.view', 'probation-review.view'];
async function roleOf(name: string, scope: 'managed' | 'all', permissions: readonly string[]) {
  const answer = await admin.post('/api/roles', { name, scope, permissions });
  expect(answer.status).toBe(201);
  return answer.body.data.id as number;
}
const custom = await roleOf('Service desk', 'managed', open);
await roleOf('Front office', 'all', desk);
const roleIds = new Map(
  (await db.selectFrom('roles').select(['id', 'name']).execute()).map(({ id, name }) => [name, id] as const),
);

type Given = { role: string; companies: 'all' | 'acme' | 'beta' };
const limits = { all: undefined, acme: [acme.id], beta: [beta.id] };
const names = ['Employee', 'HR', 'Manager', 'Service desk', 'Front office', 'Admin'] as const;
const assignmentsOf = (given: readonly Given[]) => [
  { role_id: roleIds.get('Employee') as number },
  ...[...new Map(given.map((one) => [one.role, one])).values()].flatMap(({ role, companies: limit }) =>
    role === 'Employee'
      ? []
      : [
          {
            role_id: roleIds.get(role) as number,
            ...(role !== 'Admin' && limits[limit] && { entity_ids: limits[limit] }),
          },
        ],
  ),
];

const given: fc.Arbitrary<Given> = fc.record({
  role: fc.constantFrom(...names),
  companies: fc.constantFrom('all', 'acme', 'beta'),
});
const person = fc.record({ home: fc.nat(1), roles: fc.array(given, { maxLength: 2 }), reports: fc.boolean() });
/** The initial rights of the attacker. */
const schemer = fc.record({
  home: fc.nat(1),
  roles: fc.array(
    fc.record({
      role: fc.constantFrom('HR', 'Service desk', 'Manager'),
      companies: fc.constantFrom('all', 'acme', 'beta'),
    }) satisfies fc.Arbitrary<Given>,
    { minLength: 1, maxLength: 2 },
  ),
  reports: fc.constant(false),
});
const who = fc.nat(4);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('password' as const), session: who, target: who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('address' as const), session: who, target: who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign in' as const), known: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('own roles' as const), session: who, target: who, given }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('off and on' as const), session: who, target: who }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('roles' as const), target: who, given }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('role' as const), scope: fc.constantFrom('managed', 'all') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), target: who }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Person = { id: number; user_id: number; email: string };
/**
 * The attacker is the first of the people; `known` are passwords, `sessions` their browsers, `were` the rights that
 * they had so far: losing rights later does not end what was obtained before.
 */
type State = {
  people: Person[];
  sessions: { client: Client; of: Person }[];
  known: Map<Person, string>;
  were: Holder[];
};

const chosen = 'Ch0sen!ByTheWrongOne';
const at = <T>(all: readonly T[], index: number) => all[index % all.length] as T;

async function enter(state: State, of: Person, password: string): Promise<void> {
  await owner.query('delete from login_attempts');
  const client = await as();
  const { email } = await db.selectFrom('users').select('email').where('id', '=', of.user_id).executeTakeFirstOrThrow();
  if ((await client.post('/login', { email, password })).status !== 200) return;
  const body = { current_password: password, password: chosen, password_confirmation: chosen };
  if (password !== chosen) await client.put('/api/profile/password', body);
  state.known.set(of, chosen);
  state.sessions.push({ client, of });
}

const reason = 'For the sake of the property';
const steps: { [K in Step['kind']]: (state: State, step: Extract<Step, { kind: K }>) => Promise<void> } = {
  password: async (state, { session, target }) => {
    const of = at(state.people, target);
    const answer = await at(state.sessions, session).client.post(`/api/employees/${of.id}/reset-password`);
    if (answer.status === 200) await enter(state, of, answer.body.one_time_password);
  },
  address: async (state, { session, target }) => {
    const of = at(state.people, target);
    await at(state.sessions, session).client.put(`/api/employees/${of.id}`, { email: `other${of.id}@example.com` });
  },
  'sign in': async (state, { known }) => {
    const [of, password] = at([...state.known], known) ?? [];
    if (of && password) await enter(state, of, password);
  },
  'own roles': async (state, { session, target, given: one }) => {
    const { id } = at(state.people, target);
    await at(state.sessions, session).client.put(`/api/employees/${id}/roles`, { assignments: assignmentsOf([one]) });
  },
  'off and on': async (state, { session, target }) => {
    const { client } = at(state.sessions, session);
    const { id } = at(state.people, target);
    await client.post(`/api/employees/${id}/deactivate`, { reason });
    await client.post(`/api/employees/${id}/reactivate`, { reason });
  },
  roles: async (state, { target, given: one }) => {
    const { id } = at(state.people, target);
    await admin.put(`/api/employees/${id}/roles`, { assignments: assignmentsOf([one]) });
  },
  role: async (_world, { scope }) => {
    await admin.put(`/api/roles/${custom}`, { scope });
  },
  reset: async (state, { target }) => {
    await admin.post(`/api/employees/${at(state.people, target).id}/reset-password`);
  },
};
const runStep = (state: State, one: Step) =>
  (steps[one.kind] as (state: State, step: Step) => Promise<void>)(state, one);

async function holderOf({ user_id, id }: Person): Promise<Holder> {
  return { ...(await loadRights(db, user_id)), user_id, employee_id: id };
}

async function reachedBy(holder: Holder, permission: Permission): Promise<Set<number>> {
  const widened = permission === 'employees.view' ? ('employees.view_all' as const) : undefined;
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${peopleIn(holder, reachOf(holder, permission, widened))}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The rights of the account that the other one lacks. */
async function beyond(account: Holder, other: Holder): Promise<string[]> {
  if (account.user_id === other.user_id || other.is_admin) return [];
  if (account.is_admin) return ['Admin'];
  const found: string[] = [];
  const known = new Map<string, boolean>();
  for (const permission of account.permissions) {
    if (permission === 'employees.view_all') continue;
    const key = JSON.stringify([account, other].map((one) => reachOf(one, permission, 'employees.view_all')));
    if (!known.has(key)) {
      const [theirs, own] = [await reachedBy(account, permission), await reachedBy(other, permission)];
      known.set(key, theirs.isSubsetOf(own));
    }
    if (!known.get(key)) found.push(permission);
  }
  // all users can read their own private details
  const sees = await reachedBy(other, 'employees.view_sensitive');
  return sees.has(account.employee_id ?? 0) ? found : [...found, 'the own private details'];
}

async function assertNothingGained(state: State): Promise<void> {
  const attacker = await holderOf(state.people[0] as Person);
  state.were.push(attacker);
  const living: State['sessions'] = [];
  for (const session of state.sessions) if ((await session.client.get('/api/me')).status === 200) living.push(session);
  state.sessions = living.length > 0 ? living : [{ client: await as(attacker.user_id), of: state.people[0] as Person }];
  for (const { of } of living) {
    const account = await holderOf(of);
    const gained = await beyond(account, attacker);
    const before = await Promise.all(state.were.map((one) => beyond(account, one)));
    if (before.every((some) => some.length > 0)) expect(gained).toEqual([]);
  }
}

async function begin(drawn: readonly (typeof person extends fc.Arbitrary<infer T> ? T : never)[]): Promise<State> {
  const people: Person[] = [];
  for (const { home, roles, reports } of drawn) {
    const made = await make.employee({
      department_id: at(departments, home).id,
      reporting_manager_id: reports ? (people[0]?.id ?? null) : null,
    });
    await admin.put(`/api/employees/${made.id}/roles`, { assignments: assignmentsOf(roles) });
    people.push(made);
  }
  const first = people[0] as Person;
  return { people, sessions: [{ client: await as(first.user_id), of: first }], known: new Map(), were: [] };
}

test('no session has rights that its initiator did not cover', async () => {
  let opened = 0;
  const people = fc.tuple(schemer, person, person, person, person);
  await fc.assert(
    fc.asyncProperty(people, fc.array(step, { minLength: 4, maxLength: 10 }), async (drawn, sequence) => {
      const state = await begin(drawn);
      for (const one of sequence) {
        await runStep(state, one);
        await assertNothingGained(state);
      }
      opened += state.known.size;
    }),
    { numRuns: 18, seed: 20_261_122, endOnFailure: true },
  );
  // accounts were taken over, so there was something to gain
  expect(opened).toBeGreaterThan(5);
}, 120_000);
