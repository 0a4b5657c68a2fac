import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { remindOfEndings } from './reminders.ts';

const app = await startApp();
const beside = await startApp({}, { beside: app });
const { make, deps, owner } = app;
const probation = probationMaker(app);
const london = await make.entity({ timezone: 'Europe/London' });
const { id: department_id } = await make.department({ entity_id: london.id });
const omar = await make.employee({ department_id, roles: ['Manager'] });
const hana = await make.employee({ roles: ['HR'] });

/** Far in the future, so that everything the factories wrote is in the past. */
const end = Temporal.PlainDate.from({ year: Temporal.Now.plainDateISO('UTC').year + 1, month: 4, day: 2 });
const at = (daysFromEnd: number, time = '08:00') =>
  end.add({ days: daysFromEnd }).toZonedDateTime({ timeZone: 'Europe/London', plainTime: time }).toInstant();

const reminders = () =>
  deps.db
    .selectFrom('notifications')
    .select(['user_id', 'url', 'dedupe_key', 'params'])
    .where('event', '=', 'probation_ending_reminder')
    .orderBy('id')
    .execute();

/** Runs the job at that time; its notifications have that time too. */
async function run(now: Temporal.Instant, one = app): Promise<number[]> {
  const before = (await reminders()).length;
  await remindOfEndings({ deps: one.deps, now });
  await owner.query('update notifications set created_at = $1 where created_at <= now()', [now.toString()]);
  return (await reminders())
    .slice(before)
    .map(({ user_id }) => user_id)
    .toSorted((a, b) => a - b);
}

/** Whom the job reminded on which days, counted from the end, when it runs several times a day. */
async function daysReminded(from: number, to: number) {
  const days: [number, number[]][] = [];
  for (let day = from; day <= to; day += 1)
    for (const time of ['07:45', '08:00', '08:15']) {
      const people = await run(at(day, time));
      if (people.length > 0) days.push([day, people]);
    }
  return days;
}

const [both, onlyHr] = [[omar.user_id, hana.user_id], [hana.user_id]];
const onProbation = (fields: Parameters<typeof probation.person>[0] = {}) =>
  probation.person({ department_id, probation_end_date: end.toString(), ...fields });
const open = (employee: MadeEmployee, fields: Parameters<typeof probation.review>[0] = {}) =>
  probation.review({ employee, reviewer: omar, ...fields });

beforeEach(async () => {
  await owner.query('delete from probation_signatures');
  await owner.query('delete from probation_reviews');
  await owner.query('delete from notifications');
  await owner.query(`update employees set employment_lifecycle = 'confirmed'`);
});

describe('a probation that ends', () => {
  test('reminds reviewer and HR on the days of the setting, and HR each day after its end', async () => {
    const { id } = await open(await onProbation());
    expect(await daysReminded(-31, 2)).toEqual([
      [-30, both],
      [-14, both],
      [-7, both],
      [-1, both],
      [1, onlyHr],
      [2, onlyHr],
    ]);
    expect((await reminders())[0]).toMatchObject({
      url: `/probation/${id}`,
      params: { date: end.toString() },
    });
  });

  test('reminds HR where it has no reviewer', async () => {
    const { id } = await onProbation();
    expect(await daysReminded(-15, -6)).toEqual([
      [-15, onlyHr],
      [-14, onlyHr],
      [-7, onlyHr],
    ]);
    expect((await reminders())[0]?.url).toBe(`/employees/${id}`);
  });

  test('reminds who decides when it was handed in, and not when it is decided', async () => {
    const [waiting, decided] = [await onProbation(), await onProbation()];
    await open(waiting, { status: 'submitted' });
    await open(decided, { status: 'approved', probation_end_date: end.toString() });
    expect(await run(at(-7))).toEqual(onlyHr);
    expect(await run(at(1))).toEqual(onlyHr);
  });

  test('reminds the administrators alone of what only they decide, and not its author', async () => {
    const [root, boss] = [await make.admin(), await onProbation({ roles: ['Admin'] })];
    await open(boss, { status: 'submitted' });
    expect(await run(at(-7))).toEqual([root.user_id]);
    await open(await onProbation(), { status: 'submitted', reviewer: hana });
    expect(await run(at(-1))).toEqual([root.user_id, boss.user_id, root.user_id].toSorted((a, b) => a - b));
  });

  test('does not remind a reviewer of what was given to them that day', async () => {
    const employee = await onProbation();
    await open(employee, { status_changed_at: at(-30, '00:15').toString() });
    expect(await run(at(-30))).toEqual(onlyHr);
    expect(await run(at(-14))).toEqual(both);
  });

  test('makes up once for days without jobs, and reminds once from several processes', async () => {
    await open(await onProbation());
    expect(await run(at(-5))).toEqual(both);
    expect(await run(at(-4))).toEqual([]);
    const now = at(-1);
    await Promise.all([app, beside, app].map((one) => remindOfEndings({ deps: one.deps, now })));
    expect(await reminders()).toHaveLength(4);
  });

  test('tells neither leavers nor the person', async () => {
    const left = await make.employee({ department_id, roles: ['Manager'], activity_status: 'inactive' });
    const employee = await onProbation({ roles: ['HR'] });
    await open(employee, { reviewer: left });
    expect(await run(at(-7))).toEqual(onlyHr);
    expect(await run(at(5))).toEqual(onlyHr);
    await onProbation({ activity_status: 'inactive' });
    await onProbation({ probation_end_date: null });
    expect(await run(at(5, '09:00'))).toEqual([]);
    await owner.query(`update employees set activity_status = 'inactive' where id = $1`, [employee.id]);
  });

  test('reminds the deputy of an absent reviewer, and no one who is absent', async () => {
    const deputy = await make.employee({ department_id, roles: ['Manager'] });
    const since = Temporal.Now.plainDateISO('UTC').subtract({ days: 2 }).toString();
    const away = ({ id }: MadeEmployee, by: number | null = null) =>
      owner.query(
        `insert into absences (employee_id, first_day, deputy_id, deputy_tasks)
         values ($1, $2, $3::bigint, case when $3::bigint is null then '{}' else '{probation_reviews}' end::text[])`,
        [id, since, by],
      );
    await open(await onProbation());
    await away(omar, deputy.id);
    expect(await run(at(-30))).toEqual([hana.user_id, deputy.user_id]);
    await away(hana);
    expect(await run(at(-14))).toEqual([deputy.user_id]);
    await owner.query('delete from absences');
    expect(await run(at(-7))).toEqual(both);
  });

  test('does not remind where the setting is off', async () => {
    await open(await onProbation());
    const set = (on: boolean) =>
      owner.query(
        `update notification_settings set in_app = $1, email = $1 where event = 'probation_ending_reminder'`,
        [on],
      );
    await set(false);
    expect(await run(at(-7))).toEqual([]);
    await set(true);
    expect(await run(at(-7))).toEqual(both);
  });
});
