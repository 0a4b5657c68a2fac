import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { inSameCompany, recordJobChange } from './job-write.ts';

const { make, deps } = await startApp();
const [acme, beta] = [await make.entity(), await make.entity()];
const [buying, stores] = [await make.department({ entity_id: acme.id }), await make.department({ entity_id: beta.id })];
const companiesOf = async (employee_id: number) => {
  const rows = await deps.db
    .selectFrom('job_history')
    .select('entity_id')
    .where('employee_id', '=', employee_id)
    .orderBy('id')
    .execute();
  return rows.map(({ entity_id }) => entity_id);
};

test('a change of company passes the people to `follow`, and one without `follow` is not written', async () => {
  const person = await make.employee({ department_id: buying.id });
  const change = { employee_ids: [person.id], changed_fields: ['entity_id'], by: null };
  await recordJobChange(deps.db, { ...change, is_first: true }, inSameCompany);
  const place = { entity_id: beta.id, department_id: stores.id };
  await deps.db.updateTable('employees').set(place).where('id', '=', person.id).execute();
  const silently = deps.db.transaction().execute((trx) => recordJobChange(trx, change, inSameCompany));
  await expect(silently).rejects.toThrow('what follows it');
  expect(await companiesOf(person.id)).toEqual([acme.id]);
  const followed: number[] = [];
  await recordJobChange(deps.db, change, async (_acting, ids) => void followed.push(...ids));
  expect(followed).toEqual([person.id]);
  expect(await companiesOf(person.id)).toEqual([acme.id, beta.id]);
});
