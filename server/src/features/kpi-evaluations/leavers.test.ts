import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { rowOf, itemsOf, historyOf, notificationsOf, unchanged } = evaluationTesting(app);

const entity = await make.entity();
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const asHr = await as(hr.user_id);
const leader = () => make.employee({ entity_id: entity.id, roles: ['Manager'] });
const worker = () => make.employee({ entity_id: entity.id });
type Fields = NonNullable<Parameters<typeof kpi.evaluation>[0]>;
const reason = 'Moves to another company.';
const ends = 'The employment ends.';
const handedOver = 'Responsibilities were reassigned.';
const lastDay = dayFromNow(30);
const open = ['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance', 'accepted', 'disputed'] as const;

describe('a reviewer who leaves', () => {
  test('cannot be made inactive while open evaluations wait, and hands them over', async () => {
    const [leaver, taker] = [await leader(), await leader()];
    const subjects = [await worker(), await worker(), await worker()];
    const of = (status: NonNullable<Fields['status']>, index: number, fields: Fields = {}) =>
      kpi.evaluation({ reviewer: leaver, employee: subjects[index] as typeof leaver, status, ...fields });
    const draft = await of('manager_review', 0, { strengths: 'Private', answers: [{ manager_score: 2 }] });
    const submitted = await of('hr_review', 1);
    const done = await of('completed', 2);
    const { body } = await asHr.get(`/api/employees/${leaver.id}`);
    expect(body.data.responsibilities).toMatchObject({ open_evaluations: 2 });
    await unchanged(draft.id, async () => {
      const alone = await asHr.post(`/api/employees/${leaver.id}/deactivate`, { reason });
      expect(alone.body.errors.status).toEqual(['Someone else must take these over first: 2 open evaluations.']);
      for (const [one, what] of [
        [subjects[0], 'their own evaluation'],
        [await worker(), 'evaluations: they don’t have permission to review'],
      ] as const) {
        const answer = await asHr.post(`/api/employees/${leaver.id}/deactivate`, { reason, reassign_to: one?.id });
        expect(answer.body.errors.reassign_to).toEqual([`The selected successor can’t take over ${what}.`]);
      }
    });
    const answer = await asHr.post(`/api/employees/${leaver.id}/deactivate`, { reason, reassign_to: taker.id });
    expect([answer.status, answer.body.data.activity_status]).toEqual([200, 'inactive']);
    const moved = await rowOf(draft.id);
    expect(moved).toMatchObject({ reviewer_id: String(taker.id), reviewer_missing_since: null, strengths: null });
    expect((await itemsOf(draft.id))[0]).toMatchObject({ manager_score: null });
    expect(await rowOf(submitted.id)).toMatchObject({ reviewer_id: String(taker.id), strengths: 'Negotiation' });
    expect((await itemsOf(submitted.id))[0]).toMatchObject({ manager_score: 4 });
    expect(await rowOf(done.id)).toMatchObject({ reviewer_id: String(leaver.id) });
    expect(await historyOf(draft.id)).toEqual([
      ['reviewer', 'manager_review', 'manager_review', handedOver, 1, hr.user_id],
    ]);
    expect(await notificationsOf(draft.id)).toEqual([['kpi_reviewer_changed', 'plain', taker.user_id]]);
    expect(await notificationsOf(done.id)).toEqual([]);
  });

  test('who still works for a while hears of it too', async () => {
    const [leaver, taker] = [await leader(), await leader()];
    const { id } = await kpi.evaluation({ reviewer: leaver, employee: await worker() });
    const body = { type: 'resigned', last_working_date: lastDay, reason, reassign_to: taker.id };
    expect((await asHr.post(`/api/employees/${leaver.id}/separate`, body)).status).toBe(200);
    expect(sorted(await notificationsOf(id))).toEqual([
      ['kpi_reviewer_changed', 'former', leaver.user_id],
      ['kpi_reviewer_changed', 'plain', taker.user_id],
    ]);
  });

  test('without a successor leaves evaluations that no person can review, until the person is back with the role', async () => {
    const leaver = await leader();
    const { id, revision } = await kpi.evaluation({ reviewer: leaver, employee: await worker() });
    const body = { type: 'resigned', last_working_date: dayFromNow(-1), reason };
    expect((await asHr.post(`/api/employees/${leaver.id}/separate`, body)).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: expect.any(Date), revision });
    const again = { joining_date: dayFromNow(0), department_id: leaver.department_id };
    expect((await asHr.post(`/api/employees/${leaver.id}/rehire`, again)).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: expect.any(Date), revision });
    await owner.query(
      `insert into role_assignments (user_id, role_id) select $1, id from roles where name = 'Manager'`,
      [leaver.user_id],
    );
    expect(await rowOf(id)).toMatchObject({ reviewer_missing_since: null, revision });
  });

  test('hands over nothing beyond the reach of who lets the person go, nor the evaluation of that one', async () => {
    const limited = await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] });
    const client = await as(limited.user_id);
    const [leaver, taker] = [await leader(), await leader()];
    const far = await kpi.evaluation({ reviewer: leaver });
    const attempt = () => client.post(`/api/employees/${leaver.id}/deactivate`, { reason, reassign_to: taker.id });
    await unchanged(far.id, async () => {
      expect((await attempt()).body.errors.reassign_to[0]).toContain('evaluations outside your scope');
    });
    await owner.query("update kpi_evaluations set status = 'cancelled' where id = $1", [far.id]);
    const own = await kpi.evaluation({ reviewer: leaver, employee: limited });
    await unchanged(own.id, async () => {
      expect((await attempt()).body.errors.reassign_to[0]).toContain('evaluations outside your scope');
    });
    await owner.query("update kpi_evaluations set status = 'cancelled' where id = $1", [own.id]);
    expect((await attempt()).status).toBe(200);
  });
});

describe('an evaluated person who leaves', () => {
  test('by termination takes the open evaluation along, in whatever state it is', async () => {
    const reviewer = await leader();
    for (const status of open) {
      const person = await worker();
      const { id } = await kpi.evaluation({ employee: person, reviewer, status });
      const done = await kpi.evaluation({ employee: person, reviewer, status: 'completed' });
      const body = { type: 'terminated', last_working_date: lastDay, reason };
      expect((await asHr.post(`/api/employees/${person.id}/separate`, body)).status).toBe(200);
      expect(await rowOf(id)).toMatchObject({ status: 'cancelled', cancelled_from: status, cancel_reason: ends });
      expect(await historyOf(id)).toEqual([['cancel', status, 'cancelled', ends, 1, hr.user_id]]);
      expect((await notificationsOf(id)).map(([event]) => event)).toEqual([
        'kpi_evaluation_cancelled',
        'kpi_evaluation_cancelled',
      ]);
      expect(await rowOf(done.id)).toMatchObject({ status: 'completed' });
    }
  });

  test('by resignation keeps it; either may be asked for', async () => {
    for (const [type, evaluations, status] of [
      ['resigned', undefined, 'manager_review'],
      ['resigned', 'cancel', 'cancelled'],
      ['terminated', 'keep', 'manager_review'],
    ] as const) {
      const person = await worker();
      const { id } = await kpi.evaluation({ employee: person, status: 'manager_review' });
      const body = { type, last_working_date: lastDay, reason, evaluations };
      expect((await asHr.post(`/api/employees/${person.id}/separate`, body)).status).toBe(200);
      expect(await rowOf(id)).toMatchObject({ status });
    }
  });
});

test('a person with an evaluation is not deleted as a mistake', async () => {
  const [person, reviewer] = [await worker(), await leader()];
  await kpi.evaluation({ employee: person, reviewer, status: 'cancelled' });
  for (const { id } of [person, reviewer]) {
    expect((await asHr.get(`/api/employees/${id}`)).body.data.allowed_actions).not.toContain('delete');
    const { body } = await asHr.get(`/api/employees/${id}/consequences`);
    expect(body.data.delete).toEqual({ possible: false, message: 'There is still 1 KPI evaluation.' });
    const answer = await asHr.delete(`/api/employees/${id}`);
    expect([answer.status, answer.body.errors.employee[0]]).toEqual([422, expect.stringContaining('1 KPI evaluation')]);
    expect((await asHr.get(`/api/employees/${id}`)).status).toBe(200);
  }
});

test('the owner of a cycle gives it to a person who may own it', async () => {
  const [leaver, taker] = [await make.employee({ entity_id: entity.id, roles: ['HR'] }), await leader()];
  const cycle = await kpi.cycle({ owner_id: leaver.id, entity_id: entity.id });
  const give = (to: number) => asHr.post(`/api/employees/${leaver.id}/deactivate`, { reason, reassign_to: to });
  expect((await give(taker.id)).body.errors.reassign_to[0]).toContain(
    'KPI cycles: they don’t have permission to publish them',
  );
  expect((await give(hr.id)).status).toBe(200);
  const { rows } = await owner.query('select owner_id::int from kpi_cycles where id = $1', [cycle.id]);
  expect(rows).toEqual([{ owner_id: hr.id }]);
});

test('an import is not taken back once its people are evaluated', async () => {
  const lines = [
    'employee_number,first_name,last_name,email,entity,department',
    `U-1,Ann,Top,ann.top@example.com,${(await owner.query('select name from entities where id = $1', [entity.id])).rows[0].name},Crew`,
  ];
  const upload = await asHr.upload(
    '/api/employees/import',
    { name: 'people.csv', content: lines.join('\n') },
    { create_departments: '1' },
  );
  expect(upload.body.data.status).toBe('completed');
  const { rows } = await owner.query("select id::int from employees where email = 'ann.top@example.com'");
  const { id } = await kpi.evaluation({ employee_id: rows[0].id });
  await unchanged(id, async () => {
    const undo = await asHr.post(`/api/employees/imports/${upload.body.data.id}/undo`);
    expect(undo.body.errors.rows).toEqual(['The person in row 2 has KPI evaluations.']);
  });
});
