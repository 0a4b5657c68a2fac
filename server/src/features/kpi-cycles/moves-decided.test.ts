import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { moveTesting } from '../../testing/moves.ts';
import { givenRoles } from '../../testing/given-roles.ts';
import { waitingLocks } from '../../testing/waiting-locks.ts';

/** People who move to another department or company while their evaluation is open. */

const app = await startApp();
const { as, owner } = app;
const { rowOf, historyOf, notificationsOf, unchanged } = evaluationTesting(app);
const { kpi, away, hrPerson, hr, everywhere, reason, template, place, moved, openOf } = await moveTesting(app);

test('a move is listed with what a switch would give, and the evaluation stays where it began', async () => {
  const { url, person, from, next, id } = await moved();
  const { status, body } = await hr.get(url);
  expect([status, body.meta.total]).toEqual([200, 1]);
  expect(body.data[0]).toMatchObject({
    evaluation_id: id,
    employee: { id: person.id },
    status: 'self_assessment',
    has_begun: false,
    from_department: { id: from.id },
    to_department: { id: next.id },
    moved_on: dayFromNow(0),
    template: { id: template.old.id },
    reviewer: { id: from.head.id },
    new_template: { id: template.new.id },
    new_reviewer: { id: next.head.id },
    refusal: null,
  });
  expect(await rowOf(id)).toMatchObject({ department_id: String(from.id), status: 'self_assessment' });
  expect((await hr.get(`${url}?search=${person.employee_number}`)).body.meta.total).toBe(1);
  expect((await hr.get(`${url}?search=nobody`)).body.meta.total).toBe(0);
});

describe('stay', () => {
  test('keeps department, template and reviewer, says so in the history, and is asked again after another move', async () => {
    const { url, decide, person, from, id } = await moved({ status: 'manager_review' });
    const dry = await decide('stay', { dry_run: true });
    expect([dry.status, dry.body.data]).toMatchObject([200, { dry_run: true, evaluation_id: id }]);
    expect((await hr.get(url)).body.meta.total).toBe(1);
    const answer = await decide('stay');
    expect([answer.status, answer.body.message]).toEqual([200, 'The evaluation stays in its department.']);
    expect(await rowOf(id)).toMatchObject({ department_id: String(from.id), status: 'manager_review' });
    expect((await historyOf(id)).at(-1)).toEqual([
      'stay',
      'manager_review',
      'manager_review',
      reason,
      1,
      hrPerson.user_id,
    ]);
    expect((await hr.get(url)).body.meta.total).toBe(0);
    await unchanged(id, async () => {
      expect((await decide('switch')).body.errors).toEqual({
        evaluation_id: ['This evaluation isn’t available. Select another one.'],
      });
    });
    const third = await place();
    await everywhere.put(`/api/employees/${person.id}`, { department_id: third.id });
    expect((await hr.get(url)).body.data[0]).toMatchObject({ to_department: { id: third.id } });
    // back in the department of the evaluation, there is nothing to decide
    await everywhere.put(`/api/employees/${person.id}`, { department_id: from.id });
    expect((await hr.get(url)).body.meta.total).toBe(0);
  });
});

describe('switch', () => {
  test('begins an evaluation with template and reviewer of the new department; the former one stays readable', async () => {
    const { url, decide, cycle, person, from, next, id } = await moved({
      status: 'manager_review',
      answers: [{ manager_score: 2, manager_comment: 'So far.' }],
    });
    expect((await hr.get(url)).body.data[0]).toMatchObject({ has_begun: true });
    await unchanged(id, async () => {
      const dry = await decide('switch', { dry_run: true });
      expect([dry.status, dry.body.data.evaluation_id, dry.body.data.move.new_template.id]).toEqual([
        200,
        null,
        template.new.id,
      ]);
    });
    const { status, body } = await decide('switch');
    expect([status, body.message]).toEqual([200, 'The evaluation of the new department has begun.']);
    const [fresh, ...others] = await openOf(cycle.id, person.id);
    expect([body.data.evaluation_id, others]).toEqual([fresh, []]);
    expect(await rowOf(fresh as number)).toMatchObject({
      status: 'self_assessment',
      department_id: String(next.id),
      template_id: String(template.new.id),
      reviewer_id: String(next.head.id),
    });
    expect(await rowOf(id)).toMatchObject({
      status: 'cancelled',
      cancel_reason: reason,
      cancelled_from: 'manager_review',
    });
    const former = (await hr.get(`/api/kpi-evaluations/${id}`)).body.data;
    expect([former.status, former.cancel_reason, former.items.length]).toEqual(['cancelled', reason, 3]);
    expect(former.allowed_actions).not.toContain('restore');
    expect((await notificationsOf(id)).map(([event, , user]) => [event, user])).toEqual([
      ['kpi_evaluation_cancelled', from.head.user_id],
    ]);
    expect(await notificationsOf(fresh as number)).toEqual([['kpi_evaluation_assigned', 'plain', person.user_id]]);
    expect((await hr.get(url)).body.meta.total).toBe(0);
    // publishing again changes nothing
    await hr.post(`/api/kpi-cycles/${cycle.id}/publish`);
    expect(await openOf(cycle.id, person.id)).toEqual([fresh]);
  });

  test('before anything is entered tells the former reviewer nothing', async () => {
    const { decide, id } = await moved();
    expect((await decide('switch')).status).toBe(200);
    expect(await notificationsOf(id)).toEqual([]);
  });

  test('needs a template where the new department takes no part, and one that is chosen counts', async () => {
    const { url, decide, cycle, person, id } = await moved();
    await owner.query('delete from kpi_cycle_departments where cycle_id = $1 and template_id = $2', [
      cycle.id,
      template.new.id,
    ]);
    const without = 'The department has no template in this cycle. Select one.';
    expect((await hr.get(url)).body.data[0]).toMatchObject({ refusal: without, new_template: null });
    await unchanged(id, async () => {
      expect((await decide('switch')).body.errors).toEqual({ status: [without] });
      const foreign = await kpi.template({ entity_id: away.id });
      expect((await decide('switch', { template_id: foreign.id })).body.errors).toEqual({
        template_id: [expect.any(String)],
      });
    });
    expect((await decide('switch', { template_id: template.new.id })).status).toBe(200);
    const [fresh] = await openOf(cycle.id, person.id);
    expect(await rowOf(fresh as number)).toMatchObject({ template_id: String(template.new.id) });
  });

  test('without a reviewer needs to be allowed', async () => {
    const { url, decide, cycle, person, next, id } = await moved();
    await owner.query('update departments set manager_id = null where id = $1', [next.id]);
    expect((await hr.get(url)).body.data[0]).toMatchObject({ refusal: 'No one can review this person.' });
    await unchanged(id, async () => {
      expect((await decide('switch')).body.errors).toEqual({ status: ['No one can review this person.'] });
    });
    expect((await decide('switch', { allow_missing_reviewer: true })).status).toBe(200);
    const [fresh] = await openOf(cycle.id, person.id);
    expect(await rowOf(fresh as number)).toMatchObject({ reviewer_id: null, reviewer_missing_since: expect.any(Date) });
  });
});

describe('what is no move to decide', () => {
  test('a submitted review, a closed cycle, a person who left, the own evaluation', async () => {
    const reviewed = await moved({ status: 'hr_review' });
    expect((await hr.get(reviewed.url)).body.meta.total).toBe(0);
    const closed = await moved();
    await owner.query("update kpi_cycles set status = 'closed' where id = $1", [closed.cycle.id]);
    await unchanged(closed.id, async () => {
      expect((await closed.decide('stay')).body.errors).toEqual({ status: ['A closed cycle can’t be changed.'] });
    });
    const gone = await moved();
    await owner.query("update employees set activity_status = 'inactive' where id = $1", [gone.person.id]);
    expect((await hr.get(gone.url)).body.meta.total).toBe(0);
    const own = await moved();
    const { rows } = await owner.query("select id from roles where name = 'HR'");
    await owner.query('insert into role_assignments (user_id, role_id) values ($1, $2)', [
      own.person.user_id,
      rows[0].id,
    ]);
    const self = await as(own.person.user_id);
    expect((await self.get(own.url)).body.meta.total).toBe(0);
    await unchanged(own.id, async () => {
      expect((await own.decide('switch', {}, self)).status).toBe(422);
    });
  });

  test('a stale revision and bad input', async () => {
    const { decide, id } = await moved();
    await unchanged(id, async () => {
      expect((await decide('stay', { revision: 99 })).body).toMatchObject({ errors: { status: [expect.any(String)] } });
      expect((await decide('leave')).body.errors).toEqual({ decision: ['The selected decision is invalid.'] });
      expect((await decide('stay', { reason: '' })).body.errors).toEqual({ reason: [expect.any(String)] });
      expect((await decide('stay', { evaluation_id: 2_147_483_647 })).body.errors).toEqual({
        evaluation_id: ['This evaluation isn’t available. Select another one.'],
      });
    });
  });
});

test.each(['switch', 'split'])(
  'a template that is archived at the same moment stops a %s, of which nothing stays',
  async (decision) => {
    const days = { start_date: dayFromNow(-100), end_date: dayFromNow(20) };
    const { decide, cycle, person, next, id } = await moved({ days });
    const { id: template_id } = await kpi.template();
    await owner.query('update kpi_cycle_departments set template_id = $1 where department_id = $2', [
      template_id,
      next.id,
    ]);
    await unchanged(id, async () => {
      const other = await owner.connect();
      await other.query('begin');
      await other.query("update kpi_templates set status = 'archived' where id = $1", [template_id]);
      const deciding = decide(decision);
      await expect.poll(() => waitingLocks(owner)).not.toEqual([]);
      await other.query('commit');
      other.release();
      const { status, body } = await deciding;
      expect([status, body.errors]).toEqual([
        422,
        { status: ['The department’s template is not active. Select another one.'] },
      ]);
    });
    expect(await openOf(cycle.id, person.id)).toEqual([id]);
  },
);

describe('rights', () => {
  test('a move to a company beyond the reach is not listed for HR of the former one', async () => {
    const { url, decide, id } = await moved({ to: await place(away.id) });
    expect((await hr.get(url)).body.meta.total).toBe(0);
    await unchanged(id, async () => {
      expect((await decide('stay')).body.errors).toEqual({
        evaluation_id: ['This evaluation isn’t available. Select another one.'],
      });
    });
    expect((await everywhere.get(url)).body.meta.total).toBe(1);
  });

  test('managers and employees have no access', async () => {
    const { url, decide, from, person, id } = await moved();
    for (const user of [from.head.user_id, person.user_id]) {
      const client = await as(user);
      expect((await client.get(url)).status).toBe(403);
      await unchanged(id, async () => expect((await decide('stay', {}, client)).status).toBe(403));
    }
  });

  test('who publishes, and neither cancels nor ends evaluations, decides no move', async () => {
    const { url, decide, id } = await moved();
    const { roleWith, give } = givenRoles(app);
    const publisher = await app.make.employee({ roles: [] });
    await give(publisher.user_id, await roleWith('Publisher', 'all', ['kpi-cycle.view', 'kpi-cycle.publish']));
    const client = await as(publisher.user_id);
    expect((await client.get(url)).status).toBe(200);
    await unchanged(id, async () => {
      for (const decision of ['stay', 'switch', 'split']) expect((await decide(decision, {}, client)).status).toBe(403);
    });
  });
});

test.each([
  ['publishing_total = 3, publishing_processed = 0', 'This cycle is being published.'],
  [`status = 'closed'`, 'A closed cycle can’t be changed.'],
])('in a cycle with %s nothing is decided', async (state, message) => {
  const { decide, cycle, id } = await moved();
  await owner.query(`update kpi_cycles set ${state} where id = $1`, [cycle.id]);
  await unchanged(id, async () => {
    for (const decision of ['stay', 'switch']) {
      const { status, body } = await decide(decision);
      expect([status, body.message]).toEqual([422, message]);
    }
  });
});
