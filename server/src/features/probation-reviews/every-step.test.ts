import { probationSignatures, probationStatuses, probationSteps } from '@tenure/contract';
import type { Endpoint, ProbationStatus, SeededRole } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { mayCall } from '../../access/matrix.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { sorted } from '../../testing/evaluations.ts';
import { dayFromNow } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import type { MadeReview } from '../../testing/make-probation.ts';
import type { MadeEmployee } from '../../testing/make.ts';
import { reviewTesting } from '../../testing/reviews.ts';
import { probationPage } from '../../testing/workflow-page.ts';
import type { PageRule } from '../../testing/workflow-page.ts';
import { actionOf } from '../../workflow/step.ts';

/**
 * Every state, action, role and relationship of docs/probation-workflow.md: what its table allows works and has the
 * described effect; the rest is refused with 403, 404 or 422 and changes nothing.
 */

const app = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const { as, make, owner } = app;
const probation = probationMaker(app);
const { rowOf, historyOf, auditOf, fingerprint } = reviewTesting(app);

const here = await make.entity();
const away = await make.entity();
const department = await make.department({ entity_id: here.id });
const inside = (role: SeededRole) => probation.person({ department_id: department.id, roles: [role] });
const outside = (role: SeededRole) => probation.person({ entity_id: away.id, roles: [role] });
const employee = await inside('Employee');
const reviewer = await outside('TeamLead');
const manager = await inside('Manager');
const teamLead = await inside('TeamLead');
const hr = await outside('HR');
const adminPerson = await inside('Admin');
const limited = await make.employee({ entity_id: away.id, roles: [{ role: 'HR', entity_ids: [away.id] }] });
const colleague = await inside('Employee');
// a second HR user is needed, who is notified of what HR does
await outside('HR');
const admin = await make.admin();
await owner.query('update departments set manager_id = $1, team_lead_id = $2 where id = $3', [
  manager.id,
  teamLead.id,
  department.id,
]);

/** The subject of the review, and its reviewer. */
type Case = { subject: MadeEmployee; reviewer: MadeEmployee };
const usual: Case = { subject: employee, reviewer };
const by = (one: MadeEmployee): Case => ({ subject: employee, reviewer: one });
const about = (one: MadeEmployee): Case => ({ subject: one, reviewer });

const always = () => true;
const never = () => false;
const onceDecided = (status: ProbationStatus) => status === 'approved' || status === 'reverted';

type Persona = {
  name: string;
  role: SeededRole;
  user_id: number;
  of: Case;
  sees: (status: ProbationStatus) => boolean;
  capacities: readonly string[];
};
const everyHr = ['hr', 'decider', 'organiser', 'canceller'];
const partialHr = everyHr.filter((one) => one !== 'decider');
const persona = (
  name: string,
  role: SeededRole,
  { user_id }: { user_id: number },
  capacities: readonly string[],
  { of = usual, sees = always }: { of?: Case; sees?: Persona['sees'] } = {},
): Persona => ({ name, role, user_id, of, sees, capacities });

const personas: readonly Persona[] = [
  persona('the employee', 'Employee', employee, ['subject'], { sees: onceDecided }),
  persona('the reviewer', 'TeamLead', reviewer, ['reviewer']),
  persona('the manager of the department', 'Manager', manager, []),
  persona('the team lead of the department', 'TeamLead', teamLead, []),
  persona('HR', 'HR', hr, everyHr),
  persona('an administrator', 'Admin', admin, [...everyHr, 'reverter']),
  persona('HR of another company', 'HR', limited, [], { sees: never }),
  persona('a colleague', 'Employee', colleague, [], { sees: never }),
  persona('a manager who reviews', 'Manager', manager, ['reviewer'], { of: by(manager) }),
  persona('HR that reviews', 'HR', hr, ['reviewer', ...partialHr], { of: by(hr) }),
  persona('an administrator who reviews', 'Admin', adminPerson, ['reviewer', ...partialHr, 'reverter'], {
    of: by(adminPerson),
  }),
  persona('HR about itself', 'HR', hr, ['subject'], { of: about(hr), sees: onceDecided }),
  persona('an administrator about itself', 'Admin', adminPerson, ['subject'], {
    of: about(adminPerson),
    sees: onceDecided,
  }),
  persona('HR about an administrator', 'HR', hr, partialHr, { of: about(adminPerson) }),
  persona('an administrator about another', 'Admin', admin, [...everyHr, 'reverter'], { of: about(adminPerson) }),
];

const because = { reason: 'Agreed with everybody.' };
const signature = { method: 'typed', typed_name: 'A Signature' };
type Attempt = { endpoint: Endpoint; body: object; fields?: { person_signs_in: boolean } };
const attempts: readonly Attempt[] = [
  // the one field of the form that both reviewer and HR can change
  { endpoint: probationSteps.update, body: { review_date: dayFromNow(2) } },
  {
    endpoint: probationSteps.submit,
    body: { performance_rating: 4, comments: 'Fine.', recommendation: 'confirm', signature },
  },
  { endpoint: probationSteps.recall, body: {} },
  { endpoint: probationSteps.sendBack, body: because },
  { endpoint: probationSteps.approve, body: { effective_date: dayFromNow(0), signature } },
  { endpoint: probationSteps.acknowledge, body: {} },
  {
    endpoint: probationSteps.recordAcknowledgement,
    body: { talked_on: dayFromNow(0) },
    fields: { person_signs_in: false },
  },
  { endpoint: probationSteps.cancel, body: because },
  { endpoint: probationSteps.revert, body: { ...because, probation_end_date: dayFromNow(20) } },
  { endpoint: probationSteps.changeReviewer, body: { reviewer_id: teamLead.id } },
  { endpoint: probationSteps.delete, body: {} },
  { endpoint: probationSignatures.sign, body: signature },
];

const clients = new Map<number, Client>();
async function clientOf({ user_id }: Persona): Promise<Client> {
  const client = clients.get(user_id) ?? (await as(user_id));
  clients.set(user_id, client);
  return client;
}

/** A review in a state, about a person on probation as on the first day, whatever happened before. */
async function makeReview(
  status: ProbationStatus,
  { subject, reviewer: one }: Case,
  fields?: Attempt['fields'],
): Promise<MadeReview> {
  for (const statement of [
    'delete from probation_sheets where review_id in (select id from probation_reviews where employee_id = $1)',
    'delete from probation_signatures where review_id in (select id from probation_reviews where employee_id = $1)',
    'delete from probation_reviews where employee_id = $1',
    `update employees set employment_lifecycle = 'probationary', activity_status = 'active', confirmation_date = null
     where id = $1`,
  ])
    await owner.query(statement, [subject.id]);
  return probation.review({ status, employee: subject, reviewer: one, ...fields });
}

type Outcome = { status: 403 | 404 | 422 } | { status: number; rule: PageRule };
const stands = (who: Persona) => (rule: PageRule) => rule.who.some((one) => who.capacities.includes(one));

/** The effect that the page describes. */
function expected(who: Persona, { endpoint }: Attempt, status: ProbationStatus): Outcome {
  if (!mayCall(who.role, endpoint)) return { status: 403 };
  if (!who.sees(status)) return { status: 404 };
  const ofAction = probationPage.rules.filter(({ action }) => action === actionOf(endpoint));
  const fromHere = ofAction.filter(({ from }) => from.includes(status));
  if (!(fromHere.length > 0 ? fromHere : ofAction).some(stands(who))) return { status: 403 };
  const rule = fromHere.find(stands(who));
  return rule ? { status: endpoint.status, rule } : { status: 422 };
}

async function eventsOf(id: number): Promise<string[]> {
  const { rows } = await owner.query<{ event: string }>(
    "select distinct event from notifications where subject_type = 'probation_review' and subject_id = $1",
    [id],
  );
  return sorted(rows.map(({ event }) => event));
}

/** A draft and a signature are not transitions; dates set by HR do not count as a draft. */
const isSilent = ({ action }: PageRule, { capacities }: Persona) =>
  action === 'signatures' || (action === 'update' && capacities.includes('reviewer'));

async function showDone(made: MadeReview, who: Persona, rule: PageRule) {
  const actions = isSilent(rule, who) ? [] : [rule.action];
  expect(await auditOf('probation_review', made.id)).toEqual(actions.map((action) => `probation_review.${action}`));
  const row = await rowOf(made.id);
  if (rule.to === 'gone') return expect(row).toBeUndefined();
  const to = rule.to === 'same' ? made.status : rule.to;
  expect(row).toMatchObject({ status: to, revision: made.revision + (rule.action === 'signatures' ? 0 : 1) });
  expect((await historyOf(made.id)).map(([action, from, target, , , user]) => [action, from, target, user])).toEqual(
    actions.map((action) => [action, made.status, to, who.user_id]),
  );
  // actors are not notified of their own actions
  const toReviewerAlone = rule.action === 'cancel' && who.user_id === who.of.reviewer.user_id;
  expect(await eventsOf(made.id)).toEqual(toReviewerAlone ? [] : rule.events);
}

function send(client: Client, { endpoint, body }: Attempt, id: number) {
  const url = `/api${endpoint.path.replace(':id', String(id))}`;
  if (endpoint.upload !== 'sheet') return client.send(endpoint.method, url, { body });
  return client.upload(url, { name: 'sheet.pdf', content: '%PDF-1.7\n%%EOF\n' }, body as Record<string, string>);
}

describe.each(probationStatuses)('in the state %s', (status) => {
  // a refusal changed nothing, so the next actor can try with the same review
  let untouched: { of: Case; made: MadeReview; mark: string } | undefined;
  const waitingFor = async (of: Case, fields: Attempt['fields']) => {
    if (!fields && untouched?.of.subject === of.subject && untouched.of.reviewer === of.reviewer) return untouched;
    const made = await makeReview(status, of, fields);
    return { of, made, mark: await fingerprint(made.id) };
  };

  test.each(attempts.map((attempt) => [actionOf(attempt.endpoint), attempt] as const))(
    '%s is for whom the page says',
    async (action, attempt) => {
      for (const who of personas) {
        const client = await clientOf(who);
        const waiting = await waitingFor(who.of, attempt.fields);
        const { made } = waiting;
        const outcome = expected(who, attempt, status);
        const answer = await send(client, attempt, made.id);
        expect([who.name, answer.status, answer.body?.message]).toEqual([
          who.name,
          outcome.status,
          outcome.status === 204 ? undefined : expect.any(String),
        ]);
        if ('rule' in outcome) {
          await showDone(made, who, outcome.rule);
          untouched = undefined;
          continue;
        }
        expect(await fingerprint(made.id)).toBe(waiting.mark);
        untouched = attempt.fields ? undefined : waiting;
        if (outcome.status !== 422) continue;
        const refusal = { errors: { status: [expect.any(String)] }, status, revision: made.revision };
        const kept = { errors: { probation_review: [expect.any(String)] } };
        expect(answer.body).toMatchObject(action === 'delete' ? kept : refusal);
      }
    },
  );

  test('a review names what its reader may do with it, and nothing else', async () => {
    for (const who of personas.filter(({ sees }) => sees(status))) {
      const { id } = await makeReview(status, who.of);
      const { body } = await (await clientOf(who)).get(`/api/probation-reviews/${id}`);
      const possible = attempts
        // the person has a sign-in
        .filter((attempt) => !attempt.fields && 'rule' in expected(who, attempt, status))
        .map(({ endpoint }) => actionOf(endpoint));
      expect([who.name, sorted(body.data.allowed_actions)]).toEqual([who.name, sorted(possible)]);
    }
  });
});

test('create is for whom the page says', async () => {
  for (const who of personas) {
    const client = await clientOf(who);
    const old = await makeReview('cancelled', who.of);
    const before = await fingerprint(old.id);
    const answer = await client.post('/api/probation-reviews', { employee_id: who.of.subject.id });
    // a person outside the scope is as unknown as an unused id
    const refused = mayCall(who.role, probationSteps.create) && !who.capacities.includes('subject') ? 422 : 403;
    const opens = who.capacities.includes('organiser');
    expect([who.name, answer.status]).toEqual([who.name, opens ? 201 : refused]);
    if (opens)
      expect(await historyOf(answer.body.data.id)).toEqual([['create', null, 'pending', null, 1, who.user_id]]);
    else expect(await fingerprint(old.id)).toBe(before);
  }
});
