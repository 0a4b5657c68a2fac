import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { moveTesting } from '../../testing/moves.ts';
import { togetherIn } from '../../testing/together.ts';

/** A file moves people to another department while their evaluations start or their former move is decided. */

const app = await startApp();
const { make, owner } = app;
const { kpi, here, hr, template, place, moved, openOf } = await moveTesting(app);

/** The last step of importing a file that moves a person. */
async function fileWith(person: { employee_number: string }, to: { id: number }) {
  const { rows } = await owner.query<{ name: string }>('select name from departments where id = $1', [to.id]);
  const content = `employee_number,department\n${person.employee_number},${rows[0]?.name}`;
  const options = { on_conflict: 'update', dry_run: '1' };
  const checked = await hr.upload('/api/employees/import', { name: 'moves.csv', content }, options);
  expect(checked.body.data).toMatchObject({ status: 'preview', counts: { updated: 1, failed: 0 } });
  const { id } = checked.body.data as { id: number };
  return {
    write: () => hr.post(`/api/employees/imports/${id}/commit`),
    // these rows are written after the people
    together: togetherIn(owner, `select from import_rows where import_id = ${id} for update`),
  };
}

const departmentsOf = async (ids: readonly number[]) =>
  (
    await owner.query(
      'select department_id::int, moved_since is not null as is_moved from kpi_evaluations where id = any($1) order by id',
      [ids],
    )
  ).rows;

test('a person whom a file moves gets no evaluation of the former department without a question', async () => {
  const [from, next] = [await place(), await place()];
  const person = await make.employee({ department_id: from.id, entity_id: here.id, employment_lifecycle: 'confirmed' });
  const departments = [{ department_id: from.id, template_id: template.old.id }];
  const cycle = await kpi.cycle({ entity_id: here.id, status: 'draft', departments });
  const { write, together } = await fileWith(person, next);
  const [written, published] = await together(write, () => hr.post(`/api/kpi-cycles/${cycle.id}/publish`, {}));
  expect([written.status, written.body.data.status, published.status]).toEqual([200, 'completed', 200]);
  expect(await departmentsOf(await openOf(cycle.id, person.id))).toEqual([]);
});

test.each(['stay', 'switch'])(
  'a person whom a file moves again: %s is about the department of now',
  async (decision) => {
    const { decide, cycle, person, from, id } = await moved();
    const third = await place();
    const { write, together } = await fileWith(person, third);
    const [written, decided] = await together(write, () => decide(decision));
    // the third department is not part of the cycle
    expect([written.body.data.status, decided.status]).toEqual(['completed', decision === 'stay' ? 200 : 422]);
    expect(await openOf(cycle.id, person.id)).toEqual([id]);
    const { rows } = await owner.query(
      'select department_id::int, kept_department_id::int, moved_since is not null as is_moved from kpi_evaluations where id = $1',
      [id],
    );
    const isKept = decision === 'stay';
    expect(rows).toEqual([{ department_id: from.id, kept_department_id: isKept ? third.id : null, is_moved: !isKept }]);
  },
);
