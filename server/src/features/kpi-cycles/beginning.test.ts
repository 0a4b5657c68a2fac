import { expect, test } from 'vitest';
import { brokenInvariants } from '../../invariants/invariants.ts';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/** The initial values of a new evaluation, whether the publishing statement knows them or a trigger looks them up. */

const testApp = await startApp();
const { as, make, owner, deps } = testApp;
const kpi = kpiMaker(testApp);
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const head = await make.employee({ roles: ['Manager'] });
const template = await kpi.template();

async function draft(closes: string) {
  const department = await make.department({ manager_id: head.id });
  const cycle = await kpi.cycle({
    status: 'draft',
    self_assessment_opens_on: dayFromNow(-3),
    self_assessment_closes_on: closes,
    departments: [{ department_id: department.id, template_id: template.id }],
  });
  const person = async (fields: { without_sign_in?: true; away?: string | null } = {}) => {
    const { away, without_sign_in } = fields;
    const { id } = await make.employee({ department_id: department.id });
    if (without_sign_in) await owner.query('update employees set user_id = null, email = null where id = $1', [id]);
    if (away !== undefined)
      await owner.query(`insert into absences (employee_id, first_day, last_day) values ($1, $2, $3)`, [
        id,
        dayFromNow(-5),
        away,
      ]);
    return id;
  };
  return { cycle, person };
}

type Begun = { employee_id: number; stage_open_until: string | null; due_on: string; person_signs_in: boolean };
const begun = async (cycle: number) =>
  (
    await owner.query<Begun>(
      `select employee_id::int, stage_open_until::text, due_on::text, person_signs_in from kpi_evaluations
       where cycle_id = $1 order by employee_id`,
      [cycle],
    )
  ).rows;

/** Stored figures, candidates and due days that differ from a full computation. */
const wrong = async () =>
  (await brokenInvariants(deps.db)).filter((line) => /differs|noted|due on another day/.test(line));

test('a published evaluation has the day of its window, or that after an absence', async () => {
  const { cycle, person } = await draft(dayFromNow(6));
  const [here, away, back, open] = [
    await person(),
    await person({ away: dayFromNow(20) }),
    await person({ away: dayFromNow(2) }),
    await person({ away: null }),
  ];
  expect((await hr.post(`/api/kpi-cycles/${cycle.id}/publish`, {})).status).toBe(200);
  const usual = { stage_open_until: null, due_on: dayFromNow(6), person_signs_in: true };
  expect(await begun(cycle.id)).toEqual([
    { employee_id: here, ...usual },
    { employee_id: away, ...usual, stage_open_until: dayFromNow(24), due_on: dayFromNow(24) },
    { employee_id: back, ...usual },
    { employee_id: open, ...usual },
  ]);
  expect(await wrong()).toEqual([]);
});

test('a window that ends too soon leaves the least days, and people without a sign-in begin with the review', async () => {
  const { cycle, person } = await draft(dayFromNow(1));
  const here = await person();
  const without = await person({ without_sign_in: true });
  expect((await hr.post(`/api/kpi-cycles/${cycle.id}/publish`, {})).status).toBe(200);
  expect(await begun(cycle.id)).toMatchObject([
    { employee_id: here, stage_open_until: dayFromNow(3), due_on: dayFromNow(3), person_signs_in: true },
    { employee_id: without, person_signs_in: false },
  ]);
  expect(await wrong()).toEqual([]);
});

test('rows that the release before inserts, several at once, have the same and are counted', async () => {
  const { cycle, person } = await draft(dayFromNow(6));
  const [here, away, without] = [
    await person(),
    await person({ away: dayFromNow(20) }),
    await person({ without_sign_in: true }),
  ];
  const gone = await make.employee({ employment_lifecycle: 'resigned', activity_status: 'inactive' });
  await owner.query(
    `insert into kpi_evaluations (cycle_id, employee_id, entity_id, department_id, reviewer_id, template_id, template_name,
       template_version, scale_min, scale_max, score_step, person_sort, status, overall_percentage, performance_flag)
     select $1, e.id, e.entity_id, e.department_id, $2, $3, 't', 1, 1, 5, 1, fold(e.name),
            case when e.id = $6 then 'completed' else 'self_assessment' end,
            case when e.id = $6 then 72.5 end, case when e.id = $6 then 'standard' end
     from employees e where e.id in ($4, $5, $6) order by e.id`,
    [cycle.id, gone.id, template.id, here, away, without],
  );
  expect(await begun(cycle.id)).toEqual([
    { employee_id: here, stage_open_until: null, due_on: dayFromNow(6), person_signs_in: true },
    { employee_id: away, stage_open_until: dayFromNow(24), due_on: dayFromNow(24), person_signs_in: true },
    { employee_id: without, stage_open_until: null, due_on: null, person_signs_in: false },
  ]);
  const noted = async () =>
    (await owner.query('select from offboarding_candidates where employee_id = $1', [gone.id])).rowCount;
  expect(await noted()).toBeGreaterThan(0);
  expect(await wrong()).toEqual([]);
  // from one group to another, several at once, with and without a band
  const move = `update kpi_evaluations set status = 'completed', performance_flag = 'hipo',
                  overall_percentage = 50 + 10 * (employee_id % 5) where cycle_id = $1`;
  await owner.query(move, [cycle.id]);
  expect(await wrong()).toEqual([]);
  await owner.query(`update kpi_evaluations set status = 'hr_review' where cycle_id = $1 and employee_id <> $2`, [
    cycle.id,
    here,
  ]);
  expect(await wrong()).toEqual([]);
  await owner.query('delete from kpi_evaluations where cycle_id = $1', [cycle.id]);
  expect(await wrong()).toEqual([]);
});
