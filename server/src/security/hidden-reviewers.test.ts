import { beforeAll, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { enrol } from '../testing/factors.ts';
import type { MadeEmployee } from '../testing/make.ts';
import { probationMaker } from '../testing/make-probation.ts';

/**
 * People do not learn of their own probation review before it is decided: once its reviewer has left and decides
 * nothing, nothing about the reviewer looks different.
 */

const service = await startApp();
const { as, make, owner } = service;
const probation = probationMaker(service);
const acme = await make.entity();
const offices = await make.department({ entity_id: acme.id });
const reason = 'Asked for at the desk.';

let [reviewer, other, colleague]: (MadeEmployee | undefined)[] = [];
let hr: Client;
let own: MadeEmployee;

beforeAll(async () => {
  own = await probation.person({ entity_id: acme.id, roles: ['HR', 'Employee'] });
  hr = await as(own.user_id);
  const people = [1, 2, 3].map(() => make.employee({ department_id: offices.id }));
  [reviewer, other, colleague] = await Promise.all(people);
  for (const person of [reviewer, other, colleague]) await enrol(await as((person as MadeEmployee).user_id));
  await probation.review({ employee: own, reviewer, status: 'pending' });
  await owner.query(`update employees set activity_status = 'inactive' where department_id = $1`, [offices.id]);
});

/** What HR sees and is notified of about a person. */
async function toldOf({ id }: MadeEmployee) {
  const path = `/api/employees/${id}`;
  const [record, list, access] = [
    await hr.get(path),
    await hr.get(`/api/employees?id=${id}`),
    await hr.get(`${path}/access?user_id=${own.user_id}`),
  ];
  const tried = [
    await hr.put(`${path}/sign-in-block`, { reason }),
    await hr.post(`${path}/reset-password`, { delivery: 'screen' }),
    await hr.post(`${path}/invite`, { delivery: 'screen' }),
    await hr.delete(`${path}/second-factor`, { reason }),
  ];
  const many = { employee_ids: [id], delivery: 'screen', dry_run: true };
  const { refused } = (await hr.post('/api/employees/reset-passwords', many)).body.data;
  return {
    actions: record.body.data.allowed_actions as string[],
    listed: list.body.data[0].allowed_actions as string[],
    answers: access.body.data.answers as unknown[],
    tried: tried.map(({ status, body }) => [status, body?.message]),
    refused: (refused as { reason: string }[]).map((one) => one.reason),
  };
}

test('a reviewer who left is shown and refused like anyone else who left', async () => {
  const [one, two] = [await toldOf(reviewer as MadeEmployee), await toldOf(other as MadeEmployee)];
  expect(one).toEqual(two);
  expect(two.actions).toContain('delete');
  expect(two.actions).not.toContain('second-factor');
});

test('the address of a reviewer who left for good changes like that of anyone else who left; of a suspended one it stays', async () => {
  const gone = {
    department_id: offices.id,
    employment_lifecycle: 'resigned',
    last_working_date: '2026-01-31',
    activity_status: 'inactive',
  };
  const [formerOne, formerOther] = [await make.employee(gone), await make.employee(gone)];
  await owner.query(`update probation_reviews set reviewer_id = $1 where reviewer_id = $2`, [
    formerOne.id,
    (reviewer as MadeEmployee).id,
  ]);
  const readdress = async ({ id, email }: MadeEmployee) => {
    const { status, body } = await hr.put(`/api/employees/${id}`, { email: `new.${email}` });
    return [status, body.message];
  };
  const [one, two] = [await readdress(formerOne), await readdress(formerOther)];
  expect(one).toEqual(two);
  expect(one[0]).toBe(200);
  await owner.query(`update probation_reviews set reviewer_id = $2 where reviewer_id = $1`, [
    formerOne.id,
    (reviewer as MadeEmployee).id,
  ]);
  expect((await readdress(reviewer as MadeEmployee))[0]).toBe(403);
});

test('a reviewer who left is not deleted, and the refusal names no review; to others it names what is in the way', async () => {
  const path = `/api/employees/${(reviewer as MadeEmployee).id}`;
  const refused = await hr.delete(path);
  expect([refused.status, refused.body]).toEqual([403, { message: 'This action is unauthorized.' }]);
  const root = await as((await make.admin()).user_id);
  const named = await root.delete(path);
  expect([named.status, named.body.message]).toEqual([422, expect.stringContaining('1 probation review')]);
  expect((await hr.delete(`/api/employees/${(colleague as MadeEmployee).id}`)).status).toBe(204);
});
