import { sql } from 'kysely';

/** People recorded by triggers, so that few rows need to be searched; each reader makes the final check. */

/** People who are leaving, inactive or deleted, and who may have responsibilities: reports, departments, reviews. */
export const awayCandidates = sql`array(select k.employee_id from offboarding_candidates k)`;

/** People whose probation ends within their company's lead days or has no end, and who may have no review. */
export const probationReviewCandidates = sql`array(
  select k.employee_id from entities c join probation_review_candidates k
    on k.entity_id = c.id and k.probation_end_date <= (now() at time zone c.timezone)::date + c.probation_lead_days)`;
