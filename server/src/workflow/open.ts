import { endedEvaluationStatuses, openProbationStatuses } from '@tenure/contract';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The open states, as SQL literals like those of the partial indexes, which do not match parameters. */

const listed = (states: readonly string[]): RawBuilder<unknown> =>
  sql`(${sql.join(states.map((state) => sql.lit(state)))})`;

export const endedEvaluations = listed(endedEvaluationStatuses);
export const openReviewStates = listed(openProbationStatuses);
