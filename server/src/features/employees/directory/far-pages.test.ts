import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../../testing/app.ts';

const { as, make, owner } = await startApp();
const departments = [await make.department({ name: 'Buying' }), await make.department({ name: 'Assembly' })];
const hr = await make.employee({ roles: ['HR'], department_id: departments[0]?.id as number });
const client = await as(hr.user_id);
await owner.query(
  `with made as (insert into users (email) select 'many' || n || '@example.com' from generate_series(1, 5499) n returning id, email)
   insert into employees (user_id, employee_number, email, first_name, last_name, entity_id, department_id, employment_lifecycle, job_title, joining_date)
   select m.id, 'M-' || m.id, m.email, 'Many', 'Name' || m.id % 50, d.entity_id, d.id, 'confirmed',
          case when m.id % 3 = 0 then 'Title' || m.id % 7 end, case when m.id % 2 = 0 then date '2020-01-01' + (m.id % 9)::int end
   from made m join departments d on d.id = case when m.id % 4 = 0 then $1::bigint else $2::bigint end`,
  departments.map(({ id }) => id),
);

const sorts = ['last_name', 'job_title', 'joining_date', 'department_name', 'activity_status', 'created_at'];
test.each(sorts.flatMap((sort) => ['asc', 'desc'].map((direction) => [sort, direction])))(
  'by %s %s the last pages, read from the end, go on where the others stop',
  async (sort, direction) => {
    const order = `sort_by=${sort}&sort_direction=${direction}`;
    const file = await client.get(`/api/employees/export?columns=email&${order}`);
    const whole = parse<{ email: string }>(file.bytes, { columns: true, bom: true }).map(({ email }) => email);
    expect(whole).toHaveLength(5_500);
    for (const [page, size] of [
      [52, 100],
      [55, 100],
      [72, 77],
      [56, 100],
    ] as const) {
      const { body } = await client.get(`/api/employees?page=${page}&per_page=${size}&${order}`);
      const emails = body.data.map(({ email }: { email: string }) => email);
      expect([emails, body.meta.total]).toEqual([whole.slice((page - 1) * size, page * size), 5_500]);
    }
  },
);
