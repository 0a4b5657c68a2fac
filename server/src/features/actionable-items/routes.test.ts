import { beforeEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';

const { as, make, deps, owner } = await startApp();
const kpi = kpiMaker({ deps, make });
const acme = await make.entity({ name: 'Acme Foods' });
const department = await make.department({ entity_id: acme.id });
const template = await kpi.template();
const cycle = await kpi.cycle({ name: 'Q1 2026' });
const inAcme = { department_id: department.id };
const person = (name: string, more: Parameters<typeof make.employee>[0] = {}) =>
  make.employee({ ...inAcme, first_name: name, last_name: 'Reed', ...more });
const omar = await person('Omar', { roles: ['Manager'] });
const jon = await person('Jon', { reporting_manager_id: omar.id });
const hana = await person('Hana', { roles: ['HR'] });
const outsider = await make.employee();
const otherHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [outsider.entity_id] }] });

type Item = { id: string; kind: string; priority: string; due_date: string | null };
const itemsOf = async ({ user_id }: { user_id: number }, query = '') => {
  const answer = await (await as(user_id)).get(`/api/actionable-items${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data as Item[];
};
const idsOf = async (who: { user_id: number }, query = '') => (await itemsOf(who, query)).map(({ id }) => id);
const countsOf = async ({ user_id }: { user_id: number }) =>
  (await (await as(user_id)).get('/api/actionable-items/counts')).body.data as {
    total: number;
    overdue: number;
    by_kind: Record<string, number>;
  };
const evaluate = (fields: Parameters<typeof kpi.evaluation>[0]) =>
  kpi.evaluation({ cycle_id: cycle.id, template, employee: jon, reviewer: omar, ...fields });

beforeEach(() => owner.query('delete from kpi_evaluations; delete from job_history'));

type Case = [kind: string, fields: Parameters<typeof kpi.evaluation>[0], assignee: MadeEmployee, due: string | null];
const cases: Case[] = [
  ['kpi_self_assessment', { status: 'self_assessment' }, jon, dayFromNow(5)],
  ['kpi_manager_review', { status: 'manager_review' }, omar, dayFromNow(15)],
  ['kpi_hr_review', { status: 'hr_review' }, hana, dayFromNow(22)],
  ['kpi_acceptance', { status: 'pending_acceptance' }, jon, dayFromNow(4)],
  ['kpi_dispute', { status: 'disputed' }, hana, dayFromNow(5)],
  ['kpi_close', { status: 'accepted' }, hana, dayFromNow(12)],
];

describe('what waits', () => {
  test.each(cases)('as %s is seen by its assignee and by nobody else', async (kind, fields, assignee, due) => {
    const { id } = await evaluate(fields);
    for (const who of [jon, omar, hana, outsider, otherHr]) {
      const expected = who === assignee ? [{ id: `${kind}:${id}`, kind, due_date: due }] : [];
      expect(await itemsOf(who)).toMatchObject(expected);
      expect(await countsOf(who)).toMatchObject({ total: expected.length });
    }
  });
});
