import { expect, test } from 'vitest';
import { isChecked, problemsOf } from './check-migrations.ts';

const name = '20261201_0900_example';
const problems = (text: string, ending = '.sql') => problemsOf(`${name}${ending}`, text);

test.each([
  ['a dropped column', 'alter table employees drop column nickname', 'employees: drops nickname'],
  ['a dropped table', 'drop table nicknames', 'drops something'],
  ['a dropped index', 'drop index employees_name_idx', 'drops something'],
  ['a dropped function', 'drop function fold(text)', 'drops something'],
  ['a dropped constraint', 'alter table employees drop constraint c', 'employees: drops the constraint c'],
  ['a renamed column', 'alter table employees rename column a to b', 'renames something'],
  ['a renamed table', 'alter table employees rename to people', 'renames something'],
  ['another type', 'alter table employees alter column n type bigint', 'employees: changes the type of n'],
  ['a column made not null', 'alter table employees alter column n set not null', 'employees: makes not null n'],
  [
    'a column not null without default',
    'alter table employees add column n integer not null',
    'employees: adds the column n not null without a constant default: the release before leaves it out',
  ],
  [
    'a volatile default',
    'alter table employees add column n uuid not null default gen_random_uuid()',
    'employees: adds the column n with the volatile default gen_random_uuid(), which writes every row anew',
  ],
  [
    'a volatile default inside an expression',
    "alter table employees add column n timestamptz default date_trunc('day', clock_timestamp())",
    'employees: adds the column n with the volatile default clock_timestamp(), which writes every row anew',
  ],
  [
    'a computed column',
    'alter table employees add column n text generated always as (lower(name)) stored',
    'employees: adds the computed column n, which writes every row anew',
  ],
  [
    'a column with a check',
    'alter table employees add column n integer check (n > 0)',
    'employees: adds the column n with a check: add it as a constraint, not valid',
  ],
  [
    'a constraint that is checked at once',
    'alter table employees add constraint n_check check (n > 0)',
    'employees: adds the constraint n_check without "not valid"',
  ],
  [
    'a foreign key that is checked at once',
    'alter table employees add constraint n_fkey foreign key (n) references roles',
    'employees: adds the constraint n_fkey without "not valid"',
  ],
  [
    'a unique constraint',
    'alter table employees add constraint n_key unique (n)',
    'employees: adds the constraint n_key with an index that is built meanwhile',
  ],
  [
    'a plain index on a large table',
    'create index n_idx on employees (n)',
    'employees: builds the index n_idx, during which nothing is written: do it in a file .online.sql',
  ],
  [
    'a block of code that drops',
    "do $$ begin execute 'alter table employees drop column n'; end $$",
    'has a block of code that says "drop"',
  ],
  ['a table that is emptied', 'truncate employees', 'empties a table'],
  ['the second of several commands', 'alter table employees add column m text, drop column n', 'employees: drops n'],
])('an expand migration with %s is refused', async (_, text, problem) => {
  expect(await problems(text)).toEqual([`${name}.sql: ${problem}`]);
});

test('an expand migration may add', async () => {
  const text = `
    create table nicknames (id bigint primary key, employee_id bigint not null references employees, n text unique,
      constraint n_check check (length(n) > 1));
    create index nicknames_n_idx on nicknames (n);
    alter table nicknames alter column n set not null;
    alter table employees add column a text, add column b integer not null default 0,
      add column c timestamptz not null default now(), add column d bigint references roles,
      add constraint b_check check (b >= 0) not valid;
    create index entities_x_idx on entities (x);
    create or replace function f(x text) returns text language sql as $$ select drop_it(x) $$;
    create or replace trigger t before update on employees for each row execute function f();
    do $$ begin execute format('alter function f(text) set search_path = %I, pg_temp', current_schema()); end $$;
    insert into roles (name) values ('x');`;
  expect(await problems(text)).toEqual([]);
});

test('an online migration may build indexes beside requests and validate constraints', async () => {
  const online = (text: string) => problems(text, '.online.sql');
  expect(
    await online(`create index concurrently if not exists n_idx on employees (n);
                  alter table employees validate constraint n_check;
                  alter table employees alter column n set not null`),
  ).toEqual([]);
  const index = 'builds the index n_idx without "concurrently if not exists"';
  for (const text of ['create index n_idx on employees (n)', 'create index concurrently n_idx on employees (n)'])
    expect(await online(text)).toEqual([`${name}.online.sql: ${index}`]);
  expect(await online('alter table employees drop column n')).toEqual([`${name}.online.sql: employees: drops n`]);
});

test('a contract may remove, in a transaction', async () => {
  expect(await problems('alter table employees drop column n', '.contract.sql')).toEqual([]);
  expect(await problems('drop index concurrently n_idx', '.contract.sql')).toEqual([
    `${name}.contract.sql: a contract runs in a transaction, where nothing is done concurrently`,
  ]);
});

test.each(['example.sql', '20261130_1290_example.sql', '20261130_2400_example.sql', '20261131_1200_example.sql'])(
  'the name %s is refused, since the order follows from it',
  async (name) => {
    expect(await problemsOf(name, '')).toEqual([
      `${name}: is named YYYYMMDD_HHMM_<what>.sql, .online.sql or .contract.sql`,
    ]);
  },
);

test('a migration is named after a minute, but for some of the first days', async () => {
  expect(await problemsOf('20261130_1259_example.sql', 'select 1')).toEqual([]);
  expect(await problemsOf('20261127_1061_example.sql', 'select 1')).toEqual([]);
});

test('migrations from before are exempt, all later ones are checked', () => {
  expect(isChecked('20261126_1625_chain_at_once.sql')).toBe(false);
  expect(isChecked('20261126_1626_later.sql')).toBe(true);
});
