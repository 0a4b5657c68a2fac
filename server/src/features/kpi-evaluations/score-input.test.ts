import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { evaluationTesting } from '../../testing/evaluations.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

/** Invalid scores, from each role that scores and in every step that accepts them. */

const app = await startApp();
const { as, make } = app;
const kpi = kpiMaker(app);
const { unchanged } = evaluationTesting(app);
const person = await make.employee();
const reviewer = await make.employee({ roles: ['Manager'] });
const [subject, asReviewer, asHr] = (await Promise.all(
  [person, reviewer, await make.employee({ roles: ['HR'] })].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client];

const steps = [
  ['draft of the employee', 'self_assessment', 'self_score', subject, 'PUT', ''],
  ['self-assessment', 'self_assessment', 'self_score', subject, 'POST', '/self-assessment'],
  ['draft of the reviewer', 'manager_review', 'manager_score', asReviewer, 'PUT', ''],
  ['review', 'manager_review', 'manager_score', asReviewer, 'POST', '/manager-review'],
  ['settlement of a dispute', 'disputed', 'final_score', asHr, 'POST', '/resolve-dispute'],
] as const;
const wrong = [5.9, 6, 0, -1, 0.99, 3.5, 4.001, 1e9, 'NaN', 'many', '4,5', true, [4], {}];

test.each(steps)('the %s takes no score outside of the scale', async (_name, status, field, client, method, tail) => {
  const { id, items } = await kpi.evaluation({ employee: person, reviewer, status });
  const rest = { result: 'modified', resolution: 'We looked at it together.' };
  await unchanged(id, async () => {
    for (const score of wrong) {
      const sent = items.map((item, index) => ({
        id: item.id,
        [field]: index === 1 ? score : 4,
        ...(field === 'final_score' && { final_note: 'Seen again' }),
      }));
      const body = { items: sent, ...(field === 'final_score' && rest) };
      const answer = await client.send(method, `/api/kpi-evaluations/${id}${tail}`, { body });
      expect([score, answer.status, Object.keys(answer.body.errors)]).toEqual([score, 422, [`items.1.${field}`]]);
    }
  });
});

test.each(steps.filter(([, , field, , method]) => method === 'POST' && field !== 'final_score'))(
  'the %s is not handed in with a blank',
  async (_name, status, field, client, _method, tail) => {
    const answers = [1, 2, 3].map(() => ({ [field]: null }));
    const { id, items } = await kpi.evaluation({ employee: person, reviewer, status, answers });
    await unchanged(id, async () => {
      for (const blank of [null, '', undefined]) {
        const sent = items.map((item, index) => ({ id: item.id, [field]: index === 2 ? blank : 4 }));
        const { status: code, body } = await client.post(`/api/kpi-evaluations/${id}${tail}`, { items: sent });
        expect([code, body.errors]).toEqual([422, { [`items.2.${field}`]: ['The item 3 score field is required.'] }]);
      }
    });
  },
);

const yesOrNo = steps.slice(0, 4).map(([name, status, field, ...rest]) => {
  const [side] = field.split('_');
  return [name, status, `${side}_actual_value`, ...rest] as const;
});
test.each(yesOrNo)('the %s takes yes and no of what happened or not', async (...step) => {
  const [, status, field, client, method, tail] = step;
  const template = await kpi.template({
    items: [{ name: 'Certified', weight: 10_000, item_type: 'measured', direction: 'boolean' }],
  });
  const { id, items } = await kpi.evaluation({ employee: person, reviewer, status, template });
  const send = (value: number) =>
    client.send(method, `/api/kpi-evaluations/${id}${tail}`, {
      body: { items: [{ id: items[0]?.id, [field]: value }] },
    });
  await unchanged(id, async () => {
    for (const value of [2, -1, 0.5, 100]) {
      const answer = await send(value);
      expect([value, answer.status, answer.body.errors]).toEqual([
        value,
        422,
        { [`items.0.${field}`]: ['The item 1 actual value field must be 0 or 1.'] },
      ]);
    }
  });
  expect((await send(1)).status).toBe(200);
});
