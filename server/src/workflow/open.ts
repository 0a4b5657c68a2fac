import { endedEvaluationStatuses, openProbationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** Which states are open, for statements. They are literals, as in the partial indexes, which serve no parameters. */

const listed = (states: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(states.map((state) => sql.lit(state)))})`;

export const endedEvaluations = listed(endedEvaluationStatuses);
export const openReviewStates = listed(openProbationStatuses);
