import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

/** People who become eligible after publishing: HR adds them, or leaves them out with a reason. */

const testApp = await startApp();
const { as, make, owner } = testApp;
const kpi = kpiMaker(testApp);
const here = await make.entity();
const elsewhere = await make.entity();
const hrOf = async (entityId: number, fields: object = {}) => {
  const roles = [{ role: 'HR', entity_ids: [entityId] }];
  return as((await make.employee({ entity_id: entityId, roles, ...fields })).user_id);
};
const hr = await hrOf(here.id);
const otherHr = await hrOf(elsewhere.id);
const employee = await as((await make.employee({ entity_id: here.id })).user_id);
const reason = 'Starts with the next cycle.';

/** A published cycle of one department, whose member has an evaluation, and a department that is not part of it. */
async function running(fields: object = {}) {
  const head = await make.employee({ entity_id: here.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: here.id, manager_id: head.id });
  const beside = await make.department({ entity_id: here.id, manager_id: head.id });
  const member = await make.employee({ department_id: department.id });
  const template = await kpi.template();
  const cycle = await kpi.cycle({
    entity_id: here.id,
    departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
    ...fields,
  });
  await kpi.evaluation({ cycle_id: cycle.id, employee: member, reviewer: head, template });
  return { cycle, department, beside, head, member, template, url: `/api/kpi-cycles/${cycle.id}` };
}

type Client = typeof hr;
type Row = { employee: { id: number; name: string }; cause: string | null; since: string | null };
const rowsOf = async (client: Client, url: string, list = 'newly-eligible') => {
  const answer = await client.get(`${url}/${list}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as (Row & Record<string, unknown>)[];
};
const idsOf = async (url: string, list?: string) => (await rowsOf(hr, url, list)).map((row) => row.employee.id);
const outcomes = (body: { data: { people: { employee_id: number; outcome: string; reason: string | null }[] } }) =>
  body.data.people.map((one) => [one.employee_id, one.outcome, one.reason]);
const traces = async () =>
  (
    await owner.query(`
    select (select count(*) from kpi_evaluations) as evaluations, (select count(*) from kpi_cycle_left_out) as decisions,
           (select count(*) from notifications) as notices, (select count(*) from audit_log) as audit`)
  ).rows[0] as Record<string, string>;

/** A change in a person's job history, this many days ago. */
const stepOf = (id: number, days: number, field: string) =>
  owner.query(
    `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id,
                              employment_type, employment_lifecycle, created_by_name)
     select id, $2, 'past', array[$3], entity_id, department_id, employment_type, employment_lifecycle, 'HR'
     from employees where id = $1`,
    [id, dayFromNow(-days), field],
  );

describe('the list', () => {
  test('has those who joined, were confirmed, moved or came back, with what adding them gives', async () => {
    const { department, beside, head, template, url } = await running();
    const joined = await make.employee({ department_id: department.id, joining_date: dayFromNow(-15) });
    const confirmed = await make.employee({
      department_id: department.id,
      employment_lifecycle: 'probationary',
      joining_date: dayFromNow(-200),
    });
    const moved = await make.employee({ department_id: beside.id });
    const back = await make.employee({ department_id: department.id, activity_status: 'inactive' });
    expect(await idsOf(url)).toEqual([joined.id]);
    await owner.query(`update employees set employment_lifecycle = 'confirmed' where id = $1`, [confirmed.id]);
    await stepOf(confirmed.id, 3, 'employment_lifecycle');
    await owner.query('update employees set department_id = $2 where id = $1', [moved.id, department.id]);
    await stepOf(moved.id, 2, 'department_id');
    expect((await hr.post(`/api/employees/${back.id}/reactivate`, { reason: 'Back from leave.' })).status).toBe(200);
    const rows = await rowsOf(hr, url);
    const found = new Map(rows.map((row) => [row.employee.id, [row.cause, row.since]]));
    expect(found).toEqual(
      new Map([
        [joined.id, ['joined', dayFromNow(-15)]],
        [confirmed.id, ['confirmed', dayFromNow(-3)]],
        [moved.id, ['moved', dayFromNow(-2)]],
        [back.id, ['returned', dayFromNow(0)]],
      ]),
    );
    expect(rows[0]).toMatchObject({
      department: { id: department.id },
      entity_id: here.id,
      template: { id: template.id, name: template.name },
      reviewer: { id: head.id },
    });
  });

  test('is searched, filtered, sorted and paged', async () => {
    const { department, url } = await running();
    for (const last_name of ['Abel', 'Berg', 'Cole'])
      await make.employee({ department_id: department.id, first_name: 'Ada', last_name });
    const namesOf = async (query: string) => {
      const { body } = await hr.get(`${url}/newly-eligible?${query}`);
      return [body.meta.total, body.data.map((row: Row) => row.employee.name)];
    };
    expect(await namesOf('per_page=2&page=2')).toEqual([3, ['Ada Cole']]);
    expect(await namesOf('sort_direction=desc&per_page=1')).toEqual([3, ['Ada Cole']]);
    expect(await namesOf('search=berg')).toEqual([1, ['Ada Berg']]);
    expect(await namesOf(`department_id=${department.id + 1_000}`)).toEqual([0, []]);
    expect(await namesOf('sort_by=department_name')).toEqual([3, ['Ada Abel', 'Ada Berg', 'Ada Cole']]);
  });

  test('keeps to the rules of the cycle, its published departments and its company', async () => {
    const { cycle, department, beside, template, url } = await running({ min_service_days: 40 });
    await make.employee({ department_id: department.id, employment_lifecycle: 'probationary' });
    await make.employee({ department_id: department.id, joining_date: dayFromNow(-15) });
    await make.employee({ department_id: department.id, activity_status: 'inactive' });
    await make.employee({ department_id: beside.id });
    await kpi.evaluation({
      cycle_id: cycle.id,
      employee: await make.employee({ department_id: department.id }),
      status: 'cancelled',
      template,
    });
    expect(await idsOf(url)).toEqual([]);
    const late = await make.employee({ department_id: department.id });
    expect(await idsOf(url)).toEqual([late.id]);
    for (const [status, publishing] of [
      ['closed', null],
      ['published', 5],
    ]) {
      await owner.query(
        'update kpi_cycles set status = $2, publishing_total = $3, publishing_processed = $3 where id = $1',
        [cycle.id, status, publishing],
      );
      expect(await idsOf(url)).toEqual([]);
    }
  });

  test('has people of the own companies alone, and no one asks without the permission to publish', async () => {
    const shared = await running({ entity_id: null });
    const far = await make.department({ entity_id: elsewhere.id });
    const { id: template_id } = await kpi.template();
    await owner.query(
      `insert into kpi_cycle_departments (cycle_id, department_id, template_id, is_published, published_at)
       values ($1, $2, $3, true, now())`,
      [shared.cycle.id, far.id, template_id],
    );
    const [near, theirs] = [
      await make.employee({ department_id: shared.department.id }),
      await make.employee({ department_id: far.id }),
    ];
    expect((await rowsOf(hr, shared.url)).map((row) => row.employee.id)).toEqual([near.id]);
    expect((await rowsOf(otherHr, shared.url)).map((row) => row.employee.id)).toEqual([theirs.id]);
    const { url } = await running();
    for (const list of ['newly-eligible', 'left-out']) {
      expect((await otherHr.get(`${url}/${list}`)).status).toBe(404);
      expect((await employee.get(`${url}/${list}`)).status).toBe(403);
    }
  });
});

describe('leaving out', () => {
  test('takes people off the list; publishing again does not add them, the preflight names them', async () => {
    const { cycle, department, url } = await running();
    const out = await make.employee({ department_id: department.id });
    const late = await make.employee({ department_id: department.id });
    const before = (await hr.get(`${url}/preflight`)).body.data;
    expect([before.to_create, before.newly_eligible_count]).toEqual([2, 2]);
    expect(before.newly_eligible.map((row: Row) => row.employee.id).toSorted()).toEqual([out.id, late.id]);
    const answer = await hr.post(`${url}/left-out`, { employee_ids: [out.id, out.id], reason });
    expect([answer.status, answer.body.message]).toEqual([200, '1 person excluded, 0 couldn’t be.']);
    expect(outcomes(answer.body)).toEqual([[out.id, 'left_out', null]]);
    expect(await idsOf(url)).toEqual([late.id]);
    expect(await rowsOf(hr, url, 'left-out')).toMatchObject([
      { employee: { id: out.id }, department: { id: department.id }, reason, allowed_actions: ['delete'] },
    ]);
    const after = (await hr.get(`${url}/preflight`)).body.data;
    expect([after.to_create, after.newly_eligible_count]).toEqual([1, 1]);
    expect(after.excluded.map((row: { employee: Row['employee']; reason: string }) => [row.employee.id, row.reason]))
      .toEqual([[out.id, 'left_out']]); // prettier-ignore
    const stale = await hr.post(`${url}/publish`, { plan_hash: before.plan_hash });
    expect([stale.status, Object.keys(stale.body.errors)]).toEqual([422, ['status', 'plan_hash']]);
    expect((await hr.post(`${url}/publish`, {})).body.result).toMatchObject({ created: 1, blocked: 1 });
    const { rows } = await owner.query(
      `select action, changes, reason from audit_log where subject_id = $1 and action = 'kpi_cycle.people_left_out'`,
      [cycle.id],
    );
    expect(rows).toEqual([
      {
        action: 'kpi_cycle.people_left_out',
        changes: { people: { from: null, to: [out.employee_number] } },
        reason,
      },
    ]);
  });

  test('is undone, and the person is newly eligible again', async () => {
    const { cycle, department, url } = await running();
    const out = await make.employee({ department_id: department.id });
    await hr.post(`${url}/left-out`, { employee_ids: [out.id], reason });
    const undone = await hr.delete(`${url}/left-out/${out.id}`);
    expect([undone.status, await idsOf(url), await idsOf(url, 'left-out')]).toEqual([204, [out.id], []]);
    expect((await hr.delete(`${url}/left-out/${out.id}`)).status).toBe(404);
    const { rows } = await owner.query(
      `select changes from audit_log where subject_id = $1 and action = 'kpi_cycle.leaving_out_undone'`,
      [cycle.id],
    );
    expect(rows).toEqual([{ changes: { people: { from: [out.employee_number], to: null } } }]);
  });

  test('ends when HR adds the person by name, also if the evaluation is cancelled later', async () => {
    const { cycle, department, url } = await running();
    const person = await make.employee({ department_id: department.id });
    await hr.post(`${url}/left-out`, { employee_ids: [person.id], reason });
    expect((await hr.post(`${url}/people`, { employee_ids: [person.id] })).body.data.counts.added).toBe(1);
    expect([await idsOf(url), await idsOf(url, 'left-out')]).toEqual([[], []]);
    await owner.query(
      `update kpi_evaluations set status = 'cancelled', cancelled_at = now(), cancelled_from = status, cancel_reason = 'x'
       where cycle_id = $1 and employee_id = $2`,
      [cycle.id, person.id],
    );
    expect([await idsOf(url), await idsOf(url, 'left-out')]).toEqual([[], []]);
  });

  test('does not bind a person who joins again', async () => {
    const { cycle, department, url } = await running({ end_date: dayFromNow(60) });
    const person = await make.employee({ department_id: department.id });
    await hr.post(`${url}/left-out`, { employee_ids: [person.id], reason });
    await owner.query(`update kpi_cycle_left_out set decided_at = now() - interval '9 days' where cycle_id = $1`, [
      cycle.id,
    ]);
    await owner.query('update employees set joining_date = $2 where id = $1', [person.id, dayFromNow(-2)]);
    expect([await idsOf(url), await idsOf(url, 'left-out')]).toEqual([[person.id], []]);
    await hr.post(`${url}/left-out`, { employee_ids: [person.id], reason });
    expect([await idsOf(url), await idsOf(url, 'left-out')]).toEqual([[], [person.id]]);
  });

  test('on the first day binds, by the day in the company', async () => {
    const ahead = await make.entity({ timezone: 'Pacific/Kiritimati' });
    const department = await make.department({ entity_id: ahead.id });
    const template = await kpi.template();
    const cycle = await kpi.cycle({
      entity_id: ahead.id,
      end_date: dayFromNow(60),
      departments: [{ department_id: department.id, template_id: template.id, is_published: true }],
    });
    const url = `/api/kpi-cycles/${cycle.id}`;
    const client = await hrOf(ahead.id);
    const person = await make.employee({ department_id: department.id, joining_date: dayFromNow(-3) });
    expect((await client.post(`${url}/left-out`, { employee_ids: [person.id], reason })).status).toBe(200);
    const found = async () =>
      Promise.all(
        ['newly-eligible', 'left-out'].map(async (list) =>
          (await rowsOf(client, url, list)).map((row) => row.employee.id).filter((id) => id === person.id),
        ),
      );
    const decidedAt = (time: string) =>
      owner.query(
        `update kpi_cycle_left_out set decided_at = ($2::date + $3::time) at time zone 'Pacific/Kiritimati'
         where cycle_id = $1`,
        [cycle.id, dayFromNow(-3), time],
      );
    await decidedAt('08:00');
    expect(await found()).toEqual([[], [person.id]]);
    await owner.query('update employees set joining_date = joining_date + 1 where id = $1', [person.id]);
    await decidedAt('23:00');
    expect(await found()).toEqual([[person.id], []]);
  });

  test('each person who cannot be left out is named with the reason', async () => {
    const { department, beside, member, url } = await running();
    const self = await make.employee({
      department_id: department.id,
      roles: [{ role: 'HR', entity_ids: [here.id] }],
    });
    const [stranger, off, out] = [
      await make.employee({ entity_id: elsewhere.id }),
      await make.employee({ department_id: beside.id }),
      await make.employee({ department_id: department.id }),
    ];
    await hr.post(`${url}/left-out`, { employee_ids: [out.id], reason });
    const before = await traces();
    const own = await as(self.user_id);
    const employee_ids = [self.id, member.id, off.id, out.id, stranger.id, 9_999_999];
    const { status, body } = await own.post(`${url}/left-out`, { employee_ids, reason });
    expect([status, body.data.counts]).toEqual([200, { total: 6, left_out: 0, refused: 6 }]);
    expect(outcomes(body)).toEqual([
      [self.id, 'refused', 'You can’t decide about yourself.'],
      [member.id, 'refused', 'This person already has an evaluation in this cycle.'],
      [off.id, 'refused', 'This person isn’t newly eligible in this cycle.'],
      [out.id, 'refused', 'This person is already excluded.'],
      [stranger.id, 'refused', 'Not found.'],
      [9_999_999, 'refused', 'Not found.'],
    ]);
    expect(body.data.people.at(-2).employee).toBeNull();
    expect(await traces()).toEqual(before);
  });

  test('bad input and missing rights change nothing', async () => {
    const { cycle, department, url } = await running();
    const late = await make.employee({ department_id: department.id });
    const out = await make.employee({
      department_id: department.id,
      roles: [{ role: 'HR', entity_ids: [here.id] }],
    });
    await hr.post(`${url}/left-out`, { employee_ids: [out.id], reason });
    const before = await traces();
    for (const [body, field] of [
      [{ reason }, 'employee_ids'],
      [{ employee_ids: [], reason }, 'employee_ids'],
      [{ employee_ids: [late.id] }, 'reason'],
      [{ employee_ids: [late.id], reason: 'short' }, 'reason'],
      [{ employee_ids: Array.from({ length: 501 }, (_, index) => index + 1), reason }, 'employee_ids'],
    ] as const) {
      const { status, body: refused } = await hr.post(`${url}/left-out`, body);
      expect([status, Object.keys(refused.errors)], JSON.stringify(refused)).toEqual([422, [field]]);
    }
    const asked = { employee_ids: [late.id], reason };
    expect((await employee.post(`${url}/left-out`, asked)).status).toBe(403);
    expect((await otherHr.post(`${url}/left-out`, asked)).status).toBe(404);
    expect((await employee.delete(`${url}/left-out/${out.id}`)).status).toBe(403);
    expect((await otherHr.delete(`${url}/left-out/${out.id}`)).status).toBe(404);
    expect((await hr.delete(`${url}/left-out/${late.id}`)).status).toBe(404);
    expect((await (await as(out.user_id)).delete(`${url}/left-out/${out.id}`)).status).toBe(403);
    for (const [status, publishing] of [
      ['draft', null],
      ['closed', null],
      ['published', 5],
    ]) {
      await owner.query(
        'update kpi_cycles set status = $2, publishing_total = $3, publishing_processed = $3 where id = $1',
        [cycle.id, status, publishing],
      );
      expect((await hr.post(`${url}/left-out`, asked)).status).toBe(422);
      expect((await hr.delete(`${url}/left-out/${out.id}`)).status).toBe(422);
    }
    expect(await traces()).toEqual(before);
  });
});

describe('at the same moment', () => {
  test('a person who is added and left out gets one of the two', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { department, url } = await running();
      const late = await make.employee({ department_id: department.id });
      const [added, out] = await Promise.all([
        hr.post(`${url}/people`, { employee_ids: [late.id] }),
        hr.post(`${url}/left-out`, { employee_ids: [late.id], reason }),
      ]);
      expect(added.body.data.counts.added).toBe(1);
      // either left out first, then added by name; or added first, and leaving out is refused
      expect(await idsOf(url, 'left-out')).toEqual([]);
      expect(out.body.data.counts.left_out + out.body.data.counts.refused).toBe(1);
      expect(await idsOf(url)).toEqual([]);
    }
  });

  test('a person added twice gets one evaluation, and publishing again respects the decision', async () => {
    const { cycle, department, url } = await running();
    const [late, out] = [
      await make.employee({ department_id: department.id }),
      await make.employee({ department_id: department.id }),
    ];
    const add = () => hr.post(`${url}/people`, { employee_ids: [late.id] });
    const both = await Promise.all([add(), add()]);
    expect(both.reduce((sum, { body }) => sum + body.data.counts.added, 0)).toBe(1);
    const [left, published] = await Promise.all([
      hr.post(`${url}/left-out`, { employee_ids: [out.id], reason }),
      hr.post(`${url}/publish`, {}),
    ]);
    expect(left.body.data.counts.left_out + published.body.result.created).toBe(1);
    const { rows } = await owner.query(
      'select employee_id::int as id from kpi_evaluations where cycle_id = $1 and employee_id = any($2)',
      [cycle.id, [late.id, out.id]],
    );
    expect(rows.map(({ id }) => id)).toEqual(published.body.result.created ? [late.id, out.id] : [late.id]);
  });
});
