import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../db/connect.ts';
import { cloneDatabase } from '../databases.ts';
import { keyOf, openRecorder, readSeen } from './recorder.ts';

const database = await cloneDatabase();
const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
const folder = await mkdtemp(join(tmpdir(), 'tenure-rows-'));
const { db: plain } = connect({ url: database.appUrl, max: 1 });
const keys = {
  whole: keyOf(['select id, name, null::json as more from roles order by ', '']),
  columns: keyOf(['r.id, r.scope']),
  page: keyOf(['select name from roles where is_system']),
  shared: keyOf(['select ', ' from roles r where ', '']),
};
await writeFile(join(folder, 'keys.json'), JSON.stringify([...Object.values(keys), keys.shared]));
const { plugin, write } = openRecorder(folder);
const db = plain.withPlugin(plugin);

afterAll(async () => {
  await plain.destroy();
  await owner.end();
  await rm(folder, { recursive: true });
});

const columns = sql`r.id, r.scope`;
await sql`select id, name, null::json as more from roles order by ${sql.ref('name')}`.execute(db);
await sql`select ${columns} from roles r`.execute(db);
await sql`select page.*, 1 as ordinal from (${sql`select name from roles where is_system`}) as page`.execute(db);
await sql`select 1 as unknown`.execute(db);
for (let id = 0; id < 10; id += 1)
  await sql`select ${sql.ref('r.id')} from roles r where ${sql.raw(`r.id > ${id}`)}`.execute(db);
await sql`select ${sql.ref('r.name')} from roles r where ${sql.raw('r.id > 0')}`.execute(db);
await write(owner);
const seen = readSeen(folder);

test('a known statement is described and its values are looked at; others are left alone', () => {
  expect([...seen.keys()].toSorted()).toEqual(Object.values(keys).toSorted());
  const { statements, results } = seen.get(keys.whole) ?? {};
  expect(statements?.map((statement) => statement.columns)).toEqual([
    [
      { name: 'id', type: 'int8' },
      { name: 'name', type: 'text' },
      { name: 'more', type: 'json' },
    ],
  ]);
  expect(results).toEqual({
    'id,more,name': {
      id: { kinds: ['number'], texts: [] },
      name: { kinds: ['string'], texts: ['Admin', 'Employee', 'HR', 'Manager', 'TeamLead'] },
      more: { kinds: ['null'], texts: [] },
    },
  });
});

test('columns that are no statement by themselves are known by the statements they are a part of', () => {
  const { statements, wholes } = seen.get(keys.columns) ?? {};
  expect(statements).toEqual([{ text: 'r.id, r.scope', failure: expect.stringContaining('syntax error') }]);
  expect(wholes?.[0]?.columns?.map(({ name }) => name)).toEqual(['id', 'scope']);
});

test('the rows of a page are those of the statement it is a page of', () => {
  expect(Object.keys(seen.get(keys.page)?.results ?? {})).toEqual(['name,ordinal']);
});

test('of statements with the same texts, many of one do not keep out another', () => {
  const found = seen.get(keys.shared)?.statements.flatMap(({ columns = [] }) => columns.map(({ name }) => name));
  expect(new Set(found)).toEqual(new Set(['id', 'name']));
});
