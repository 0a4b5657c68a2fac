import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { dayFromNow, kpiMaker } from './make-kpi.ts';

type Place = { id: number; head: { id: number; user_id: number } };

type MoveFields = {
  status?: string;
  to?: Place;
  answers?: object[];
  days?: { start_date?: string; end_date?: string };
  old?: { id: number };
};

/** People who move to another department or company during their evaluation, and the HR users who decide. */
export async function moveTesting(app: TestApp) {
  const { as, make, owner } = app;
  const kpi = kpiMaker(app);
  const here = await make.entity();
  const away = await make.entity();
  const limitedTo = (ids: number[]) => [{ role: 'HR', entity_ids: ids }];
  const hrPerson = await make.employee({ entity_id: here.id, roles: limitedTo([here.id]) });
  const hr = await as(hrPerson.user_id);
  const everywhere = await as((await make.employee({ entity_id: here.id, roles: ['HR'] })).user_id);
  const reason = 'The work of the year was done in the new team.';
  const template = {
    old: await kpi.template({ entity_id: here.id }),
    new: await kpi.template({ entity_id: here.id }),
  };

  async function place(entity_id = here.id): Promise<Place> {
    const head = await make.employee({ entity_id, roles: ['Manager'] });
    const { id } = await make.department({ entity_id, manager_id: head.id });
    return { id, head };
  }

  /** A published cycle of two departments, and a person who moves from the first to the second today. */
  async function moved({
    status = 'self_assessment',
    to,
    answers = [],
    days = {},
    old = template.old,
  }: MoveFields = {}) {
    const [from, next] = [await place(), to ?? (await place())];
    const cycle = await kpi.cycle({
      self_assessment_closes_on: dayFromNow(9),
      ...days,
      departments: [
        { department_id: from.id, template_id: old.id, is_published: true },
        ...(to ? [] : [{ department_id: next.id, template_id: template.new.id, is_published: true }]),
      ],
    });
    const person = await make.employee({ department_id: from.id, employment_lifecycle: 'confirmed' });
    const made = await kpi.evaluation({
      cycle_id: cycle.id,
      employee: person,
      reviewer: { ...person, id: from.head.id },
      template_id: old.id,
      status: status as 'self_assessment',
      answers,
    });
    const move = { department_id: next.id, ...(to && { entity_id: to.id === next.id ? away.id : here.id }) };
    const put = await everywhere.put(`/api/employees/${person.id}`, { ...move, reporting_manager_id: null });
    expect([put.status, put.body.errors]).toEqual([200, undefined]);
    const url = `/api/kpi-cycles/${cycle.id}/moves`;
    const decide = (decision: string, more: object = {}, client = hr) =>
      client.post(url, { evaluation_id: made.id, decision, reason, ...more });
    return { url, decide, cycle, person, from, next, id: made.id };
  }

  const openOf = async (cycleId: number, personId: number) =>
    (
      await owner.query<{ id: number }>(
        "select id::int from kpi_evaluations where cycle_id = $1 and employee_id = $2 and status <> 'cancelled' order by id",
        [cycleId, personId],
      )
    ).rows.map(({ id }) => id);

  return { kpi, here, away, hrPerson, hr, everywhere, reason, template, place, moved, openOf };
}
