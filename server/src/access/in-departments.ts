import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { InDepartments } from './actor.ts';

/** The departments of an assignment `a`, with their companies and those below; null without any. */
export const departmentsOfAssignment: RawBuilder<InDepartments | null> = sql`
  case when a.department_ids is not null then json_build_object(
    'named', array(select json_build_object('id', d.id, 'entity_id', d.entity_id) from departments d
                   where d.id = any(a.department_ids) order by d.id),
    'below', array(select b from departments_below(a.department_ids) as b order by b)) end`;
