import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

/** A quoted long cell is never cut inside a character that has two code units. */

const { as, make } = await startApp();
const entity = await make.entity({ name: 'Harbour Foods' });
await make.department({ entity_id: entity.id, name: 'Production' });
const hr = await as((await make.employee({ entity_id: entity.id, roles: ['HR'] })).user_id);

/** Texts where cuts after 59, 60 and 255 units would split a character. */
const even = '😀'.repeat(200);
const odd = `x${even}`;

test.each([
  [
    'employees',
    'employee_number,first_name,last_name,email,entity,department,joining_date,gender,manager,roles,notes',
    (cell: string) => `${cell},A,B,a@b.example,${cell},${cell},${cell},${cell},${cell},${cell},${cell}`,
  ],
  [
    'employees',
    'employee_number,first_name,last_name,email,entity,department,manager',
    (cell: string) => `N-1,A,B,a@b.example,Harbour Foods,${cell},${cell}`,
  ],
  [
    'job-history',
    'employee_number,from,to,job_title,department,entity,employment_type',
    (cell: string) => `${cell},${cell},${cell},T,${cell},${cell},${cell}`,
  ],
  [
    'former-results',
    'employee_number,period,period_from,result,scale,source,band',
    (cell: string) => `${cell},${cell},${cell},${cell},${cell},S,${cell}`,
  ],
  [
    'former-results',
    'employee_number,period,result,scale,source,band',
    (cell: string) => `N-1,2024,5,${cell},S,${cell}`,
  ],
  ['kpi-templates', 'template_name,item_name,weight,item_type', (cell: string) => `${cell},A,100,${cell}`],
] as const)('in a file of %s with %s', async (kind, header, line) => {
  for (const cell of [even, odd]) {
    const path = `/api/${kind}/import`;
    const answer = await hr.upload(path, { name: 'cut.csv', content: `${header}\n${line(cell)}` }, { dry_run: '1' });
    expect([answer.status, answer.body.data?.counts]).toMatchObject([201, { total: 1, failed: 1 }]);
    const { id } = answer.body.data;
    const rows = await hr.get(`${path}s/${id}/rows`);
    expect(rows.status).toBe(200);
  }
});
