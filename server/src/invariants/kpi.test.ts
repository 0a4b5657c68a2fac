import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import type { Answer } from '../testing/client.ts';
import { brokenInvariants } from './invariants.ts';
import { dayFromNow } from '../testing/make-kpi.ts';

const { as, make, database, deps } = await startApp();
const { db: owner } = connect({ url: database.ownerUrl, max: 2 });
const folder = deps.config.DATA_DIR;
afterAll(() => owner.destroy());

const acme = await make.entity();
await make.admin();
const hr = await as((await make.employee({ entity_id: acme.id, roles: ['HR'] })).user_id);
const boss = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, manager_id: boss.id });
const [ada, ben] = [
  await make.employee({ department_id: buying.id }),
  await make.employee({ department_id: buying.id }),
];
const ok = ({ status, body }: Answer) => {
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data;
};
const template = ok(
  await hr.post('/api/kpi-templates', {
    name: 'Buyer',
    items: [
      { name: 'Savings', weight: 33.34, evidence_required: true },
      { name: 'Lead time', weight: 66.66, item_type: 'measured', direction: 'lower_better', target_value: 10 },
    ],
  }),
);
const cycle = ok(
  await hr.post('/api/kpi-cycles', {
    name: 'Spring',
    start_date: dayFromNow(-90),
    end_date: dayFromNow(0),
    manager_weight_pct: 70,
    self_weight_pct: 30,
  }),
);
ok(await hr.put(`/api/kpi-cycles/${cycle.id}/departments/${buying.id}`, { template_id: template.id }));
ok(await hr.post(`/api/kpi-cycles/${cycle.id}/publish`));
const idOf = async (person: { id: number }) =>
  ok(await hr.get(`/api/kpi-evaluations?employee_id=${person.id}`))[0].id as number;
const path = `/api/kpi-evaluations/${await idOf(ada)}`;

/** One goes through the whole workflow over HTTP, the other stays at its start. */
const [adas, bosses] = [await as(ada.user_id), await as(boss.user_id)];
const { items } = ok(await adas.get(path));
ok(
  await adas.upload(
    `${path}/evidence`,
    { name: 'a.pdf', content: '%PDF-1.7\n%%EOF\n' },
    { item_id: String(items[0].id) },
  ),
);
const answers = (side: string, score: number, actual: number) => ({
  items: [
    { id: items[0].id, [`${side}_score`]: score },
    { id: items[1].id, [`${side}_actual_value`]: actual },
  ],
});
ok(await adas.post(`${path}/self-assessment`, answers('self', 5, 9)));
ok(await bosses.post(`${path}/manager-review`, answers('manager', 4, 11)));
const flag = ok(await hr.get(path)).suggested_flag;
ok(await hr.post(`${path}/hr-review`, { hr_comment: 'Fine.', performance_flag: flag }));
ok(await adas.post(`${path}/accept`));
ok(await hr.post(`${path}/close`));

test('a round that was played in order breaks nothing, also with its counts folded', async () => {
  expect(ok(await hr.get(path)).status).toBe('completed');
  expect(await brokenInvariants(owner, folder)).toEqual([]);
  await sql`select fold_kpi_evaluation_counts()`.execute(owner);
  expect(await brokenInvariants(owner, folder)).toEqual([]);
});

const done = `where status = 'completed'`;
const begun = `where status = 'self_assessment'`;
test.each<[rule: string, plant: string]>([
  ['a count of evaluations', `update kpi_evaluation_counts set evaluations = evaluations + 1`],
  [
    'a count of evaluations',
    `alter table kpi_evaluations disable trigger count_on_update; update kpi_evaluations set round = 2, status = 'accepted' ${done}`,
  ],
  [
    'two evaluations',
    `drop index kpi_evaluations_person_key, kpi_evaluations_person_end_key; update kpi_evaluations set employee_id = ${ben.id}`,
  ],
  ['not the whole', `update kpi_evaluation_items set weight = weight - 1 where weight = 3334`],
  ['never published', `update kpi_cycle_departments set is_published = false`],
  ['elsewhere than its trail', `update kpi_evaluations set status = 'cancelled' ${begun}`],
  ['the own evaluation', `update kpi_evaluations set reviewer_id = employee_id`],
  [
    'due on another day',
    `alter table kpi_evaluations disable trigger user; update kpi_evaluations set due_on = current_date + 999`,
  ],
  ['another name', `update kpi_evaluations set person_sort = 'x'`],
  ['before its review', `update kpi_evaluations set overall_score = 4, overall_percentage = 80 ${begun}`],
  ['what its scores come to', `update kpi_evaluations set overall_score = overall_score + 0.01 ${done}`],
  ['what its scores come to', `update kpi_evaluation_items set final_score = 1 where final_score is not null`],
  ['an item of another', `update kpi_evidence set evaluation_id = (select id from kpi_evaluations ${begun})`],
  ['is gone', `update kpi_evidence set file_key = repeat('0', 32)`],
  ['is another', `update kpi_evidence set checksum = repeat('0', 64)`],
])('%s: seen when planted', async (rule, plant) => {
  const transaction = await owner.startTransaction().execute();
  try {
    await sql.raw(plant).execute(transaction);
    expect((await brokenInvariants(transaction, folder)).join('\n')).toContain(rule);
  } finally {
    await transaction.rollback().execute();
  }
});
