import { evaluationStatuses } from '@tenure/contract';
import type { EvaluationStatus } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Actor } from '../../access/actor.ts';
import { loadRights } from '../../access/rights.ts';
import { startApp } from '../../testing/app.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { factColumns, factTables } from './capacities.ts';
import type { EvaluationFacts } from './capacities.ts';
import { resultSeen, scoresSeen, sightOf } from './visibility.ts';

const app = await startApp();
const { as, make, deps } = app;
const kpi = kpiMaker(app);

const acme = await make.entity();
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const lead = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const buying = await make.department({ entity_id: acme.id, manager_id: head.id, team_lead_id: lead.id });
const subject = await make.employee({ department_id: buying.id });
const reviewer = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const hr = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const admin = await make.employee({ roles: ['Admin'] });
const stranger = await make.employee({ department_id: buying.id });

const template = await kpi.template();
const sides = {
  self_comment: 'From me.',
  manager_comment: 'From the reviewer.',
  strengths: 'Negotiation',
  improvements: 'Planning',
  hr_comment: 'From HR.',
  suggested_flag: 'standard',
  performance_flag: 'pip',
  flag_reason: 'Of late.',
  self_overall_score: 4.4,
  overall_score: 4,
  overall_percentage: 80,
};
// every column has a value in every state, so that only the rules can hide it
const answers = [1, 2, 3].map(() => ({
  self_score: 4,
  self_comment: 'Mine.',
  manager_score: 3,
  manager_comment: 'Theirs.',
  manager_not_applicable: false,
  final_score: 3,
  final_note: 'Final.',
}));
const evaluationOf = (person: MadeEmployee, status: EvaluationStatus, cancelled_from?: EvaluationStatus) =>
  kpi.evaluation({
    employee: person,
    reviewer,
    template,
    status,
    answers,
    ...sides,
    ...(cancelled_from && { cancelled_from }),
  });

const parts = {
  self: ['self_comment', 'self_overall_score'],
  manager: ['manager_comment', 'strengths', 'improvements'],
  scores: ['overall_score', 'overall_percentage', 'overall_achievement_pct'],
  result: ['hr_comment', 'suggested_flag', 'performance_flag', 'flag_reason'],
};
const itemParts = {
  self: ['self_score', 'self_comment', 'self_actual_value'],
  manager: ['manager_score', 'manager_comment', 'manager_actual_value'],
  result: ['final_score', 'final_note'],
};
type Part = keyof typeof parts;

/** The parts that a response contains; each part is complete or absent. */
function partsOf(shown: Record<string, unknown>, wanted: Partial<Record<Part, string[]>>): Part[] {
  const found: Part[] = [];
  for (const [part, fields] of Object.entries(wanted) as [Part, string[]][]) {
    const present = fields.filter((field) => field in shown);
    expect([0, fields.length], `${part}: ${present.join()}`).toContain(present.length);
    if (present.length > 0) found.push(part);
  }
  return found;
}

const viewers = { subject, reviewer, lead, head, hr, admin };
type Viewer = keyof typeof viewers;

/** Who sees what in each state. Team lead and department head manage the person; the head can act for the reviewer. */
const table: Record<EvaluationStatus, Record<Viewer, Part[]>> = {
  self_assessment: {
    subject: ['self'],
    reviewer: [],
    lead: [],
    head: [],
    hr: ['result'],
    admin: ['result'],
  },
  manager_review: {
    subject: ['self'],
    reviewer: ['self', 'manager'],
    lead: ['self'],
    head: ['self', 'manager'],
    hr: ['self', 'manager', 'result'],
    admin: ['self', 'manager', 'result'],
  },
  hr_review: {
    subject: ['self'],
    reviewer: ['self', 'manager', 'scores'],
    lead: ['self'],
    head: ['self'],
    hr: ['self', 'manager', 'scores', 'result'],
    admin: ['self', 'manager', 'scores', 'result'],
  },
  ...(Object.fromEntries(
    (['pending_acceptance', 'accepted', 'disputed', 'completed'] as const).map((status) => [
      status,
      Object.fromEntries(Object.keys(viewers).map((viewer) => [viewer, Object.keys(parts)])),
    ]),
  ) as Record<'pending_acceptance' | 'accepted' | 'disputed' | 'completed', Record<Viewer, Part[]>>),
  // as before the cancellation: here during the HR review
  cancelled: {
    subject: ['self'],
    reviewer: ['self', 'manager', 'scores'],
    lead: ['self'],
    head: ['self'],
    hr: ['self', 'manager', 'scores', 'result'],
    admin: ['self', 'manager', 'scores', 'result'],
  },
};

test.each(evaluationStatuses)(
  'while %s everybody sees what the rules say, in record and list alike',
  async (status) => {
    const { id, cycle_id } = await evaluationOf(subject, status, status === 'cancelled' ? 'hr_review' : undefined);
    await deps.db
      .insertInto('kpi_evaluation_activity')
      .values({
        evaluation_id: id,
        actor_name: 'HR',
        action: 'reopen',
        to_status: status,
        round: 1,
        snapshot:
          '{"self_overall_score":null,"overall_score":4,"overall_percentage":80,"suggested_flag":null,"performance_flag":null,"items":[]}',
      })
      .execute();
    for (const [viewer, { user_id }] of Object.entries(viewers) as [Viewer, MadeEmployee][]) {
      const client = await as(user_id);
      const { data } = (await client.get(`/api/kpi-evaluations/${id}`)).body;
      const seen = table[status][viewer];
      expect([viewer, partsOf(data, parts)]).toEqual([viewer, seen]);
      for (const item of data.items)
        expect(partsOf(item, itemParts), viewer).toEqual(seen.filter((part) => part !== 'scores'));
      expect(Object.keys(data.explain), viewer).toEqual([
        ...(seen.includes('self') ? ['self'] : []),
        ...(seen.includes('manager') ? ['result'] : []),
      ]);
      if (!seen.includes('result')) expect(data.explain.result?.suggested_flag ?? null).toBeNull();
      const list = (await client.get(`/api/kpi-evaluations?cycle_id=${cycle_id}`)).body;
      expect(list.meta.total).toBe(1);
      for (const field of Object.keys(list.data[0])) expect(list.data[0][field]).toEqual(data[field]);
      const history = (await client.get(`/api/kpi-evaluations/${id}/activity`)).body.data;
      expect([viewer, history[0].snapshot !== null]).toEqual([viewer, seen.includes('result')]);
    }
    expect((await (await as(stranger.user_id)).get(`/api/kpi-evaluations/${id}`)).status).toBe(404);
  },
);

test('what was drafted and then skipped is the own business of the person', async () => {
  const { id } = await kpi.evaluation({
    employee: subject,
    reviewer,
    template,
    status: 'manager_review',
    self_skipped: true,
    self_submitted_at: null,
    self_overall_score: null,
    answers: [{ self_score: 2, self_comment: 'A draft.', self_not_applicable: true }],
  });
  const url = `/api/kpi-evaluations/${id}`;
  const own = (await (await as(subject.user_id)).get(url)).body.data;
  expect(own.items[0]).toMatchObject({ self_score: 2, self_comment: 'A draft.', not_applicable: true });
  const { data } = (await (await as(reviewer.user_id)).get(url)).body;
  expect(data).toMatchObject({ self_skipped: true, self_comment: null, self_overall_score: null });
  expect(data.items[0]).toMatchObject({ self_score: null, self_comment: null, not_applicable: false });
  expect(data.explain.self).toBeUndefined();
});

test('what the reviewer takes out is shown to the person with the result, not before', async () => {
  const taken = [{ manager_not_applicable: true, manager_score: null, manager_comment: 'Not this quarter.' }];
  const { id } = await kpi.evaluation({ employee: subject, reviewer, template, status: 'hr_review', answers: taken });
  const shown = async (user: MadeEmployee) =>
    (await (await as(user.user_id)).get(`/api/kpi-evaluations/${id}`)).body.data.items[0].not_applicable;
  expect([await shown(subject), await shown(reviewer)]).toEqual([false, true]);
  await deps.db.updateTable('kpi_evaluations').set({ status: 'pending_acceptance' }).where('id', '=', id).execute();
  expect(await shown(subject)).toBe(true);
});

test('why HR sent a review back is for readers of the review', async () => {
  const { id } = await kpi.evaluation({ employee: subject, reviewer, template, status: 'hr_review' });
  const reason = 'Two is too low for the second item.';
  const url = `/api/kpi-evaluations/${id}`;
  expect((await (await as(hr.user_id)).post(`${url}/return`, { reason })).status).toBe(200);
  for (const [{ user_id }, isSeen] of [
    [subject, false],
    [lead, false],
    [reviewer, true],
    [hr, true],
  ] as const) {
    const client = await as(user_id);
    const shown = [(await client.get(url)).body.data.return_reason];
    for (const found of ['', '?search=too+low'])
      shown.push((await client.get(`${url}/activity${found}`)).body.data[0]?.reason ?? null);
    expect(shown).toEqual(shown.map(() => (isSeen ? reason : null)));
    const { total } = (await client.get(`${url}/activity?search=too+low`)).body.meta;
    expect(total).toBe(isSeen ? 1 : 0);
  }
  await deps.db.updateTable('kpi_evaluations').set({ status: 'pending_acceptance' }).where('id', '=', id).execute();
  expect((await (await as(subject.user_id)).get(url)).body.data.return_reason).toBe(reason);
});

test('HR is no more than the subject of the own evaluation', async () => {
  const own = await make.employee({ entity_id: acme.id, roles: ['HR'] });
  const { id } = await evaluationOf(own, 'hr_review');
  const { data } = (await (await as(own.user_id)).get(`/api/kpi-evaluations/${id}`)).body;
  expect(partsOf(data, parts)).toEqual(['self']);
});

test('the SQL of lists decides for every row and viewer as the record does', async () => {
  const outside = await make.employee();
  for (const status of evaluationStatuses)
    for (const person of [subject, hr, head, outside]) await evaluationOf(person, status);
  await evaluationOf(subject, 'cancelled', 'hr_review');
  await evaluationOf(reviewer, 'hr_review');
  await kpi.evaluation({ employee: subject, template, status: 'hr_review', manager_submitted_by: head.user_id });
  for (const viewer of [...Object.values(viewers), stranger, outside]) {
    const rights = await loadRights(deps.db, viewer.user_id);
    const actor = { ...rights, user_id: viewer.user_id, employee_id: viewer.id } as Actor;
    const { rows } = await sql<
      EvaluationFacts & { self_skipped: boolean; in_sql: { scores: boolean; result: boolean } }
    >`
      select v.self_skipped, json_build_object('scores', coalesce(${scoresSeen(actor)}, false), 'result', ${resultSeen(actor)}) as in_sql,
             ${factColumns} from ${factTables}`.execute(deps.db);
    for (const row of rows) {
      const { scores, result } = sightOf(actor, row);
      expect({ ...row.in_sql, id: row.id }).toEqual({ scores, result, id: row.id });
    }
  }
});
