import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make } = app;
const kpi = kpiMaker(app);
const acme = await make.entity({ name: 'Acme Foods Ltd' });
const hana = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id });
const hr = await as(hana.user_id);

const words = ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'];
const whole = (name: string, fields: object) => ({
  name,
  entity_id: acme.id,
  items: [{ name: 'Teamwork', weight: 100 }],
  ...fields,
});

test('a scale has a word for each whole score, or none', async () => {
  const added = await hr.post(
    '/api/kpi-templates',
    whole('With words', { scale_words: [' Poor ', null, '', 'Good', 'Best'] }),
  );
  expect([added.status, added.body.data.scale_words]).toEqual([201, ['Poor', '', '', 'Good', 'Best']]);
  const path = `/api/kpi-templates/${added.body.data.id}`;
  const changed = (await hr.put(path, { scale_words: words })).body.data;
  expect([changed.scale_words, changed.version]).toEqual([words, 2]);
  const copy = (await hr.post(`${path}/duplicate`, {})).body.data;
  expect(copy.scale_words).toEqual(words);
  const cleared = (await hr.put(path, { scale_words: [null, ' ', '', null, ''] })).body.data;
  expect([cleared.scale_words, cleared.version]).toEqual([null, 3]);
});

test('words that do not fit the scale are refused', async () => {
  const message = 'Enter 5 words, one for each whole score.';
  const short = await hr.post('/api/kpi-templates', whole('Short', { scale_words: ['Low', 'High'] }));
  expect([short.status, short.body.errors]).toEqual([422, { scale_words: [message] }]);
  const { id } = (await hr.post('/api/kpi-templates', whole('Fitting', { scale_words: words }))).body.data;
  const wider = await hr.put(`/api/kpi-templates/${id}`, { scale_max: 10 });
  expect([wider.status, wider.body.errors]).toEqual([
    422,
    { scale_words: ['Enter 10 words, one for each whole score.'] },
  ]);
  const long = await hr.put(`/api/kpi-templates/${id}`, { scale_words: words.with(0, 'x'.repeat(61)) });
  expect([long.status, Object.keys(long.body.errors)]).toEqual([422, ['scale_words.0']]);
});

test('an evaluation keeps the words of its template, which stay while it is used', async () => {
  const { id } = (await hr.post('/api/kpi-templates', whole('Published', { scale_words: words }))).body.data;
  const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
  const department = await make.department({ entity_id: acme.id, manager_id: head.id });
  const { user_id } = await make.employee({ department_id: department.id });
  const departments = [{ department_id: department.id, template_id: id }];
  const cycle = await kpi.cycle({ status: 'draft', entity_id: acme.id, departments });
  const url = `/api/kpi-cycles/${cycle.id}`;
  const { plan_hash } = (await hr.get(`${url}/preflight`)).body.data;
  expect((await hr.post(`${url}/publish`, { plan_hash })).status).toBe(200);
  const member = await as(user_id);
  const [evaluation] = (await member.get('/api/kpi-evaluations')).body.data;
  expect((await member.get(`/api/kpi-evaluations/${evaluation.id}`)).body.data.scale_words).toEqual(words);
  const refused = await hr.put(`/api/kpi-templates/${id}`, { scale_words: null });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['status', 'scale_words']]);
});
