import type { Permission } from '@tenure/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { reachOf } from '../../access/actor.ts';
import type { Actor, Grant } from '../../access/actor.ts';
import { departmentsIn } from '../../access/scope.ts';
import { startApp } from '../../testing/app.ts';
import { covers } from './policy.ts';

const { make, deps } = await startApp();
const entities = [await make.entity(), await make.entity(), await make.entity()];
for (const { id } of entities) for (let n = 0; n < 2; n += 1) await make.department({ entity_id: id });
const departments = await deps.db.selectFrom('departments').select(['id', 'entity_id']).orderBy('id').execute();

const permission: Permission = 'departments.update';
const grant: fc.Arbitrary<Grant> = fc.record({
  role_id: fc.constant(1),
  role: fc.constant('Some'),
  scope: fc.constantFrom('own', 'managed', 'all'),
  managed_depth: fc.constantFrom('direct', 'tree'),
  entity_ids: fc.option(
    fc.subarray(
      entities.map(({ id }) => id),
      { minLength: 1 },
    ),
    { nil: null },
  ),
  permissions: fc.subarray<Permission>([permission, 'departments.view']).map((names) => new Set(names)),
});
const actor: fc.Arbitrary<Actor> = fc
  .record({
    grants: fc.array(grant, { maxLength: 3 }),
    managed_departments: fc.subarray(departments.map(({ id }) => id)),
    managers_below: fc.constant([]),
    superiors: fc.constant([]),
  })
  .map((some) => ({
    ...some,
    employee_id: 1,
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

test('a reach covers the same departments in the database and in the service', async () => {
  await fc.assert(
    fc.asyncProperty(actor, async (who) => {
      const reach = reachOf(who, permission);
      const { rows } = await sql<{ id: number }>`
        select d.id from departments d where ${departmentsIn(who, reach)} order by d.id`.execute(deps.db);
      const decided = departments.filter((department) => covers(who, reach, department));
      expect(rows.map(({ id }) => id)).toEqual(decided.map(({ id }) => id));
    }),
    { numRuns: 60 },
  );
});

test('a new department is covered through its company only', () => {
  fc.assert(
    fc.property(actor, fc.constantFrom(...departments), (who, { entity_id }) => {
      const reach = reachOf(who, permission);
      const whole = reach.everything || reach.entity_ids.includes(entity_id);
      expect(covers(who, reach, { id: null, entity_id })).toBe(whole);
    }),
  );
});
