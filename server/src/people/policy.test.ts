import type { Permission } from '@tenure/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reachOf } from '../access/actor.ts';
import type { Actor, Grant } from '../access/actor.ts';
import { peopleIn } from '../access/scope.ts';
import { startApp } from '../testing/app.ts';
import { cardReach, covers } from './policy.ts';

const { make, deps } = await startApp();
const entities = [await make.entity(), await make.entity(), await make.entity()];
const departments = await Promise.all(
  entities.flatMap(({ id }) => [1, 2].map(() => make.department({ entity_id: id }))),
);
const chief = await make.employee({ department_id: departments[0]?.id as number });
for (const { id } of departments)
  for (const reporting_manager_id of [null, chief.id]) await make.employee({ department_id: id, reporting_manager_id });
const people = await deps.db
  .selectFrom('employees')
  .select(['id', 'entity_id', 'department_id', 'reporting_manager_id'])
  .orderBy('id')
  .execute();

const subset = (ids: readonly number[]) => fc.subarray([...ids]);
const entityIds = entities.map(({ id }) => id);
const grant: fc.Arbitrary<Grant> = fc.record({
  role_id: fc.constant(1),
  role: fc.constant('Some'),
  scope: fc.constantFrom('own', 'managed', 'all'),
  managed_depth: fc.constantFrom('direct', 'tree'),
  entity_ids: fc.option(fc.subarray(entityIds, { minLength: 1 }), { nil: null }),
  permissions: fc
    .subarray<Permission>(['employees.view', 'employees.view_all', 'employees.update'])
    .map((names) => new Set(names)),
});
const actor: fc.Arbitrary<Actor> = fc
  .record({
    grants: fc.array(grant, { maxLength: 3 }),
    employee_id: fc.constantFrom(null, chief.id, people.at(-1)?.id as number),
    managed_departments: subset(departments.map(({ id }) => id)),
    managers_below: subset([chief.id, ...people.slice(-2).map(({ id }) => id)]),
    superiors: fc.subarray(
      people.map(({ id }) => id),
      { maxLength: 3 },
    ),
  })
  .map((some) => ({
    ...some,
    roles: [],
    permissions: new Set(some.grants.flatMap(({ permissions }) => [...permissions])),
    is_admin: false,
    user_id: 1,
    name: 'Somebody',
    email: 'somebody@example.com',
    must_change_password: false,
    locale: 'en',
    locale_chosen: false,
    last_login_at: null,
    picture_key: null,
    session_id: 1,
  }));

test('a reach covers the same people in the database and in the service', async () => {
  await fc.assert(
    fc.asyncProperty(actor, async (who) => {
      for (const reach of [cardReach(who), reachOf(who, 'employees.view'), reachOf(who, 'employees.update')]) {
        const { rows } = await sql<{ id: number }>`
          select e.id from employees e where ${peopleIn(who, reach)} order by e.id`.execute(deps.db);
        const decided = people.filter((person) => covers(who, reach, person)).map(({ id }) => id);
        expect(decided).toEqual(rows.map(({ id }) => id));
      }
    }),
    { numRuns: 150 },
  );
});

test('without a permission no person is covered', async () => {
  await fc.assert(
    fc.asyncProperty(actor, async (who) => {
      const reach = reachOf(who, 'employees.deactivate');
      const { rows } = await sql`select e.id from employees e where ${peopleIn(who, reach)}`.execute(deps.db);
      expect([rows, people.filter((person) => covers(who, reach, person))]).toEqual([[], []]);
    }),
    { numRuns: 20 },
  );
});
