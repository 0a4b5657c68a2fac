import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { mayReviewEvaluations } from '../../people/reviewers.ts';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { planOf } from './plan.ts';

/** Members who share a manager share the reviewer, which is looked up once; this test looks it up person by person. */

const app = await startApp();
const { make, deps } = app;
const entity = await make.entity();
const departments: number[] = [];
for (let index = 0; index < 5; index += 1) departments.push((await make.department({ entity_id: entity.id })).id);
const people: number[] = [];
for (let index = 0; index < 20; index += 1) {
  const roles = index % 3 === 0 ? (['Employee'] as const) : (['Manager'] as const);
  people.push((await make.employee({ department_id: departments[index % 5] as number, roles })).id);
}
const kpi = kpiMaker(app);
const template = await kpi.template();
const cycle = await kpi.cycle({
  status: 'draft',
  departments: departments.map((department_id) => ({ department_id, template_id: template.id })),
});

const reference = sql<{ id: number; reviewer_id: number | null; first_choice: number | null }>`
  select e.id, (asked.ids)[1] as first_choice, (asked.able)[1] as reviewer_id
  from employees e join departments d on d.id = e.department_id
  cross join lateral (
    select array_agg(c.id order by c.place) as ids,
           array_agg(c.id order by c.place) filter (
             where exists (select from employees e where e.id = c.id and ${mayReviewEvaluations})) as able
    from unnest(e.reporting_manager_id || (d.team_lead_id || heads_from(d.id))) with ordinality as c (id, place)
    where c.id <> e.id and not exists (select from superiors_of(c.id) as above (id) where above.id = e.id)) as asked
  where e.id = any(${people}::bigint[]) order by e.id`;

const planned = (only: readonly number[] | null) => sql<{ id: number }>`
  with ${planOf(cycle.id, departments, { only })} select id, first_choice, reviewer_id from people order by id`;

const someone = fc.option(fc.nat(people.length - 1), { nil: undefined });
const organisation = fc.record({
  managers: fc.array(someone, { minLength: 20, maxLength: 20 }),
  homes: fc.array(fc.nat(4), { minLength: 20, maxLength: 20 }),
  heads: fc.array(someone, { minLength: 5, maxLength: 5 }),
  leads: fc.array(someone, { minLength: 5, maxLength: 5 }),
  parents: fc.array(fc.option(fc.nat(4), { nil: undefined }), { minLength: 5, maxLength: 5 }),
});

const personAt = (index: number | undefined) => (index === undefined ? null : people[index]) ?? null;

test('in any organisation the plan names the reviewer that a look at each person finds', async () => {
  await fc.assert(
    fc.asyncProperty(organisation, async ({ managers, homes, heads, leads, parents }) => {
      await deps.db.updateTable('employees').set({ reporting_manager_id: null }).execute();
      for (const [index, id] of departments.entries()) {
        const parent = parents[index];
        // no circles, because superiors are always earlier people
        const parent_id = parent !== undefined && parent < index ? (departments[parent] as number) : null;
        const lead = leads[index] === heads[index] ? undefined : leads[index];
        const fields = { parent_id, manager_id: personAt(heads[index]), team_lead_id: personAt(lead) };
        await deps.db.updateTable('departments').set(fields).where('id', '=', id).execute();
      }
      for (const [index, id] of people.entries()) {
        const manager = managers[index];
        const reporting_manager_id = manager !== undefined && manager < index ? personAt(manager) : null;
        const fields = { reporting_manager_id, department_id: departments[homes[index] ?? 0] as number };
        await deps.db.updateTable('employees').set(fields).where('id', '=', id).execute();
      }
      const { rows: expected } = await reference.execute(deps.db);
      expect((await planned(null).execute(deps.db)).rows).toEqual(expected);
      const few = people.filter((_, index) => index % 4 === 0);
      const { rows: some } = await planned(few).execute(deps.db);
      expect(some).toEqual(expected.filter(({ id }) => few.includes(id)));
    }),
    { numRuns: 20 },
  );
});
