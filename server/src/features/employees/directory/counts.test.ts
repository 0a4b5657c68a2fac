import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, deps, owner } = await startApp();
const entities = [await make.entity(), await make.entity()];
const departments = await Promise.all(
  [0, 0, 1, 1].map((department) => make.department({ entity_id: entities[department]?.id as number })),
);
const hr = await make.employee({ roles: ['HR'], department_id: departments[0]?.id as number });
const limited = await make.employee({
  roles: [{ role: 'HR', entity_ids: [entities[1]?.id as number] }],
  department_id: departments[0]?.id as number,
});
const clients = [await as(hr.user_id), await as(limited.user_id)];

const difference = `
  with counted as (
    select level, key_id, activity_status, employment_lifecycle, sum(people)::int as people from employee_counts
    group by 1, 2, 3, 4 having sum(people) <> 0),
  actual as (
    select level, key_id, activity_status, employment_lifecycle, count(*)::int as people
    from employees, lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
    where deleted_at is null group by 1, 2, 3, 4)
  (select * from counted except select * from actual) union all (select * from actual except select * from counted)`;

const lifecycle = fc.constantFrom('probationary', 'confirmed', 'resigned', 'terminated');
const activity = fc.constantFrom('active', 'joining', 'inactive');
const department = fc.nat({ max: 3 });
const some = fc.nat({ max: 50 });
const operation = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), department, lifecycle, activity }),
  fc.record({ kind: fc.constant('move' as const), some, department }),
  fc.record({ kind: fc.constant('state' as const), some, lifecycle, activity }),
  fc.record({ kind: fc.constant('delete' as const), some, gone: fc.boolean() }),
  fc.record({ kind: fc.constant('everybody' as const), department, lifecycle }),
  fc.record({ kind: fc.constant('fold' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const placeOf = (index: number) => {
  const { id: department_id, entity_id } = departments[index] as (typeof departments)[number];
  return { department_id, entity_id };
};

async function apply(step: Operation, made: number[]): Promise<unknown> {
  const change = (ids: number[], fields: object) =>
    deps.db
      .updateTable('employees')
      .set(fields)
      .where('id', 'in', [0, ...ids])
      .execute();
  const one = (at: number) => made.filter((_, index) => index === at % made.length);
  switch (step.kind) {
    case 'add': {
      const states = { employment_lifecycle: step.lifecycle, activity_status: step.activity };
      return made.push((await make.employee({ ...placeOf(step.department), ...states })).id);
    }
    case 'move':
      return change(one(step.some), placeOf(step.department));
    case 'state':
      return change(one(step.some), { employment_lifecycle: step.lifecycle, activity_status: step.activity });
    case 'delete':
      return change(one(step.some), { deleted_at: step.gone ? '2026-01-01' : null });
    case 'everybody':
      return change(made, { ...placeOf(step.department), employment_lifecycle: step.lifecycle });
    case 'fold':
      return owner.query('select fold_employee_counts()');
  }
}

test('after any changes the headcounts equal a count of the rows', async () => {
  const made: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const step of steps) await apply(step, made);
      expect((await owner.query(difference)).rows).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

test('concurrent changes with folding in between lose no person', async () => {
  const department_id = departments[2]?.id as number;
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      if (index % 5 === 0) await owner.query('select fold_employee_counts()');
      else await make.employee({ department_id });
    }),
  );
  await owner.query('select fold_employee_counts()');
  expect((await owner.query(difference)).rows).toEqual([]);
});

const list = (values: readonly (string | number)[], max: number) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: max }), { nil: undefined });
const filters = fc.record({
  entity_id: list([...entities.map(({ id }) => id), 999_999], 3),
  department_id: list([...departments.map(({ id }) => id), 999_999], 4),
  activity_status: list(['active', 'inactive'], 2),
  employment_lifecycle: list(['probationary', 'confirmed', 'resigned', 'terminated'], 4),
  sort_by: fc.option(
    fc.constantFrom('entity_name', 'department_name').map((name) => [name]),
    { nil: undefined },
  ),
});

test('the total of a list from headcounts equals the rows of all its pages, for full and limited visibility', async () => {
  await fc.assert(
    fc.asyncProperty(filters, fc.constantFrom(...clients), async (chosen, client) => {
      const query = Object.entries(chosen)
        .flatMap(([name, values]) => (values ? [`${name}=${values.join(',')}`] : []))
        .join('&');
      const found: number[] = [];
      let total = 0;
      for (let page = 1; page <= Math.max(1, Math.ceil(total / 100)); page += 1) {
        const { body } = await client.get(`/api/employees?per_page=100&page=${page}&${query}`);
        total = body.meta.total;
        found.push(...body.data.map((row: { id: number }) => row.id));
      }
      expect([found.length, new Set(found).size]).toEqual([total, total]);
    }),
    { numRuns: 40 },
  );
});
