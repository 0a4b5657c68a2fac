import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { moveTesting } from '../../testing/moves.ts';

/** The evaluation of a person who moved, in two parts with separate workflows. */

const app = await startApp();
const { as, make, owner } = app;
const { rowOf, historyOf, itemsOf, notificationsOf, unchanged } = evaluationTesting(app);
const { kpi, hr, hrPerson, everywhere, reason, template, place, moved, openOf } = await moveTesting(app);

// 100 days before the move, 21 since
const days = { start_date: dayFromNow(-100), end_date: dayFromNow(20) };
const one = { number: 1, from: days.start_date, until: dayFromNow(-1), days: 100 };
const two = { number: 2, from: dayFromNow(0), until: days.end_date, days: 21 };
const path = (id: number, step = '') => `/api/kpi-evaluations/${id}${step && `/${step}`}`;
type Moved = Awaited<ReturnType<typeof moved>>;

/** A person whose evaluation is in two parts. */
async function divided(options: Parameters<typeof moved>[0] = {}) {
  const all = await moved({ days, ...options });
  const { status, body } = await all.decide('split');
  expect([status, body.message]).toEqual([200, 'The evaluation is in two parts now.']);
  return { ...all, first: all.id, second: body.data.evaluation_id as number };
}

const put = (id: number, set: string) => owner.query(`update kpi_evaluations set ${set} where id = $1`, [id]);
const complete = (id: number, percentage: number) =>
  put(
    id,
    `status = 'completed', completed_at = now(), overall_score = 4, overall_percentage = ${percentage},
     performance_flag = 'standard'`,
  );
const refusedSplit = async ({ decide, id }: Moved, message: string) =>
  unchanged(id, async () => {
    const { status, body } = await decide('split');
    expect([status, body.errors]).toEqual([422, { status: [message] }]);
  });

describe('a split', () => {
  test('is offered with the days of both parts, ends one and begins the other', async () => {
    const all = await moved({ days, status: 'manager_review' });
    const { url, decide, cycle, person, from, next, id } = all;
    const [listed] = (await hr.get(url)).body.data;
    expect(listed).toMatchObject({ parts: [one, two], split_refusal: null, refusal: null });
    await unchanged(id, async () => {
      const dry = await decide('split', { dry_run: true });
      expect([dry.status, dry.body.data.evaluation_id, dry.body.data.move.parts]).toEqual([200, null, [one, two]]);
    });
    const { status, body } = await decide('split');
    expect([status, body.message]).toEqual([200, 'The evaluation is in two parts now.']);
    const second = body.data.evaluation_id as number;
    expect(await openOf(cycle.id, person.id)).toEqual([id, second]);
    expect(await rowOf(id)).toMatchObject({
      status: 'manager_review',
      department_id: String(from.id),
      reviewer_id: String(from.head.id),
      cycle_days: 121,
      employed_days: 100,
    });
    expect(await rowOf(second)).toMatchObject({
      status: 'self_assessment',
      department_id: String(next.id),
      template_id: String(template.new.id),
      reviewer_id: String(next.head.id),
      cycle_days: 121,
      employed_days: 21,
    });
    expect((await historyOf(id)).at(-1)).toEqual([
      'split',
      'manager_review',
      'manager_review',
      reason,
      1,
      hrPerson.user_id,
    ]);
    expect((await historyOf(second)).map(([action]) => action)).toEqual(['add']);
    expect(await notificationsOf(id)).toEqual([]);
    expect(await notificationsOf(second)).toEqual([['kpi_evaluation_assigned', 'plain', person.user_id]]);
    const { data: notified } = (await (await as(person.user_id)).get('/api/notifications')).body;
    expect(notified.map(({ title }: { title: string }) => title)).toContain(
      `Your ${cycle.name} (2/2) evaluation has started`,
    );
    expect((await hr.get(url)).body.meta.total).toBe(0);
    const tasks = await hr.get('/api/actionable-items?kind=kpi_move&per_page=100');
    expect(tasks.body.data.map((task: { subject: { id: number } }) => task.subject.id)).not.toContain(id);
  });

  test('stays two parts when the cycle is published again, or the person is added', async () => {
    const { cycle, person, first, second } = await divided();
    const plan = (await hr.get(`/api/kpi-cycles/${cycle.id}/preflight`)).body.data;
    expect([plan.to_create, plan.existing]).toEqual([0, 1]);
    await hr.post(`/api/kpi-cycles/${cycle.id}/publish`);
    expect(await openOf(cycle.id, person.id)).toEqual([first, second]);
    const tasks = (await (await as(person.user_id)).get('/api/actionable-items?kind=kpi_self_assessment')).body.data;
    expect(tasks.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      `Submit your self-assessment for ${cycle.name} (1/2)`,
      `Submit your self-assessment for ${cycle.name} (2/2)`,
    ]);
    const added = await hr.post(`/api/kpi-cycles/${cycle.id}/people`, { employee_ids: [person.id] });
    expect(added.body.data.counts).toEqual({ total: 1, added: 0, refused: 1 });
  });

  test('reduces prorated targets to the days of each part, and computes entered scores again', async () => {
    const measured = {
      item_type: 'measured',
      direction: 'higher_better',
      target_value: 1_210,
      prorate: true,
      weight: 10_000,
    } as const;
    const old = await kpi.template({ entity_id: hrPerson.entity_id, items: [measured] });
    const { decide, id, from } = await moved({
      days,
      old,
      status: 'manager_review',
      answers: [{ self_actual_value: 1_000, manager_actual_value: 1_000, self_score: 3, manager_score: 3 }],
    });
    await put(id, 'cycle_days = 121, employed_days = 121');
    expect((await decide('split')).status).toBe(200);
    const [item] = (await (await as(from.head.user_id)).get(path(id))).body.data.items;
    expect(item.proration).toMatchObject({ employed_days: 100, cycle_days: 121, target_value: 1_000 });
    // 1,000 of 1,000 instead of 1,000 of 1,210
    expect((await itemsOf(id))[0]).toMatchObject({ self_score: 4, manager_score: 4 });
  });

  test('follows a new last working day within its part only', async () => {
    const { person, first, second } = await divided();
    const left = dayFromNow(9);
    await owner.query("update employees set employment_lifecycle = 'resigned', last_working_date = $1 where id = $2", [
      left,
      person.id,
    ]);
    const counted = await owner.query(
      `select array_agg(kpi_employed_days(cycle_id, employee_id, covers_from, covers_until) order by id) as days
       from kpi_evaluations where id = any($1)`,
      [[first, second]],
    );
    expect(counted.rows[0].days).toEqual([100, 10]);
  });

  test('of two decisions at once one holds', async () => {
    const { decide, cycle, person } = await moved({ days });
    const answers = await Promise.all([decide('split'), decide('split'), decide('switch')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    const open = await openOf(cycle.id, person.id);
    expect(open).toHaveLength(answers[2]?.status === 200 ? 1 : 2);
  });
});

describe('no split', () => {
  test('of a move outside of the cycle', async () => {
    const all = await moved();
    const [listed] = (await hr.get(all.url)).body.data;
    const message = 'The person has no days of employment in the cycle before or after the move.';
    expect(listed).toMatchObject({ parts: null, split_refusal: message, refusal: null });
    await refusedSplit(all, message);
    await refusedSplit(await moved({ days: { ...days, start_date: dayFromNow(0) } }), message);
  });

  test('of a part: a person who moves again keeps or switches the second one', async () => {
    const { cycle, person, first, second } = await divided();
    const third = await place();
    await owner.query(
      `insert into kpi_cycle_departments (cycle_id, department_id, template_id, is_published, published_at)
       values ($1, $2, $3, true, now())`,
      [cycle.id, third.id, template.new.id],
    );
    await everywhere.put(`/api/employees/${person.id}`, { department_id: third.id });
    const url = `/api/kpi-cycles/${cycle.id}/moves`;
    const { data } = (await hr.get(url)).body;
    expect(data).toMatchObject([{ evaluation_id: second, to_department: { id: third.id } }]);
    const body = { evaluation_id: second, reason };
    await unchanged(second, async () => {
      expect((await hr.post(url, { ...body, decision: 'split' })).body.errors).toEqual({
        status: ['The evaluation is already one of two parts. Keep it or switch.'],
      });
    });
    const { status, body: answer } = await hr.post(url, { ...body, decision: 'switch' });
    expect([status, answer.errors]).toEqual([200, undefined]);
    const fresh = answer.data.evaluation_id as number;
    expect(await openOf(cycle.id, person.id)).toEqual([first, fresh]);
    expect((await hr.get(path(fresh))).body.data).toMatchObject({ part: two, department: { id: third.id } });
  });

  test('of a person who was in another department in between', async () => {
    const all = await moved({ days });
    const third = await place();
    await everywhere.put(`/api/employees/${all.person.id}`, { department_id: third.id });
    await owner.query(`update job_history set effective_from = $2 where employee_id = $1 and department_id = $3`, [
      all.person.id,
      dayFromNow(-30),
      all.next.id,
    ]);
    const message = 'The person was in another department in between. Keep the evaluation or switch.';
    expect((await hr.get(all.url)).body.data[0]).toMatchObject({ parts: null, split_refusal: message });
    await refusedSplit(all, message);
  });

  test('without a template for the second part; a chosen one counts', async () => {
    const all = await moved({ days });
    await owner.query('delete from kpi_cycle_departments where cycle_id = $1 and template_id = $2', [
      all.cycle.id,
      template.new.id,
    ]);
    await refusedSplit(all, 'The department has no template in this cycle. Select one.');
    expect((await all.decide('split', { template_id: template.new.id })).status).toBe(200);
  });

  test('by people who may not decide, of the own evaluation, or of one that changed', async () => {
    const { decide, from, next, person, id } = await moved({ days });
    await unchanged(id, async () => {
      for (const { user_id } of [from.head, next.head, person])
        expect((await decide('split', {}, await as(user_id))).status).toBe(403);
      expect((await decide('split', { revision: 99 })).status).toBe(422);
    });
  });
});

describe('both parts', () => {
  test('are each for their own reviewer, and both for the person; the common result for who sees both', async () => {
    const { cycle, first, second, from, person } = await divided();
    const other = await make.employee({ entity_id: hrPerson.entity_id, roles: ['TeamLead'] });
    expect((await hr.put(path(second, 'reviewer'), { reviewer_id: other.id, reason })).status).toBe(200);
    await complete(first, 80);
    const [own, reviewer, successor] = [await as(person.user_id), await as(from.head.user_id), await as(other.user_id)];
    const shown = async (client: typeof hr, id: number) => (await client.get(path(id))).body.data;
    const parts = [
      { ...one, id: first, department: { id: from.id }, is_completed: true, overall_percentage: 80 },
      { ...two, id: second, is_completed: false, overall_percentage: null },
    ];
    expect(await shown(own, second)).toMatchObject({ part: two, whole: { parts, overall_percentage: null } });
    await complete(second, 95);
    // (80 * 100 + 95 * 21) / 121 = 82.603…
    for (const client of [own, hr])
      for (const id of [first, second])
        expect((await shown(client, id)).whole).toMatchObject({ overall_percentage: 82.6, band_name: 'B' });
    for (const [client, mine, theirs] of [
      [reviewer, first, second],
      [successor, second, first],
    ] as const) {
      expect((await client.get(path(theirs))).status).toBe(404);
      const { whole } = await shown(client, mine);
      expect(whole).toMatchObject({ parts: [{ id: mine }], overall_percentage: null, band_name: null });
      expect(whole.parts).toHaveLength(1);
      expect((await client.get(`/api/kpi-evaluations?cycle_id=${cycle.id}`)).body.meta.total).toBe(1);
    }
  });

  test('are rows of lists and figures, and the person is counted once in results', async () => {
    const { cycle, first, second, person } = await divided();
    await complete(first, 80);
    const own = await as(person.user_id);
    const results = async () =>
      ((await own.get('/api/dashboard')).body.data.me.last_results as { cycle: { id: number } }[]).filter(
        (result) => result.cycle.id === cycle.id,
      );
    expect(await results()).toEqual([]);
    await complete(second, 95);
    expect(await results()).toMatchObject([{ overall_percentage: 82.6, performance_flag: null }]);
    const list = (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&sort_by=employee_name`)).body;
    expect(list.data.map((row: { id: number; part: object }) => [row.id, row.part])).toEqual([
      [first, one],
      [second, two],
    ]);
    const summary = (await hr.get(`/api/kpi-cycles/${cycle.id}/summary`)).body.data;
    expect([summary.total, summary.by_status.completed]).toEqual([list.meta.total, 2]);
    for (const { id, total } of summary.departments as { id: number; total: number }[])
      expect((await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&department_id=${id}`)).body.meta.total).toBe(
        total,
      );
    const asked = async (flag: string) =>
      (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&in_parts=${flag}`)).body.meta.total;
    expect([await asked('true'), await asked('false')]).toEqual([2, 0]);
    const later = await kpi.cycle({ start_date: dayFromNow(21), end_date: dayFromNow(90) });
    const next = await kpi.evaluation({ cycle_id: later.id, employee: person });
    expect((await own.get(path(next.id))).body.data.previous).toMatchObject({
      cycle: { id: cycle.id },
      overall_score: null,
      overall_percentage: 82.6,
    });
    await put(first, "status = 'accepted'");
    expect((await own.get(path(next.id))).body.data.previous).toBeNull();
  });

  test('are exported with their days and the result of the person', async () => {
    const { cycle, first, second } = await divided();
    await complete(first, 80);
    const rows = async () => {
      const text = (await hr.get(`/api/kpi-cycles/${cycle.id}/export`)).bytes.toString('utf8');
      return text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.trim().replaceAll('"', '').split(',').slice(-5));
    };
    const columns = ({ number, from, until, days: counted }: typeof one, result: string) => [
      String(number),
      from,
      until,
      String(counted),
      result,
    ];
    expect(await rows()).toEqual([columns(one, ''), columns(two, '')]);
    await complete(second, 95);
    expect(await rows()).toEqual([columns(one, '82.6'), columns(two, '82.6')]);
  });

  test('are printed with their period, and with the result of both', async () => {
    const { first, second, person } = await divided();
    const printed = async () => {
      const { bytes } = await (await as(person.user_id)).get(path(second, 'pdf'));
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
      return text.replaceAll(/\s+/g, ' ');
    };
    expect(await printed()).toMatch(/Part 2 of 2: .* to .*, 21 days/);
    expect(await printed()).not.toContain('Result of both parts');
    await complete(first, 80);
    await complete(second, 95);
    expect(await printed()).toMatch(/Result of both parts .*82\.6%.* weighted by days/);
  });

  test('a cancelled part does not count, and is restored unless its days are taken', async () => {
    const { cycle, first, second, person } = await divided();
    const cancel = (id: number) => hr.post(path(id, 'cancel'), { reason });
    expect((await cancel(second)).status).toBe(200);
    await complete(first, 80);
    expect((await hr.get(path(first))).body.data.whole).toMatchObject({ overall_percentage: 80 });
    expect((await everywhere.post(path(second, 'restore'), { reason })).status).toBe(200);
    expect((await hr.get(path(first))).body.data.whole).toMatchObject({ overall_percentage: null });
    await put(first, "status = 'manager_review'");
    for (const id of [first, second]) expect((await cancel(id)).status).toBe(200);
    const added = await hr.post(`/api/kpi-cycles/${cycle.id}/people`, { employee_ids: [person.id] });
    expect(added.body.data.counts.added).toBe(1);
    for (const id of [first, second])
      expect((await everywhere.post(path(id, 'restore'), { reason })).body.errors).toEqual({
        status: [expect.stringContaining('another evaluation')],
      });
    expect(await openOf(cycle.id, person.id)).toHaveLength(1);
  });

  test('get another template in place, with their days, and end with the cycle', async () => {
    const { cycle, first, second, next } = await divided();
    const better = await kpi.template({ entity_id: hrPerson.entity_id });
    const url = `/api/kpi-cycles/${cycle.id}/departments/${next.id}/replace-template`;
    const replaced = await hr.post(url, { template_id: better.id, reason });
    expect([replaced.status, replaced.body.errors]).toEqual([200, undefined]);
    expect(await rowOf(second)).toMatchObject({ template_id: String(better.id), employed_days: 21, part: 2 });
    await complete(first, 80);
    const closed = await everywhere.post(`/api/kpi-cycles/${cycle.id}/close`, { force: true, reason });
    expect([closed.status, closed.body.errors]).toEqual([200, undefined]);
    expect([(await rowOf(first)).status, (await rowOf(second)).status]).toEqual(['completed', 'cancelled']);
  });
});
