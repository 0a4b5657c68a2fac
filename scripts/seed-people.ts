import type pg from 'pg';
import { firstNames, lastNames } from './names.ts';
import { withoutIndexes } from './seed-bulk.ts';

export type SeedSize = { employees: number; entities?: number; departments?: number };

/**
 * A large group of fictional companies, written in a few statements. Deterministic: the same size gives the same
 * people. Each department has a head (Manager), one lead per twenty people (TeamLead) and members who report to a lead;
 * heads report to the head of their company's first department.
 */
export async function seedPeople(pool: pg.Pool, size: SeedSize): Promise<void> {
  const entities = size.entities ?? Math.max(1, Math.min(20, Math.ceil(size.employees / 250)));
  // 25 people in each of small companies, 250 in those of large ones: a team does not grow with the group
  const usual = Math.max(Math.min(400, Math.ceil(size.employees / 25)), Math.ceil(size.employees / 250));
  const departments = Math.max(entities, size.departments ?? usual);
  const perDepartment = Math.ceil(size.employees / departments);
  const client = await pool.connect();
  try {
    await client.query("begin; set local work_mem = '256MB'");
    await client.query(
      `insert into entities (name, code, country, timezone)
       select 'Seed Company ' || i, 'SD' || i, (array['GB','DE','ES','FR','SE'])[1 + i % 5],
              (array['Europe/London','Europe/Berlin','Europe/Madrid','Europe/Paris','Europe/Stockholm'])[1 + i % 5]
       from generate_series(1, $1::int) i`,
      [entities],
    );
    await client.query(
      `insert into departments (entity_id, name, code)
       select e.id, (array['People','Finance','Engineering','Sales','Operations','Logistics','Support','Legal','Design','Purchasing'])[1 + (d / $1::int) % 10]
              || ' ' || (1 + d / $1::int), 'D' || d
       from generate_series(0, $2::int - 1) d join entities e on e.code = 'SD' || (1 + d % $1::int)`,
      [entities, departments],
    );
    await withoutIndexes(client, ['employees', 'users'], () =>
      client.query(people, [firstNames, lastNames, size.employees, perDepartment]),
    );
    for (const statement of links) await client.query(statement);
    await client.query('select fold_employee_counts(), fold_employee_tenure_counts()');
    await client.query('commit');
    await client.query('vacuum analyze');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

// n counts people from 0; place is the number inside the department, 0 its head, each 20th a lead. Ids are taken in one
// block, so that each manager is known while the row is written.
const people = `
  with base as (
    select coalesce(max(id), 0) + 1 as id from employees
  ), numbered as (
    select n, n / $4::int as d, n % $4::int as place,
           ($1::text[])[1 + (n::bigint * 7919) % cardinality($1::text[])] as first_name,
           ($2::text[])[1 + (n::bigint * 104729) % cardinality($2::text[])] as last_name
    from generate_series(0, $3::int - 1) n
  ), made_users as (
    insert into users (email)
    select 'seed' || n || '@example.com' from numbered
    returning id, email
  )
  insert into employees (id, user_id, employee_number, email, first_name, last_name, entity_id, department_id, job_title,
    reporting_manager_id, employment_lifecycle, activity_status, grade, phone, joining_date, probation_start_date,
    probation_end_date, date_of_birth, gender, nationality)
  overriding system value
  select base.id + n, u.id, 'S-' || lpad(n::text, 6, '0'), u.email, first_name, last_name, d.entity_id, d.id,
    case when place = 0 then 'Head of ' || split_part(d.name, ' ', 1) when place % 20 = 1 then 'Team lead'
         else (array['Specialist','Analyst','Engineer','Coordinator','Associate'])[1 + n % 5] end,
    base.id + case when place = 0 then nullif(d.first_nth * $4::int, n)
                   when place % 20 = 1 then n - place
                   else n - (place + 19) % 20 end,
    case when n % 25 = 7 then 'resigned' when n % 40 = 9 then 'terminated' when n % 12 = 5 then 'probationary' else 'confirmed' end,
    case when n % 25 = 7 or n % 40 = 9 then 'inactive' else 'active' end,
    'T' || (1 + n % 6), '+44 113 496 ' || lpad((n % 10000)::text, 4, '0'),
    current_date - (30 + (n * 37) % 5000),
    case when n % 12 = 5 then current_date - 30 end, case when n % 12 = 5 then current_date + (n % 90) end,
    current_date - (8000 + (n * 53) % 14000), (array['female','male','other'])[1 + n % 3], 'British'
  from numbered
  cross join base
  join made_users u on u.email = 'seed' || n || '@example.com'
  join (select id, entity_id, name, row_number() over (order by id) - 1 as nth,
               first_value(rank) over (partition by entity_id order by id) as first_nth
        from (select *, row_number() over (order by id) - 1 as rank from departments where code ~ '^D[0-9]+$') ranked) d
    on d.nth = numbered.d`;

const links = [
  `select setval(pg_get_serial_sequence('employees', 'id'), (select max(id) from employees))`,
  `create temporary table placed on commit drop as
     select e.id, e.department_id, e.entity_id, row_number() over (partition by e.department_id order by e.id) - 1 as place
     from employees e where e.employee_number like 'S-%'`,
  `update departments d set manager_id = p.id from placed p where p.department_id = d.id and p.place = 0`,
  `update departments d set team_lead_id = p.id from placed p where p.department_id = d.id and p.place = 1`,
  `insert into role_assignments (user_id, role_id)
   select e.user_id, r.id from placed p join employees e on e.id = p.id
   join roles r on r.name = case when p.place = 0 then 'Manager' when p.place % 20 = 1 then 'TeamLead' else 'Employee' end`,
  `insert into job_history (employee_id, effective_from, status, changed_fields, entity_id, department_id, reporting_manager_id,
     job_title, grade, employment_type, employment_lifecycle, created_by_name)
   select e.id, e.joining_date, 'current', '{}', e.entity_id, e.department_id, e.reporting_manager_id, e.job_title, e.grade,
     e.employment_type, e.employment_lifecycle, 'System'
   from placed p join employees e on e.id = p.id where p.place % 3 <> 0`,
  // every third person started as a trainee
  `with jobs as (
     insert into job_history (employee_id, effective_from, effective_to, status, changed_fields, entity_id, department_id,
       reporting_manager_id, job_title, grade, employment_type, employment_lifecycle, created_by_name)
     select e.id, day, case when is_first then later - 1 end, case when is_first then 'past' else 'current' end,
       case when is_first then '{}' else '{job_title}'::text[] end, e.entity_id, e.department_id, e.reporting_manager_id,
       case when is_first then 'Trainee' else e.job_title end, e.grade, e.employment_type, e.employment_lifecycle, 'System'
     from placed p join employees e on e.id = p.id
     cross join lateral (select e.joining_date + (current_date - e.joining_date) / 2 as later) as half
     cross join lateral (values (true, e.joining_date), (false, half.later)) as j (is_first, day)
     where p.place % 3 = 0
     returning id)
   select count(*) from jobs`,
];
