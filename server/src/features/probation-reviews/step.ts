import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { reviewsIn } from '../../access/review-scope.ts';
import type { Db } from '../../db/connect.ts';
import type { ProbationReviews } from '../../db/schema.ts';
import { stepsOf } from '../../workflow/step.ts';
import { factColumns, factTables } from './capacities.ts';
import type { ReviewFacts } from './capacities.ts';
import { recordMoves } from './history.ts';
import { allowStep, refusalOf } from './transitions.ts';

/** A review as stored, with the values of its person that the rules need. */
export type ReviewRecord = Omit<Selectable<ProbationReviews>, keyof ReviewFacts> & ReviewFacts;

/**
 * Steps that also change the person's record, or that a pause of the probation refuses: they lock the person before the
 * review, like every change of people.
 */
const locksPerson = new Set(['submit', 'approve', 'share', 'revert']);

const lockPersonOf = (db: Db, id: number) =>
  sql`select from employees where id = (select employee_id from probation_reviews where id = ${id}) for update`.execute(
    db,
  );

export const { stepOf, move } = stepsOf<ReviewRecord>({
  table: 'probation_reviews',
  tables: factTables,
  columns: factColumns,
  inScope: reviewsIn,
  transitions: { allowStep, refusalOf },
  recordMoves,
  lockFirst: async (db, action, id) => locksPerson.has(action) && lockPersonOf(db, id),
});
