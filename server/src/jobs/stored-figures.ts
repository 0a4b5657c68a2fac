import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { inJobTransaction } from './task.ts';
import type { JobContext } from './task.ts';
import { allColumns } from '../db/all-columns.ts';
import type { DB } from '../db/schema.ts';
import { endedEvaluations, openReviewStates } from '../workflow/open.ts';

type Counts = { keys: readonly string[]; sums: readonly string[]; rows: RawBuilder<unknown> };
type StoredFigure = {
  table: keyof DB;
  /** Rows whose insertion corrects the table: differences of counts, or what is missing. */
  differing: RawBuilder<unknown>;
};

const names = (list: readonly string[]) =>
  sql.join(
    list.map((name) => sql.ref(name)),
    sql`, `,
  );
const sumsOf = (list: readonly string[]) =>
  sql.join(
    list.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
    sql`, `,
  );
const minus = (list: readonly string[]) =>
  sql.join(
    list.map((name) => sql`-${sql.ref(name)}`),
    sql`, `,
  );

/** Counts whose sums the table stores, in its column order; `rows` has one row per record. */
const counted = (table: keyof DB, { keys, sums, rows }: Counts): StoredFigure => ({
  table,
  differing: sql`
    select ${names(keys)}, ${sumsOf(sums)} from (
      select ${names(keys)}, ${names(sums)} from (${rows}) as records
      union all
      select ${names(keys)}, ${minus(sums)} from ${sql.table(table)}) as both_sides
    group by ${names(keys)}
    having ${sql.join(
      sums.map((name) => sql`sum(${sql.ref(name)}) <> 0`),
      sql` or `,
    )}`,
});

const isAway = sql`(e.activity_status <> 'active' or e.employment_lifecycle in ('resigned', 'terminated')
  or e.deleted_at is not null)`;

/** Figures that triggers maintain beside the records, by the fault that a difference from a full count means. */
export const storedFigures: Readonly<Record<string, StoredFigure>> = {
  'a head count differs from the rows': counted('employee_counts', {
    keys: ['level', 'key_id', 'activity_status', 'employment_lifecycle'],
    sums: ['people'],
    rows: sql`
      select level, key_id, activity_status, employment_lifecycle, 1 as people from employees,
        lateral (values ('all', 0), ('entity', entity_id), ('department', department_id)) as l (level, key_id)
      where deleted_at is null`,
  }),
  'a count of years of service differs from the rows': counted('employee_tenure_counts', {
    keys: ['entity_id', 'month', 'employment_type'],
    sums: ['people'],
    rows: sql`
      select entity_id, coalesce(date_trunc('month', joining_date)::date, '-infinity') as month, employment_type,
             1 as people
      from employees where activity_status = 'active' and deleted_at is null`,
  }),
  'a count of evaluations differs from the rows': counted('kpi_evaluation_counts', {
    keys: ['cycle_id', 'entity_id', 'department_id', 'status', 'due_on', 'band', 'flag'],
    sums: ['evaluations', 'percentages'],
    rows: sql`
      select cycle_id, entity_id, department_id, status, due_on, kpi_band(cycle_id, status, overall_percentage) as band,
             case when status = 'completed' then performance_flag end as flag, 1 as evaluations,
             case when status = 'completed' then coalesce(overall_percentage, 0) else 0 end as percentages
      from kpi_evaluations`,
  }),
  'a count of evaluations by company differs from those by department': counted('kpi_folded_counts', {
    keys: ['cycle_id', 'entity_id', 'status', 'due_on', 'band'],
    sums: ['evaluations', 'percentages'],
    rows: sql`
      select cycle_id, entity_id, status, due_on, band, evaluations, percentages
      from kpi_evaluation_counts where folded`,
  }),
  'a count of probation reviews differs from the rows': counted('probation_review_counts', {
    keys: ['entity_id', 'department_id', 'status'],
    sums: ['reviews'],
    rows: sql`select entity_id, department_id, status, 1 as reviews from probation_reviews`,
  }),
  'a person who is away with responsibilities is not noted': {
    table: 'offboarding_candidates',
    differing: sql`
      select e.id as employee_id from employees e
      where ${isAway} and not exists (select from offboarding_candidates c where c.employee_id = e.id)
        and (exists (select from departments d where d.manager_id = e.id)
             or exists (select from departments d where d.team_lead_id = e.id)
             or exists (select from kpi_cycles c where c.owner_id = e.id and c.status <> 'closed')
             or exists (select from employees r where r.reporting_manager_id = e.id and r.activity_status <> 'inactive'
                        and r.deleted_at is null)
             or exists (select from kpi_evaluations v
                        where v.reviewer_id = e.id and v.status not in ${endedEvaluations})
             or exists (select from probation_reviews v
                        where v.reviewer_id = e.id and v.status in ${openReviewStates}))`,
  },
  'a probation without a review is not noted': {
    table: 'probation_review_candidates',
    differing: sql`
      select e.id as employee_id, e.entity_id, coalesce(e.probation_end_date, '-infinity') as probation_end_date
      from employees e
      where e.employment_lifecycle = 'probationary' and e.activity_status = 'active' and e.deleted_at is null
        and (e.probation_end_date is null or not exists (
          select from probation_reviews v
          where v.employee_id = e.id and v.milestone = 'final'
            and (v.status in ${openReviewStates}
                 or v.status = 'approved' and v.probation_end_date = e.probation_end_date)))
        and not exists (
          select from probation_review_candidates c
          where c.employee_id = e.id and c.entity_id = e.entity_id
            and c.probation_end_date = coalesce(e.probation_end_date, '-infinity'))`,
  },
};

const shown = 5;

/** Compares each stored figure with a full count, in one statement that corrects it, and logs what differed. */
export async function checkStoredFigures({ deps: { db, log } }: JobContext) {
  for (const [finding, { table, differing }] of Object.entries(storedFigures)) {
    const { rows } = await inJobTransaction(db, (trx) =>
      sql`insert into ${sql.table(table)} ${differing} returning ${allColumns(table, table)}`.execute(trx),
    );
    if (rows.length === 0) continue;
    const facts = { table, count: rows.length, rows: rows.slice(0, shown) };
    log.error(
      { event: 'stored_figures_corrected', ...facts },
      `${finding}; the stored figures were corrected. This is a defect: please report it`,
    );
  }
}
