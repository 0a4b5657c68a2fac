import type { employees, HeadCountOnDay, QueryOut } from '@tenure/contract';
import { sql } from 'kysely';
import type { ReadCtx } from '../../../http/context.ts';
import { countedOn, peopleMatchingOn } from './on-day.ts';

type Found = Pick<HeadCountOnDay, 'total' | 'by_entity' | 'by_department'> & {
  types: Partial<HeadCountOnDay['by_employment_type']>;
};

/** The people of the list as of a day, counted by company, department and employment type in one statement. */
export async function headCountOn(
  { db, actor }: ReadCtx,
  query: QueryOut<typeof employees.headCount>,
): Promise<HeadCountOnDay> {
  const { rows } = await sql<Found>`
    with groups as materialized (
      select e.entity_id, e.department_id, e.employment_type, count(*)::int as people
      from ${countedOn(actor, query)} where ${peopleMatchingOn(actor, query)} group by 1, 2, 3)
    select coalesce(sum(people), 0)::int as total,
      (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name, 'count', c.people)
                                order by c.people desc, n.name_sort, n.id), '[]')
       from (select entity_id, sum(people)::int as people from groups group by 1) as c
       join entities n on n.id = c.entity_id) as by_entity,
      (select coalesce(json_agg(json_build_object('id', d.id, 'name', d.name, 'count', c.people,
                                                  'entity', json_build_object('id', n.id, 'name', n.name))
                                order by c.people desc, d.name_sort, d.id), '[]')
       from (select entity_id, department_id, sum(people)::int as people from groups group by 1, 2) as c
       join departments d on d.id = c.department_id join entities n on n.id = c.entity_id) as by_department,
      (select coalesce(json_object_agg(employment_type, people), '{}')
       from (select employment_type, sum(people)::int as people from groups group by 1) as c) as types
    from groups`.execute(db);
  const { types, ...counts } = rows[0] as Found;
  const none = { full_time: 0, part_time: 0, contract: 0, intern: 0, consultant: 0 };
  return { as_of: query.as_of, ...counts, by_employment_type: { ...none, ...types } };
}
