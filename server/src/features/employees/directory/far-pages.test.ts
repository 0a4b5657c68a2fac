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

test.each(['last_name', 'joining_date', 'department_name', 'created_at'].map((sort) => [sort]))(
  'a search of two letters that thousands match has pages by %s, and a total, of those in scope only',
  async (sort) => {
    const [here, elsewhere] = [departments.map(({ entity_id }) => entity_id), await make.entity()];
    await make.employee({ entity_id: elsewhere.id, first_name: 'Mary', last_name: 'Aaa' });
    const limited = await make.employee({ entity_id: elsewhere.id, roles: [{ role: 'HR', entity_ids: here }] });
    const asLimited = await as(limited.user_id);
    for (const direction of ['asc', 'desc']) {
      const order = `sort_by=${sort}&sort_direction=${direction}`;
      const file = await client.get(`/api/employees/export?columns=email&${order}`);
      const everybody = parse<{ email: string }>(file.bytes, { columns: true, bom: true });
      const whole = everybody.flatMap(({ email }) => (email.startsWith('many') ? [email] : []));
      for (const [page, size] of [
        [1, 15],
        [2, 100],
        [55, 100],
      ] as const) {
        const { body } = await asLimited.get(`/api/employees?page=${page}&per_page=${size}&search=ma&${order}`);
        const emails = body.data.map(({ email }: { email: string }) => email);
        expect([emails, body.meta.total]).toEqual([whole.slice((page - 1) * size, page * size), 5_499]);
      }
    }
  },
);
