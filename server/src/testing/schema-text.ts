import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

/** The schema of a migrated database as readable SQL: its tables by area, without what only a restore needs. */

const migrations = new URL('../../migrations/', import.meta.url);

type Part = { of: string; text: string };
type Column = Part & { name: string };
type Constraint = Part & { name: string; kind: string; columns: string[] };
type Relation = { name: string; kind: 'r' | 'p' | 'v'; is_unlogged: boolean; rest: string | null };
type Schema = {
  relations: Relation[];
  columns: Column[];
  constraints: Constraint[];
  indexes: Part[];
  triggers: Part[];
};
type Area = { title: string; relations: string[] };

// partitions come and go with the months
const ours = `c.relnamespace = 'public'::regnamespace and not c.relispartition and c.relname <> 'schema_migrations'`;

async function readSchema(client: pg.Client): Promise<Schema> {
  const rowsOf = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows;
  return {
    relations: await rowsOf<Relation>(
      `select c.relname as name, c.relkind as kind, c.relpersistence = 'u' as is_unlogged,
              case c.relkind when 'p' then ' partition by ' || pg_get_partkeydef(c.oid)
                             when 'v' then pg_get_viewdef(c.oid, true) end as rest
       from pg_class c where ${ours} and c.relkind in ('r', 'p', 'v') order by 1`,
    ),
    columns: await rowsOf<Column>(
      `select c.relname as of, a.attname as name,
              concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
                case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
                case when a.attidentity <> '' then 'generated always as identity' when a.attnotnull then 'not null' end,
                case when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
                     else 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as text
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where ${ours} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`,
    ),
    constraints: await rowsOf<Constraint>(
      `select c.relname as of, k.conname as name, k.contype as kind, pg_get_constraintdef(k.oid, true) as text,
              array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(k.conkey)) as columns
       from pg_constraint k join pg_class c on c.oid = k.conrelid
       where ${ours} and k.contype in ('p', 'u', 'f', 'c') order by 1, array_position('{p,u,f,c}', k.contype::text), 2`,
    ),
    indexes: await rowsOf<Part>(
      `select c.relname as of, pg_get_indexdef(i.indexrelid, 0, true) as text
       from pg_index i join pg_class c on c.oid = i.indrelid
       where ${ours} and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
       order by 1, i.indexrelid::regclass::text`,
    ),
    triggers: await rowsOf<Part>(
      `select c.relname as of, pg_get_triggerdef(t.oid, true) as text
       from pg_trigger t join pg_class c on c.oid = t.tgrelid where ${ours} and not t.tgisinternal order by 1, t.tgname`,
    ),
  };
}

/** The areas in the order of their migrations, each with its description and the tables that it introduced. */
async function readAreas(): Promise<Area[]> {
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, migrations), 'utf8')));
  return texts.map((text) => ({
    title: (/^-- ([^]*?)\n(?!-- )/.exec(text)?.[1] ?? '').replaceAll('\n-- ', ' '),
    relations: [...text.matchAll(/^create (?:(?:unlogged )?table|view) (\w+)/gm)].map((match) => match[1] ?? ''),
  }));
}

const literal = /('(?:[^']|'')*'|"[^"]*")/;

/** In our SQL style: lower-case keywords, `in (…)` for a list of texts, no redundant type casts. */
const plain = (text: string): string =>
  text
    .replaceAll(/'::(text|jsonb|bigint|xid8)(\[\])?/g, "'")
    .replaceAll(/ = ANY \(ARRAY\[([^\]]*)\]\)/g, ' in ($1)')
    .replaceAll(/ <> ALL \(ARRAY\[([^\]]*)\]\)/g, ' not in ($1)')
    .split(literal)
    .map((part, index) => (index % 2 === 0 ? part.toLowerCase() : part))
    .join('')
    .replaceAll(/timestamp\((\d)\) with time zone/g, 'timestamptz($1)')
    .replaceAll('time without time zone', 'time')
    .replaceAll(/([0-9])::(numeric|bigint)/g, '$1');

/** A name that PostgreSQL generated says nothing more than the constraint. */
const named = ({ of, name, text, columns }: Constraint): string =>
  new RegExp(`^${of}_(${columns.join('_')}_|pkey|${columns[0]}_)?(pkey|key|fkey|check)?[0-9]*$`).test(name)
    ? plain(text)
    : `constraint ${name} ${plain(text)}`;

/** A constraint on one column is written beside it, without naming it again. */
const beside = (constraint: Constraint): string =>
  named(constraint)
    .replace(/(primary key|unique) \([^)]*\)/, '$1')
    .replace(/foreign key \([^)]*\) /, '')
    .replace(/(references \w+)\(id\)/, '$1');

function tableText({ name, is_unlogged, rest }: Relation, { columns, constraints, indexes, triggers }: Schema): string {
  const own = constraints.filter(({ of }) => of === name);
  const isBeside = (constraint: Constraint) => constraint.columns.length === 1;
  const lines = columns
    .filter(({ of }) => of === name)
    .map((column) => {
      const others = own.filter((each) => isBeside(each) && each.columns[0] === column.name).map(beside);
      return [plain(column.text), ...others].join(' ').replace('not null primary key', 'primary key');
    });
  const inside = [...lines, ...own.filter((each) => !isBeside(each)).map(named)];
  const after = [...indexes, ...triggers].filter(({ of }) => of === name).map(({ text }) => wrapped(`${plain(text)};`));
  const create = `create ${is_unlogged ? 'unlogged ' : ''}table ${name} (`;
  return [create, inside.map((line) => `  ${line}`).join(',\n'), `)${plain(rest ?? '')};`, ...after]
    .join('\n')
    .replaceAll(' using btree', '');
}

/** Continues a long statement on a second line. */
const wrapped = (statement: string): string =>
  statement.length > 120 ? statement.replaceAll(/ (for each|include|where|execute function) /g, '\n  $1 ') : statement;

const relationText = (relation: Relation, schema: Schema): string =>
  relation.kind === 'v'
    ? `create view ${relation.name} as\n${plain(relation.rest ?? '')}`
    : tableText(relation, schema);

const heading = `-- The tables of Tenure by area, with their keys, indexes and triggers, as the migrations leave them.
-- Made by npm run generate; why each is as it is stands in server/migrations, where the functions are too.
`;

/** The text of docs/schema.sql. */
export async function schemaText(ownerUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const schema = await readSchema(client);
    const areas = await readAreas();
    const stray = schema.relations.find(({ name }) => !areas.some(({ relations }) => relations.includes(name)));
    if (stray) throw new Error(`No migration creates ${stray.name}`);
    const texts = areas.map(({ title, relations }) => {
      const found = relations.flatMap((name) => schema.relations.find((relation) => relation.name === name) ?? []);
      return found.length === 0
        ? ''
        : `\n-- ${title}\n\n${found.map((each) => relationText(each, schema)).join('\n\n')}\n`;
    });
    return heading + texts.join('');
  } finally {
    await client.end();
  }
}
