import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** The initial criteria of a review from a set of this company, and whether reviewers can adapt them. */
export const proposedTo = (company: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select s.may_adapt, jsonb_agg(jsonb_build_object(
           'name', c.item->>'name', 'weight', (c.item->>'weight')::int * 100, 'rating', null, 'comment', null)
           || jsonb_strip_nulls(jsonb_build_object('guidance', c.item->'guidance'))
           order by c.place) as criteria
  from probation_criteria_sets s
  cross join lateral jsonb_array_elements(s.criteria) with ordinality as c (item, place)
  where s.entity_id = ${company} and s.is_proposed group by s.id`;

/**
 * The criteria that another reviewer of a row of `probation_reviews` starts with: those that HR fixed, without the
 * ratings; otherwise those that the company proposes, because the former reviewer may have adapted them.
 */
export const criteriaForNext = sql<null>`
  case when criteria_fixed then (
    select jsonb_agg(c.item || '{"rating": null, "comment": null}' order by c.place)
    from jsonb_array_elements(criteria) with ordinality as c (item, place))
  else (select p.criteria from (${proposedTo(sql`probation_reviews.entity_id`)}) as p) end`;
