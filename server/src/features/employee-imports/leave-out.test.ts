import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);
const entity = await make.entity();
const department = await make.department({ entity_id: entity.id });

const header = 'employee_number,first_name,last_name,email,reporting_manager';
const defaults = JSON.stringify({ entity_id: entity.id, department_id: department.id });

async function check(lines: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const content = `${[header, ...lines].join('\n')}\n`;
  const answer = await hr.upload(
    '/api/employees/import',
    { name: 'people.csv', content },
    { dry_run: '1', defaults, ...settings },
  );
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

const address = (id: number) => `/api/employees/imports/${id}`;
const leaveOut = (id: number, row: number, left_out = true) => hr.put(`${address(id)}/rows/${row}`, { left_out });
const countsOf = async (id: number) => (await hr.get(address(id))).body.data.counts;
const statesOf = async (id: number): Promise<string[]> =>
  (await hr.get(`${address(id)}/rows`)).body.data.map(
    (row: { row: number; status: string; action: string | null }) => `${row.row} ${row.status} ${row.action}`,
  );
const numbered = async (number: string): Promise<number> =>
  (await hr.get(`/api/employees?search=${number}`)).body.meta.total;

test('of two rows with one number the other is valid once one is skipped, and only that one is written', async () => {
  const id = await check(['LO-1,Ann,Lee,ann.lee@example.com,', 'LO-1,Anna,Leigh,anna.leigh@example.com,']);
  expect(await statesOf(id)).toEqual(['2 failed none', '3 failed none']);
  const answer = await leaveOut(id, 3);
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({
    row: 3,
    status: 'valid',
    action: 'skip',
    left_out: true,
    edited: false,
    errors: {},
  });
  expect(await statesOf(id)).toEqual(['2 valid create', '3 valid skip']);
  expect((await hr.post(`${address(id)}/commit`)).body.data.counts).toMatchObject({
    created: 1,
    skipped: 1,
    failed: 0,
  });
  expect(await statesOf(id)).toEqual(['2 created create', '3 skipped skip']);
  expect([await numbered('LO-1'), await numbered('leigh')]).toEqual([1, 0]);
});

test('reports of a skipped row have no manager; including the row again restores them', async () => {
  const id = await check(['LO-2,Bea,Moss,bea.moss@example.com,', 'LO-3,Cy,Nash,cy.nash@example.com,LO-2']);
  const before = (await hr.get(address(id))).body.data;
  expect(before.counts).toMatchObject({ created: 2, failed: 0 });
  await leaveOut(id, 2);
  expect(await statesOf(id)).toEqual(['2 valid skip', '3 failed none']);
  expect((await leaveOut(id, 2, false)).body.data).toMatchObject({ action: 'create', left_out: false });
  const after = (await hr.get(address(id))).body.data;
  expect([after.counts, after.plan_hash]).toEqual([before.counts, before.plan_hash]);
});

test('an atomic import proceeds without the invalid row', async () => {
  const id = await check(['LO-4,Di,Orr,di.orr@example.com,', 'LO-5,Ed,,ed@example.com,'], { mode: 'atomic' });
  expect((await hr.post(`${address(id)}/commit`)).status).toBe(422);
  await leaveOut(id, 3);
  expect((await hr.post(`${address(id)}/commit`)).body.data).toMatchObject({
    status: 'completed',
    counts: { created: 1 },
  });
  expect([await numbered('LO-4'), await numbered('LO-5')]).toEqual([1, 0]);
});

test('a row stays skipped while cells are corrected and all rows are checked again', async () => {
  const id = await check(['LO-6,Flo,,flo@example.com,']);
  await leaveOut(id, 2);
  const corrected = await hr.put(`${address(id)}/rows/2`, { cells: { last_name: 'Park' } });
  expect(corrected.body.data).toMatchObject({ left_out: true, action: 'skip', edited: true });
  await hr.put(address(id), { mode: 'atomic' });
  expect(await countsOf(id)).toMatchObject({ created: 0, skipped: 1 });
});

test('a correction without effect is refused', async () => {
  const id = await check(['LO-7,Gus,Reed,gus.reed@example.com,']);
  const before = await hr.get(address(id));
  const answer = await hr.put(`${address(id)}/rows/2`, {});
  expect([answer.status, answer.body.errors]).toEqual([422, { cells: ['The cells field is required.'] }]);
  expect((await hr.get(address(id))).body).toEqual(before.body);
});
