import type { BodyOut, probationSteps } from '@tenure/contract';
import { messages, text } from '@tenure/contract';
import { sql } from 'kysely';
import { peopleFor, visiblePeople } from '../../../access/scope.ts';
import { forbidden, invalid } from '../../../http/errors.ts';
import { requireReviewer } from '../../../workflow/step.ts';
import { openReviews } from '../open.ts';
import { mayReviewProbations } from '../reviewers.ts';
import type { ServiceCtx } from '../../../http/context.ts';
import { openReviewStates } from '../../../workflow/open.ts';

type Body = BodyOut<typeof probationSteps.create>;

type Candidate = {
  id: number;
  employment_lifecycle: string;
  activity_status: string;
  probation_end_date: string | null;
  probation_paused_from: string | null;
  today: string;
  /** The state of a review that prevents another one. */
  present: string | null;
};

/** The person, locked until the end of the transaction: visible to the actor, and in the scope for opening reviews. */
async function findCandidate(
  { db, actor }: ServiceCtx,
  { employee_id: id, milestone = 'final' }: Body,
): Promise<Candidate> {
  await sql`select from employees where id = ${id} for update`.execute(db);
  const { rows } = await sql<Candidate>`
    select e.id, e.employment_lifecycle, e.activity_status, e.probation_end_date, e.probation_paused_from,
           (now() at time zone n.timezone)::date as today,
           (select v.status from probation_reviews v
            where v.employee_id = e.id and (v.milestone = ${milestone} or v.milestone = 'final' and v.status = 'approved')
              and (v.status in ${openReviewStates}
                   or (v.status = 'approved' and v.probation_end_date = e.probation_end_date))
            order by v.milestone = 'final' desc, v.sequence desc limit 1) as present
    from employees e join entities n on n.id = e.entity_id
    where e.id = ${id} and e.deleted_at is null and ${visiblePeople(actor)}
      and ${peopleFor(actor, 'probation-review.create')}`.execute(db);
  const [row] = rows;
  if (!row) throw invalid('employee_id', messages.unavailable);
  return row;
}

const refusalOf = (person: Candidate, { milestone = 'final' }: Body) => {
  const { employment_lifecycle, activity_status, probation_end_date, present } = person;
  if (employment_lifecycle !== 'probationary') return text('probation.not_on_probation');
  if (activity_status === 'joining') return text('employees.not_joined_yet');
  if (activity_status !== 'active') return text('evaluations.person_inactive');
  if (probation_end_date === null) return text('probation.no_end_date');
  if (person.probation_paused_from !== null) return text('probation.resume_first');
  if (present === null) return undefined;
  if (present === 'approved' && milestone !== 'final') return text('probation.shared_already');
  return present === 'approved' ? text('probation.decided_already') : text('probation.open_review_exists');
};

function checkDue({ probation_end_date: end, today }: Candidate, due: string): void {
  if (due < today) throw invalid('due_date', messages.afterOrEqual('today'));
  if (end !== null && end >= today && due > end) throw invalid('due_date', messages.beforeOrEqual(end));
}

/**
 * P1: opens a review manually.
 * @returns its id
 */
export async function create(ctx: ServiceCtx, body: Body): Promise<number> {
  if (body.employee_id === ctx.actor.employee_id) throw forbidden();
  const person = await findCandidate(ctx, body);
  const refusal = refusalOf(person, body);
  if (refusal !== undefined) throw invalid('employee_id', refusal);
  if (body.due_date !== undefined) checkDue(person, body.due_date);
  if (body.reviewer_id)
    await requireReviewer(ctx, { employee_id: person.id, id: body.reviewer_id }, mayReviewProbations('e'));
  const [id] = await openReviews(ctx, [body]);
  // the person is locked, so no other request can have opened one since
  if (id === undefined) throw new Error(`No review was opened for the employee ${person.id}`);
  return id;
}
