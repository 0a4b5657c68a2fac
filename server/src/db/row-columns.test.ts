import { departmentRows, entityRows } from '@tenure/contract';
import type { FieldRows } from '@tenure/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';

const { deps } = await startApp();

test.each<[string, FieldRows]>([
  ['entities', entityRows],
  ['departments', departmentRows],
])('what fields of %s begin with is what their columns begin with', async (table, rows) => {
  const { rows: columns } = await sql<{ column_name: string; column_default: string }>`
    select column_name, column_default from information_schema.columns
    where table_name = ${table} and column_default is not null`.execute(deps.db);
  const begins = new Map(columns.map((one) => [one.column_name, one.column_default]));
  const literal = (value: string | number | boolean) =>
    typeof value !== 'string' ? String(value) : `'${value}'::text`;
  const filledIn = Object.entries(rows).filter(([, row]) => row.filledIn);
  expect(filledIn.length).toBeGreaterThan(0);
  for (const [name, { begins: value = '' }] of filledIn)
    expect([name, begins.get(name)]).toEqual([name, literal(value)]);
});
