import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { MadeEmployee } from '../../../testing/make.ts';
import { probationMaker } from '../../../testing/make-probation.ts';

/** Which manual changes of a probation a pause and a decided review still allow. */

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);

const entity = await make.entity({ probation_max_extensions: 3 });
const lead = await make.employee({ entity_id: entity.id, roles: ['Manager'] });
const hr = await as(
  (await make.employee({ entity_id: entity.id, roles: [{ role: 'HR', entity_ids: [entity.id] }] })).user_id,
);

const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
const reason = 'As agreed with the team.';
const onProbation = (fields: object = {}) =>
  probation.person({ entity_id: entity.id, reporting_manager_id: lead.id, ...fields });
const step = ({ id }: MadeEmployee, name: string, body: object) =>
  hr.post(`/api/employees/${id}/${name}`, { reason, ...body });
const decide = async (employee: MadeEmployee, body: object) => {
  const { id } = await probation.review({ employee, reviewer: lead, status: 'submitted' });
  const signature = { method: 'typed', typed_name: 'Hana Ito' };
  const answer = await hr.post(`/api/probation-reviews/${id}/approve`, { signature, ...body });
  expect([answer.status, answer.body.errors]).toEqual([200, undefined]);
};
const extended = { outcome: 'extend', outcome_extension_months: 2, hr_comments: 'More time.' };
const stored = async ({ id }: MadeEmployee) =>
  (
    await owner.query(
      `select to_jsonb(e) as person, (select count(*)::int from audit_log) as traces,
              (select count(*)::int from notifications) as notices from employees e where id = $1`,
      [id],
    )
  ).rows[0] as unknown;
async function refused(person: MadeEmployee, name: string, body: object) {
  const before = await stored(person);
  const answer = await step(person, name, body);
  expect(await stored(person)).toEqual(before);
  return [answer.status, answer.body.errors];
}

const changes = [
  ['extend-probation', { probation_end_date: dayFromNow(90) }],
  ['correct-probation', { probation_end_date: dayFromNow(20) }],
  ['correct-probation', { probation_end_date: null }],
] as const;

test.each(changes)('while a probation is paused, %s %j is refused', async (name, body) => {
  const person = await onProbation();
  expect((await step(person, 'probation-pause', { absent_from: dayFromNow(-5) })).status).toBe(200);
  expect(await refused(person, name, body)).toEqual([422, { status: ['This probation is paused. Resume it first.'] }]);
});

test.each([...changes, ['probation-pause', { absent_from: dayFromNow(-5) }] as const])(
  'before a confirmation that is decided, %s %j is refused',
  async (name, body) => {
    const person = await onProbation();
    await decide(person, {});
    expect(await refused(person, name, body)).toEqual([
      422,
      { status: ['A decision has already been made on this probation.'] },
    ]);
  },
);

test.each(['extend-probation', 'correct-probation'])('%s ends on no day that a review decided on', async (name) => {
  const person = await onProbation();
  await decide(person, extended);
  expect(await refused(person, name, { probation_end_date: dayFromNow(30) })).toEqual([
    422,
    {
      probation_end_date: [
        'The probation end date field must be another day, because a probation review has already decided on this one.',
      ],
    },
  ]);
  expect((await step(person, name, { probation_end_date: dayFromNow(100) })).status).toBe(200);
});

test('a pause moves the end to no day that a review decided on', async () => {
  const person = await onProbation();
  await decide(person, extended);
  await step(person, 'correct-probation', { probation_end_date: dayFromNow(20) });
  expect((await step(person, 'probation-pause', { absent_from: dayFromNow(-10) })).status).toBe(200);
  const [status, errors] = await refused(person, 'probation-resume', { back_on: dayFromNow(0) });
  expect([status, errors]).toEqual([
    422,
    { back_on: [expect.stringContaining('must be another day, because a probation review has already decided')] },
  ]);
  expect((await step(person, 'probation-resume', { back_on: dayFromNow(-1) })).body.data.probation_end_date).toBe(
    dayFromNow(29),
  );
});

test('a pause moves the end to no day after the last of all', async () => {
  const person = await onProbation({ probation_end_date: '9999-12-30' });
  await step(person, 'probation-pause', { absent_from: dayFromNow(-5) });
  expect(await refused(person, 'probation-resume', { back_on: dayFromNow(0) })).toEqual([
    422,
    { back_on: ['The probation would end after the year 9999.'] },
  ]);
  const { body } = await step(person, 'probation-resume', { back_on: dayFromNow(-4) });
  expect(body.data.probation_end_date).toBe('9999-12-31');
});
