import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from './databases.ts';
import { schemaText } from './schema-text.ts';

const committed = () => readFile(new URL('../../../docs/schema.sql', import.meta.url), 'utf8');

async function textAfter(statement: string): Promise<string> {
  const { ownerUrl } = await cloneDatabase();
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  await owner.query(statement);
  await owner.end();
  return schemaText(ownerUrl);
}

// older versions give some constraints other names
const isOlder = process.env.POSTGRES_TEST !== undefined;
test.skipIf(isOlder)('docs/schema.sql is what the migrations leave; npm run generate writes it', async () => {
  const { ownerUrl } = await cloneDatabase();
  expect(await schemaText(ownerUrl)).toBe(await committed());
});

test.each([
  ['a column', 'alter table roles add column colour text'],
  ['a constraint', 'alter table roles add check (length(description) < 999)'],
  ['an index', 'create index roles_scope_idx on roles (scope)'],
  ['a trigger', 'drop trigger touch on roles'],
  [
    'a view',
    'create or replace view reachable_users as select id as user_id, email, locale, id as employee_id, email as name from users',
  ],
])('%s that differs makes it stale', async (_, statement) => {
  expect(await textAfter(statement)).not.toBe(await committed());
});

test('a table of no area is named', async () => {
  await expect(textAfter('create table stray ()')).rejects.toThrow('No migration creates stray');
});
