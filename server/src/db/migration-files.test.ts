import { expect, test } from 'vitest';
import { classOf, inOrder, statementsOf } from './migration-files.ts';

test('the name of a migration says its class, and the order is that of the times, then of the classes', () => {
  const names = [
    '20270102_0900_b.sql',
    '20270101_0900_a.contract.sql',
    '20270101_0900_a.sql',
    '20270101_0900_a.online.sql',
  ];
  expect(inOrder(names)).toEqual([names[2], names[3], names[1], names[0]]);
  expect(inOrder(names).map(classOf)).toEqual(['expand', 'online', 'contract', 'expand']);
});

test('a longer name that begins like another one comes after all of its classes', () => {
  const names = ['20270101_0900_a_b.sql', '20270101_0900_a.contract.sql', '20270101_0900_a.sql'];
  expect(inOrder(names)).toEqual([names[2], names[1], names[0]]);
});

test('a text is cut into its statements where SQL ends them', () => {
  const text = `-- why; how
    create index concurrently if not exists a_idx on a (b);
    /* first; then */ do $$ begin perform 1; end $$;
    do $x$ select $$;$$; $x$;
    comment on table a is 'it''s; "so"';
    select "a;b", $1 - 2 / 3 from a -- the end;
    ;
    -- nothing; more
  `;
  expect(statementsOf(text)).toEqual([
    '-- why; how\n    create index concurrently if not exists a_idx on a (b)',
    '/* first; then */ do $$ begin perform 1; end $$',
    'do $x$ select $$;$$; $x$',
    `comment on table a is 'it''s; "so"'`,
    'select "a;b", $1 - 2 / 3 from a -- the end;',
  ]);
});
