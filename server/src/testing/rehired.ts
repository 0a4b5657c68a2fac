import type pg from 'pg';

/** Gives a person a job from March until April 2026, and the one after a rehire in October. */
export const rehire = (owner: pg.Pool, { id }: { id: number }) =>
  owner.query(
    `insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id,
       department_id, employment_type, employment_lifecycle, rehired_after, created_by_name)
     select e.id, t.first, t.last, t.status, '{}', entity_id, department_id, employment_type, employment_lifecycle,
            t.rehired_after, 'HR'
     from employees e, (values ('2026-03-01'::date, '2026-09-30'::date, 'past', null::date),
                               ('2026-10-01', null, 'current', '2026-04-30')) as t (first, last, status, rehired_after)
     where e.id = $1`,
    [id],
  );
