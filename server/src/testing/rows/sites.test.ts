import { expect, test } from 'vitest';
import { sitesOf } from './sites.ts';

const linesOf = (...lines: string[]) => sitesOf([{ path: 'a.ts', text: lines.join('\n') }]).map(({ line }) => line);

test('casts of rows are found; conditions, values and statements without one are not', () => {
  expect(
    linesOf(
      'sql<Row>`select 1`;',
      'sql<{ id: number }>`select 2`;',
      'sql<Row & { id: number }>`select 3`;',
      'sql<SqlBool>`true`;',
      'sql<boolean>`false`;',
      'sql<string | null>`null`;',
      'sql`select 4`;',
    ),
  ).toEqual([1, 2, 3]);
});

test('statements with the same texts are known to share them, with or without a cast', () => {
  const text = 'sql<Row>`select ${a}`; sql`select ${b}`; sql<Row>`select ${a} from t`;';
  expect(sitesOf([{ path: 'a.ts', text }]).map(({ isShared }) => isShared)).toEqual([true, false]);
});
