import type { ProbationStatus } from '@tenure/contract';
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { DB } from '../db/schema.ts';
import type { TestApp } from './app.ts';
import type { MadeEmployee } from './make.ts';
import { dayFromNow } from './make-kpi.ts';

type Fields = Partial<Insertable<DB['probation_reviews']>>;
type EmployeeFields = Parameters<TestApp['make']['employee']>[0];
type ReviewFields = Fields & {
  status?: ProbationStatus;
  /** The person; a new one on probation when absent. */
  employee?: MadeEmployee | undefined;
  reviewer?: MadeEmployee | undefined;
  /** Roles with a typed signature in the current round; by default those that the state implies. */
  signed?: readonly ('manager' | 'hr' | 'employee')[];
};

export type MadeReview = {
  id: number;
  employee_id: number;
  entity_id: number;
  department_id: number;
  reviewer_id: number | null;
  probation_start_date: string | null;
  probation_end_date: string;
  status: string;
  revision: number;
  round: number;
};

export type ProbationMakers = {
  /** A person on probation, for another thirty days unless a test says otherwise. */
  person: (fields?: EmployeeFields) => Promise<MadeEmployee>;
  review: (fields?: ReviewFields) => Promise<MadeReview>;
};

const daysAgo = (days: number) =>
  Temporal.Now.instant()
    .subtract({ hours: 24 * days })
    .toString();

const assessment: Fields = {
  performance_rating: 4,
  strengths: 'Learns fast.',
  comments: 'Ready to be confirmed.',
  recommendation: 'confirm',
  review_date: dayFromNow(-3),
};

/** What a review has by the time of a state. */
function usualFields(status: ProbationStatus): Fields {
  const isDecided = status === 'approved' || status === 'reverted';
  return {
    ...((status === 'submitted' || status === 'sent_back' || isDecided) && {
      ...assessment,
      submitted_at: daysAgo(2),
    }),
    ...(status === 'sent_back' && { send_back_reason: 'Please say more about teamwork.', round: 2 }),
    ...(isDecided && {
      outcome: 'confirm',
      effective_date: dayFromNow(0),
      hr_comments: 'Well done.',
      decided_at: daysAgo(1),
      decided_by_name: 'Human resources',
    }),
    ...(status === 'cancelled' && { cancel_reason: 'No longer needed.' }),
    ...(status === 'reverted' && { revert_reason: 'Decided on the wrong person.', reverted_at: daysAgo(0) }),
  };
}

const usualSignatures: Readonly<Record<ProbationStatus, readonly string[]>> = {
  pending: [],
  submitted: ['manager'],
  sent_back: [],
  approved: ['manager', 'hr'],
  cancelled: [],
  reverted: ['manager', 'hr'],
};

const reviewColumns = [
  'id',
  'employee_id',
  'entity_id',
  'department_id',
  'reviewer_id',
  'probation_start_date',
  'probation_end_date',
  'status',
  'revision',
  'round',
] as const;

/** Inserts probation reviews directly; fills in consistently what a test does not specify. */
export function probationMaker({ deps: { db }, make }: Pick<TestApp, 'deps' | 'make'>): ProbationMakers {
  const personOf = (id: number) =>
    db
      .selectFrom('employees')
      .select(['entity_id', 'department_id', 'probation_start_date', 'probation_end_date'])
      .select(sql<string>`fold(name)`.as('person_sort'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const sign = async (reviewId: number, round: number, roles: readonly string[]) => {
    const common = { review_id: reviewId, round, method: 'typed', content: '{}', content_hash: '0'.repeat(64) };
    for (const role of roles)
      await db
        .insertInto('probation_signatures')
        .values({ ...common, role, signer_name: `The ${role}`, typed_name: `The ${role}` })
        .execute();
  };
  const makers: ProbationMakers = {
    person: (fields = {}) =>
      make.employee({
        employment_lifecycle: 'probationary',
        joining_date: dayFromNow(-60),
        probation_start_date: dayFromNow(-60),
        probation_end_date: dayFromNow(30),
        ...fields,
      }),
    review: async ({ employee, reviewer, status = 'pending', signed, ...fields } = {}) => {
      const employee_id = fields.employee_id ?? (employee ?? (await makers.person())).id;
      const { probation_end_date, ...place } = await personOf(employee_id);
      const review = await db
        .insertInto('probation_reviews')
        .values({
          ...place,
          probation_end_date: probation_end_date ?? dayFromNow(30),
          due_date: dayFromNow(23),
          ...(reviewer && { reviewer_id: reviewer.id }),
          ...usualFields(status),
          ...fields,
          employee_id,
          status,
        })
        .returning(reviewColumns)
        .executeTakeFirstOrThrow();
      await sign(review.id, review.round, signed ?? usualSignatures[status]);
      return review;
    },
  };
  return makers;
}
