import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';
import type { Answer } from '../../../testing/client.ts';
import { dayFromNow } from '../../../testing/make-kpi.ts';
import { probationMaker } from '../../../testing/make-probation.ts';
import { togetherIn } from '../../../testing/together.ts';
import { endLeavers } from './leavers.ts';

/** A department is closed while a person returns to it. */

const app = await startApp();
const { as, make, deps, owner } = app;
const together = togetherIn(owner);
const probation = probationMaker(app);
const company = await make.entity();
const roles = [{ role: 'HR', entity_ids: [company.id] }];
const hr = await as((await make.employee({ entity_id: company.id, roles })).user_id);
const manager = await make.employee({ entity_id: company.id, roles: ['Manager'] });
const admin = await as((await make.admin()).user_id);
const reason = 'Entered by mistake.';

type Back = () => Promise<Answer>;

/** People who are away, each with the action that returns them to the department. */
const ways: Record<string, (department_id: number) => Promise<Back>> = {
  async reactivated(department_id) {
    const { id } = await make.employee({ department_id, activity_status: 'inactive' });
    return () => hr.post(`/api/employees/${id}/reactivate`, { reason });
  },
  async restored(department_id) {
    const { id } = await make.employee({ department_id });
    expect((await hr.delete(`/api/employees/${id}`)).status).toBe(204);
    return () => hr.post(`/api/employees/${id}/restore`, { reason });
  },
  async 'put back on probation'(department_id) {
    const employee = await probation.person({ department_id, reporting_manager_id: manager.id });
    const { id } = await probation.review({ employee, reviewer: manager, status: 'submitted' });
    const path = `/api/probation-reviews/${id}`;
    const signature = { method: 'typed', typed_name: 'Hana Ito' };
    const body = { outcome: 'terminate', hr_comments: 'It did not work out.', signature };
    expect((await hr.post(`${path}/approve`, body)).status).toBe(200);
    await endLeavers({ deps, now: Temporal.Now.instant().add({ hours: 48 }) });
    return () => admin.post(`${path}/revert`, { probation_end_date: dayFromNow(30), reason });
  },
};

const cases = Object.keys(ways).flatMap((way) => [
  [way, 'first'],
  [way, 'second'],
]) as [string, string][];

test.each(cases)('no person is %s in a department that is closed %s', async (way, place) => {
  const { id } = await make.department({ entity_id: company.id });
  const back = await (ways[way] as (typeof ways)[string])(id);
  const close = () => hr.put(`/api/departments/${id}`, { status: 'inactive' });
  const answers = place === 'first' ? await together(close, back) : await together(back, close);
  expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  const { rows } = await owner.query(
    `select from employees e join departments d on d.id = e.department_id
     where d.id = $1 and d.status = 'inactive' and e.activity_status = 'active' and e.deleted_at is null`,
    [id],
  );
  expect(rows).toEqual([]);
});
