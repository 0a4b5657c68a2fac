import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { dayFromNow as day } from '../../../testing/make-kpi.ts';
import { togetherIn } from '../../../testing/together.ts';

/** A deputy who leaves or loses the right to review while being named is refused, or marked as missing. */

const { as, make, owner } = await startApp();
const together = togetherIn(owner);
const company = await make.entity();
const roles = [{ role: 'HR', entity_ids: [company.id] }];
const hr = await as((await make.employee({ entity_id: company.id, roles })).user_id);
const admin = await as((await make.admin()).user_id);
const lead = () => make.employee({ entity_id: company.id, roles: ['Manager'] });
type Person = Awaited<ReturnType<typeof lead>>;

const name = (person: Person, deputy: Person) => () =>
  hr.post(`/api/employees/${person.id}/absences`, {
    first_day: day(0),
    last_day: day(20),
    deputy_id: deputy.id,
    deputy_tasks: ['kpi_reviews', 'probation_reviews'],
  });
const losses: Record<string, (person: Person) => () => Promise<{ status: number }>> = {
  'loses the role':
    ({ id }) =>
    () =>
      admin.put(`/api/employees/${id}/roles`, { assignments: [] }),
  leaves:
    ({ id }) =>
    () =>
      hr.post(`/api/employees/${id}/deactivate`, { reason: 'On leave for a year' }),
};
const missing = async ({ id }: Person) =>
  (
    await owner.query(
      'select deputy_id::int, deputy_missing_since is not null as is_missing from absences where employee_id = $1',
      [id],
    )
  ).rows;

const cases = Object.keys(losses).flatMap((loss) => [
  [loss, 'before'],
  [loss, 'after'],
]) as [string, string][];

test.each(cases)('a deputy who %s just %s being named', async (loss, when) => {
  const [person, deputy] = [await lead(), await lead()];
  const lose = (losses[loss] as (typeof losses)[string])(deputy);
  const naming = name(person, deputy);
  if (when === 'before') {
    const [lost, named] = await together(lose, naming);
    expect([lost.status, named.status, named.body.errors]).toMatchObject([
      200,
      422,
      { deputy_id: [expect.any(String)] },
    ]);
    expect(await missing(person)).toEqual([]);
  } else {
    const [named, lost] = await together(naming, lose);
    expect([named.status, lost.status]).toEqual([201, 200]);
    expect(await missing(person)).toEqual([{ deputy_id: deputy.id, is_missing: true }]);
  }
});
