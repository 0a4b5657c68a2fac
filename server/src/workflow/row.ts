import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { RawBuilder } from 'kysely';

/**
 * What all workflow records have: whom they concern, where the person was when the record began, the reviewer and the
 * state. `person_…` is the person's current place.
 */
export type WorkflowRow<Status extends string = string> = {
  id: number;
  employee_id: number;
  entity_id: number;
  department_id: number;
  reviewer_id: number | null;
  status: Status;
  revision: number;
  round: number;
  person_name: string;
  person_entity_id: number;
  person_department_id: number;
  person_manager_id: number | null;
  /** Today in the record's company. */
  today: string;
  /** The deputy who currently acts for the absent reviewer that the record waits for, and that reviewer's name. */
  deputy: { id: number; acts_for: string } | null;
};

/** The columns of `WorkflowRow`: v is the record, n its company, p its person. */
export const workflowColumns = sql`
  v.id, v.employee_id, v.entity_id, v.department_id, v.reviewer_id, v.status, v.revision, v.round,
  p.name as person_name, p.entity_id as person_entity_id, p.department_id as person_department_id,
  p.reporting_manager_id as person_manager_id, (now() at time zone n.timezone)::date as today`;

/** The tables that `workflowColumns` reads from. */
export const workflowTables = (table: 'kpi_evaluations' | 'probation_reviews') => sql`${sql.table(table)} v
  join entities n on n.id = v.entity_id
  join employees p on p.id = v.employee_id`;

/** The names of the people and places that a record refers to. */
export type WorkflowNames = {
  entity_name: string;
  department_name: string;
  person_number: string;
  reviewer_number: string | null;
  reviewer_name: string | null;
};

/** The columns of `WorkflowNames`. */
export const nameColumns = sql`
  n.name as entity_name, d.name as department_name, p.employee_number as person_number,
  r.employee_number as reviewer_number, r.name as reviewer_name`;

/** The additional tables that `nameColumns` reads from, besides `workflowTables`. */
export const nameTables = sql`
  join departments d on d.id = v.department_id
  left join employees r on r.id = v.reviewer_id`;

/** Reads the rows of a list in the order of their ids. */
export async function readInOrder<Row>(
  db: Db,
  ids: readonly number[],
  { columns, tables }: { columns: RawBuilder<Row>; tables: RawBuilder<unknown> },
): Promise<Row[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select ${columns} from ${tables}
    join unnest(${ids}::bigint[]) with ordinality as page (id, place) on page.id = v.id
    order by page.place`.execute(db);
  return rows;
}
