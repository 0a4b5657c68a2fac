import { evaluationStatuses, evaluationSteps } from '@tenure/contract';
import type { Endpoint, EvaluationStatus, SeededRole } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { mayCall } from '../../access/matrix.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { evaluationTesting, sorted } from '../../testing/evaluations.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';
import type { MadeEvaluation } from '../../testing/make-kpi.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { pageRules } from '../../testing/workflow-page.ts';
import { actionOf } from '../../workflow/step.ts';

/**
 * Every state, action, role and relationship of docs/kpi-workflow.md: what its table allows works and has the described
 * effect; the rest is refused with 403, 404 or 422 and changes nothing.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const { rowOf, historyOf } = evaluationTesting(app);

const here = await make.entity();
const away = await make.entity();
const department = await make.department({ entity_id: here.id });
const inside = (role: SeededRole) => make.employee({ department_id: department.id, roles: [role] });
const outside = (role: SeededRole) => make.employee({ entity_id: away.id, roles: [role] });
const employee = await inside('Employee');
const reviewer = await outside('TeamLead');
const manager = await inside('Manager');
const teamLead = await inside('TeamLead');
const hr = await outside('HR');
const adminPerson = await inside('Admin');
const limited = await make.employee({
  entity_id: away.id,
  roles: [{ role: 'HR', entity_ids: [away.id] }],
});
const colleague = await inside('Employee');
// a second HR user is needed, who is notified of what HR does
await outside('HR');
const admin = await make.admin();
await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
  manager.id,
  teamLead.id,
  department.id,
]);

/** The subject of the evaluation, and its reviewer. */
type Case = { subject: MadeEmployee; reviewer: MadeEmployee };
const usual: Case = { subject: employee, reviewer };

type Persona = {
  name: string;
  role: SeededRole;
  user_id: number;
  of: Case;
  sees: boolean;
  capacities: readonly string[];
};
const everyHr = ['on_behalf', 'hr', 'hr_reviewer', 'impartial_hr', 'force_close', 'reopen', 'assign_reviewer'];
const persona = (
  name: string,
  role: SeededRole,
  { user_id }: { user_id: number },
  capacities: readonly string[],
  { of = usual, sees = true }: { of?: Case; sees?: boolean } = {},
): Persona => ({ name, role, user_id, of, sees, capacities });

const personas: readonly Persona[] = [
  persona('the employee', 'Employee', employee, ['subject']),
  persona('the reviewer', 'TeamLead', reviewer, ['reviewer']),
  persona('the manager of the department', 'Manager', manager, ['on_behalf']),
  persona('the team lead of the department', 'TeamLead', teamLead, []),
  persona('HR', 'HR', hr, everyHr),
  persona('an administrator', 'Admin', admin, everyHr),
  persona('HR of another company', 'HR', limited, [], { sees: false }),
  persona('a colleague', 'Employee', colleague, [], { sees: false }),
  persona('a manager who reviews', 'Manager', manager, ['reviewer'], { of: { subject: employee, reviewer: manager } }),
  persona(
    'HR that reviews',
    'HR',
    hr,
    ['reviewer', ...everyHr.filter((one) => one !== 'on_behalf' && one !== 'impartial_hr')],
    { of: { subject: employee, reviewer: hr } },
  ),
  persona('HR about itself', 'HR', hr, ['subject'], { of: { subject: hr, reviewer } }),
  persona('an administrator about itself', 'Admin', adminPerson, ['subject'], {
    of: { subject: adminPerson, reviewer },
  }),
];

const because = { reason: 'Agreed with everybody.' };
const resolution = 'We looked at it together.';
type Attempt = {
  endpoint: Endpoint;
  /** Which line of the action's table is meant. */
  ids: readonly string[];
  body: (made: MadeEvaluation, status: EvaluationStatus) => object;
  /** Prepares the evaluation and its cycle, so that only state and capacity can be refused. */
  fields?: object;
  cycle?: object;
};
const texts = { self_assessment: 'self_comment', manager_review: 'strengths', hr_review: 'hr_comment' } as const;
const textFor = (status: EvaluationStatus) => (status in texts ? { [texts[status as keyof typeof texts]]: 'New' } : {});
const decideDispute = (
  ids: readonly string[],
  result: string,
  items: (made: MadeEvaluation) => object[] = () => [],
) => ({
  endpoint: evaluationSteps.resolveDispute,
  ids,
  body: (made: MadeEvaluation) => ({ result, resolution, items: items(made) }),
});
const simple = (endpoint: Endpoint, ids: readonly string[], body: object = because): Attempt => ({
  endpoint,
  ids,
  body: () => body,
});
const over = { self_assessment_opens_on: dayFromNow(-9), self_assessment_closes_on: dayFromNow(-1) };
const asked = {
  extension_status: 'pending',
  extension_reason: 'Ill for a week',
  extension_requested_at: new Date().toISOString(),
  extension_requests: 1,
};

const formerDraft = JSON.stringify({ reviewer: 'Omar Diaz', at: '2026-11-20T10:00:00.000Z', items: [] });

const attempts: readonly Attempt[] = [
  { endpoint: evaluationSteps.update, ids: ['E2'], body: (_made, status) => textFor(status) },
  { ...simple(evaluationSteps.formerDraft, ['E2'], { decision: 'discard' }), fields: { former_draft: formerDraft } },
  {
    endpoint: evaluationSteps.selfAssessment,
    ids: ['E3'],
    body: ({ items }) => ({ items: items.map(({ id }) => ({ id, self_score: 4 })) }),
  },
  {
    ...simple(evaluationSteps.requestExtension, ['E4']),
    cycle: { ...over, manager_review_closes_on: dayFromNow(-1) },
  },
  {
    ...simple(evaluationSteps.decideExtension, ['E5'], { decision: 'approved', until: dayFromNow(2) }),
    fields: asked,
    cycle: over,
  },
  simple(evaluationSteps.skipSelfAssessment, ['E6']),
  simple(evaluationSteps.changeReviewer, ['E7'], { reviewer_id: teamLead.id }),
  {
    endpoint: evaluationSteps.managerReview,
    ids: ['E8'],
    body: ({ items }) => ({ items: items.map(({ id }) => ({ id, manager_score: 4 })) }),
  },
  simple(evaluationSteps.return, ['E9', 'E10']),
  simple(evaluationSteps.hrReview, ['E11'], { hr_comment: 'Fine.', performance_flag: 'standard' }),
  simple(evaluationSteps.accept, ['E12'], {}),
  simple(evaluationSteps.dispute, ['E13'], { reason: 'That is not what happened.' }),
  {
    ...simple(evaluationSteps.recordAnswer, ['E23'], { outcome: 'accepted', talked_on: dayFromNow(0) }),
    fields: { person_signs_in: false },
  },
  {
    ...simple(evaluationSteps.recordAnswer, ['E24'], {
      outcome: 'disputed',
      talked_on: dayFromNow(0),
      reason: 'That is not what happened.',
    }),
    fields: { person_signs_in: false },
  },
  { ...simple(evaluationSteps.deemAccepted, ['E14']), fields: { acceptance_due_on: dayFromNow(-1) } },
  decideDispute(['E15'], 'maintained'),
  decideDispute(['E16'], 'modified', ({ items }) => [{ id: items[0]?.id, final_score: 2, final_note: 'Seen again' }]),
  decideDispute(['E17'], 'returned'),
  simple(evaluationSteps.close, ['E18'], {}),
  simple(evaluationSteps.forceClose, ['E19']),
  simple(evaluationSteps.cancel, ['E20']),
  simple(evaluationSteps.restore, ['E21']),
  simple(evaluationSteps.reopen, ['E22']),
  {
    endpoint: evaluationSteps.extend,
    ids: ['E25'],
    // later than the due day of the step, and within the review for a self-assessment
    body: (_made, status) => ({ until: dayFromNow(status === 'manager_review' ? 90 : 70) }),
    cycle: { manager_review_closes_on: dayFromNow(80), self_assessment_closes_on: dayFromNow(5) },
  },
];

const pdf = '%PDF-1.7\n%%EOF\n';
const clients = new Map<number, Client>();
async function clientOf({ user_id }: Persona): Promise<Client> {
  const client = clients.get(user_id) ?? (await as(user_id));
  clients.set(user_id, client);
  return client;
}

async function makeEvaluation(status: EvaluationStatus, { subject, reviewer: by }: Case, attempt?: Attempt) {
  const cycle = await kpi.cycle(attempt?.cycle ?? {});
  return kpi.evaluation({
    ...attempt?.fields,
    cycle_id: cycle.id,
    employee: subject,
    reviewer: by,
    status,
    ...(status === 'cancelled' && { cancelled_from: 'manager_review' }),
  });
}

type Outcome = { status: 403 | 404 | 422 } | { status: 200; rule: (typeof pageRules)[number] };

/** The effect that the page describes. */
function expected(who: Persona, { endpoint, ids }: Attempt, status: EvaluationStatus): Outcome {
  if (!mayCall(who.role, endpoint)) return { status: 403 };
  if (!who.sees) return { status: 404 };
  const people = pageRules.filter(
    (rule) => rule.action === actionOf(endpoint) && rule.who.some((one) => one !== 'system'),
  );
  const fromHere = people.filter(({ from }) => from.includes(status));
  const stands = (rule: (typeof pageRules)[number]) => rule.who.some((one) => who.capacities.includes(one));
  if (!(fromHere.length > 0 ? fromHere : people).some(stands)) return { status: 403 };
  const rule = fromHere.find((one) => ids.includes(one.id) && stands(one));
  return rule ? { status: 200, rule } : { status: 422 };
}

/** Everything that must stay unchanged, as one text. */
async function fingerprint(id: number): Promise<string> {
  const { rows } = await owner.query<{ sum: string }>(
    `select concat_ws(' ', md5(v::text), (select md5(string_agg(i::text, '' order by i.id)) from kpi_evaluation_items i
                                          where i.evaluation_id = v.id),
                      (select count(*) from kpi_evaluations), (select count(*) from kpi_evaluation_items),
                      (select count(*) from kpi_evaluation_activity), (select count(*) from audit_log),
                      (select count(*) from notifications)) as sum
     from kpi_evaluations v where id = $1`,
    [id],
  );
  return rows[0]?.sum ?? '';
}

async function eventsOf(id: number): Promise<string[]> {
  const { rows } = await owner.query<{ event: string }>(
    "select distinct event from notifications where subject_type = 'kpi_evaluation' and subject_id = $1",
    [id],
  );
  return sorted(rows.map(({ event }) => event));
}

function send(client: Client, { endpoint }: Attempt, id: number, body: object) {
  const url = `/api${endpoint.path.replace(':id', String(id))}`;
  if (!endpoint.upload) return client.send(endpoint.method, url, { body });
  return client.upload(url, { name: 'sheet.pdf', content: pdf }, body as Record<string, string>);
}

async function showDone(
  made: MadeEvaluation,
  status: EvaluationStatus,
  who: Persona,
  rule: (typeof pageRules)[number],
) {
  const row = await rowOf(made.id);
  const to = rule.to === 'same' ? status : rule.to === 'cancelled_from' ? 'manager_review' : rule.to;
  expect(row).toMatchObject({ status: to, revision: made.revision + 1 });
  const history = rule.action === 'update' ? [] : [[rule.action, status, to, who.user_id]];
  expect((await historyOf(made.id)).map(([action, from, target, , , user]) => [action, from, target, user])).toEqual(
    history,
  );
  // actors are not notified of their own actions
  const toReviewer = ['E6', 'E10'].includes(rule.id) && who.user_id === who.of.reviewer.user_id;
  expect(await eventsOf(made.id)).toEqual(toReviewer ? [] : rule.events);
  const { rows } = await owner.query<{ action: string }>(
    "select action from audit_log where subject_type = 'kpi_evaluation' and subject_id = $1",
    [made.id],
  );
  expect(rows.map(({ action }) => action)).toEqual(history.map(([action]) => `kpi_evaluation.${action}`));
}

describe.each(evaluationStatuses)('in the state %s', (status) => {
  // a refusal changed nothing, so the next actor can try with the same evaluation
  const untouched = new Map<string, MadeEvaluation>();
  const marks = new Map<number, string>();
  test.each(attempts.map((attempt) => [`${actionOf(attempt.endpoint)} (${attempt.ids.join(', ')})`, attempt] as const))(
    '%s is for whom the page says',
    async (_name, attempt) => {
      for (const who of personas) {
        const client = await clientOf(who);
        const key = `${who.of.subject.id} ${who.of.reviewer.id} ${JSON.stringify([attempt.fields, attempt.cycle])}`;
        const made = untouched.get(key) ?? (await makeEvaluation(status, who.of, attempt));
        if (!untouched.has(key)) marks.clear();
        untouched.set(key, made);
        const before = marks.get(made.id) ?? (await fingerprint(made.id));
        marks.set(made.id, before);
        const outcome = expected(who, attempt, status);
        const answer = await send(client, attempt, made.id, attempt.body(made, status));
        expect([who.name, answer.status, answer.body.message]).toEqual([who.name, outcome.status, expect.any(String)]);
        if (outcome.status === 200) {
          untouched.delete(key);
          marks.clear();
          await showDone(made, status, who, outcome.rule);
        } else expect(await fingerprint(made.id)).toBe(before);
        if (outcome.status === 422)
          expect(answer.body).toMatchObject({
            errors: { status: [expect.any(String)] },
            status,
            revision: made.revision,
          });
      }
    },
  );

  test('an evaluation names what its reader may do with it, and nothing else', async () => {
    const notNow = ['former-draft', 'extension-request', 'extension-decision', 'deem-accepted', 'record-answer'];
    for (const who of personas.filter(({ sees }) => sees)) {
      const { id } = await makeEvaluation(status, who.of);
      const { body } = await (await clientOf(who)).get(`/api/kpi-evaluations/${id}`);
      const possible = attempts
        .filter((attempt) => expected(who, attempt, status).status === 200)
        .map(({ endpoint }) => actionOf(endpoint))
        .filter((action) => !notNow.includes(action));
      expect([who.name, sorted(body.data.allowed_actions)]).toEqual([who.name, sorted([...new Set(possible)])]);
    }
  });
});
