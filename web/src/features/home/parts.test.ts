import { expect, test } from 'vitest';
import { revealedRows, type Part } from './parts.ts';

const part = (name: string, place: Part['place'], isReady = true, content: Part['content'] = name): Part => ({
  name: name as Part['name'],
  isOffered: true,
  place,
  isReady,
  content,
});
const names = (parts: readonly Part[]) => parts.map(({ name }) => name).join(' ');
const rows = (parts: readonly Part[], isWide = true) =>
  revealedRows(parts, isWide).map(({ main, side }) => [names(main), names(side)]);

test('neighbours share a row of two columns, in a wide window only', () => {
  const parts = [part('a', 'main'), part('b', 'side'), part('c', 'main'), part('d', 'whole'), part('e', 'side')];
  expect(rows(parts)).toEqual([
    ['a c', 'b'],
    ['d', ''],
    ['e', ''],
  ]);
  expect(rows(parts, false)).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => [name, '']));
});

test('a column without a neighbour has the whole width, also where the neighbour turned out empty', () => {
  const empty = part('empty', 'side', true, null);
  expect(rows([part('a', 'main'), empty, part('b', 'main'), part('c', 'whole')])).toEqual([
    ['a b', ''],
    ['c', ''],
  ]);
});

test('a row is shown once it and all above it are complete', () => {
  const waiting = part('waiting', 'side', false, null);
  const [a, b, c] = [part('a', 'main'), part('b', 'whole'), part('c', 'whole')] as const;
  expect(rows([a, waiting, b])).toEqual([]);
  expect(rows([a, waiting, b], false)).toEqual([['a', '']]);
  expect(rows([a, b, { ...waiting, place: 'whole' }, c])).toEqual([
    ['a', ''],
    ['b', ''],
  ]);
});
