import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../../testing/make-kpi.ts';
import { probationMaker } from '../../../testing/make-probation.ts';

const app = await startApp();
const { as, make, owner } = app;
const [kpi, probation] = [kpiMaker(app), probationMaker(app)];

const department = await make.department();
const { id: department_id, entity_id } = department;
const hr = await as((await make.employee({ department_id, roles: ['HR'] })).user_id);
const secret = 'Caught with the petty cash';
const leader = () => make.employee({ department_id, roles: ['Manager'] });

/** The tables and columns where the text of a reason is stored. */
async function whereItSays(words: string): Promise<string[]> {
  const { rows: columns } = await owner.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb')
       and c.table_name not like 'audit_log_%' order by 1, 2`,
  );
  const found: string[] = [];
  for (const { table, column } of columns) {
    const { rows } = await owner.query(`select from "${table}" where "${column}"::text like '%' || $1 || '%'`, [words]);
    if (rows.length > 0) found.push(`${table}.${column}: ${rows.length}`);
  }
  return found;
}

test("the reason of a departure is only in the private part of the record and in the person's audit entry", async () => {
  const [boss, heir, above] = [
    await probation.person({ department_id, roles: ['Manager'] }),
    await leader(),
    await leader(),
  ];
  const report = await probation.person({ department_id, reporting_manager_id: boss.id });
  await make.department({ entity_id, manager_id: boss.id });
  const theirs = [
    (await probation.review({ reviewer: boss, employee: report, status: 'submitted' })).id,
    (await probation.review({ reviewer: above, employee: boss })).id,
  ];
  const [given, own] = [
    await kpi.evaluation({ reviewer: boss, employee: report }),
    await kpi.evaluation({ reviewer: above, employee: boss }),
  ];
  const end = { type: 'terminated', last_working_date: dayFromNow(20), reason: secret, reassign_to: heir.id };
  expect((await hr.post(`/api/employees/${boss.id}/separate`, end)).status).toBe(200);
  expect(await whereItSays(secret)).toEqual(['audit_log.reason: 1', 'employees.separation_reason: 1']);

  const superior = await as(above.user_id);
  const ofReport = `/api/employees/${report.id}/job-history`;
  const { data } = (await hr.get(ofReport)).body;
  const inGerman = (await hr.get(ofReport, { 'accept-language': 'de' })).body.data;
  expect(inGerman[0].reason).toBe('Zuständigkeiten wurden übertragen.');
  expect(data[0]).toMatchObject({ reporting_manager_id: heir.id, reason: 'Responsibilities were reassigned.' });
  const cancelled = await superior.get(`/api/probation-reviews/${theirs[1]}`, { 'accept-language': 'de' });
  expect(cancelled.body.data).toMatchObject({ status: 'cancelled', cancel_reason: 'Die Beschäftigung wurde beendet.' });
  expect((await superior.get(`/api/kpi-evaluations/${own.id}`)).body.data.cancel_reason).toBe('The employment ends.');
  const history = await (
    await as(heir.user_id)
  ).get(`/api/kpi-evaluations/${given.id}/activity`, {
    'accept-language': 'de',
  });
  expect(history.body.data[0]).toMatchObject({ action: 'reviewer', reason: 'Zuständigkeiten wurden übertragen.' });
  const shown = (await hr.get(`/api/employees/${boss.id}?reveal=private`)).body.data;
  expect(shown.separation_reason).toBe(secret);

  const stays = 'The cash was found elsewhere';
  expect((await hr.post(`/api/employees/${boss.id}/withdraw-separation`, { reason: stays })).status).toBe(200);
  expect(await whereItSays(stays)).toEqual(['audit_log.reason: 1']);
});

test('people who take over work do not learn why the person is away', async () => {
  const [boss, heir] = [await leader(), await leader()];
  await make.employee({ department_id, reporting_manager_id: boss.id });
  await make.department({ entity_id, team_lead_id: boss.id });
  await probation.review({ reviewer: boss, employee: await probation.person({ department_id }) });
  const why = 'Long treatment in hospital';
  const answer = await hr.post(`/api/employees/${boss.id}/deactivate`, { reason: why, reassign_to: heir.id });
  expect(answer.status).toBe(200);
  expect(await whereItSays(why)).toEqual(['audit_log.reason: 1']);
});
