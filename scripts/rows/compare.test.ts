import { expect, test } from 'vitest';
import type { Seen } from '../../server/src/testing/rows/recorder.ts';
import { addTo, emptyShape } from '../../server/src/testing/rows/shape.ts';
import { problemsOf } from './compare.ts';
import type { Declared } from './declared.ts';

const of = (...kinds: string[]): Declared => ({ kinds });
const required = (type: Declared) => ({ type, optional: false });
const object = (fields: Record<string, Declared>): Declared => ({
  kinds: ['object'],
  fields: Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, required(type)])),
});
const row = object({
  id: of('number'),
  name: of('string', 'null'),
  status: { kinds: ['string'], texts: ['open', 'closed'] },
  person: { ...object({ id: of('number') }), kinds: ['object', 'null'] },
  days: { kinds: ['array'], of: of('number') },
});

const columns = { id: 'int8', name: 'text', status: 'text', person: 'json', days: '_int4' };
const values = { id: 1, name: null, status: 'open', person: { id: 1 }, days: [1] };

function seenAs(types: Record<string, string>, ...rows: Record<string, unknown>[]): Seen {
  const results: Seen['results'] = {};
  for (const each of rows) {
    const shapes = (results[Object.keys(each).toSorted().join()] ??= {});
    for (const [name, value] of Object.entries(each)) addTo((shapes[name] ??= emptyShape()), value);
  }
  const described = Object.entries(types).map(([name, type]) => ({ name, type }));
  return { statements: [{ text: '', columns: described }], wholes: [], results };
}

test('a statement that gives what is declared has no problem; one that no test ran is not known', () => {
  expect(problemsOf(row, seenAs(columns, values), false)).toEqual([]);
  expect(problemsOf(row, undefined, false)).toBeUndefined();
  expect(
    problemsOf(row, { statements: [{ text: '', failure: 'no' }], wholes: [], results: {} }, false),
  ).toBeUndefined();
});

const { name: _name, ...withoutName } = columns;
test.each([
  ['a column that is missing', seenAs(withoutName), 'name is declared and not selected'],
  ['a column nobody declared', seenAs({ ...columns, more: 'text' }), 'more is selected and not declared'],
  ['another type', seenAs({ ...columns, id: 'text' }), 'id is declared as number and is a text'],
  [
    'a list of another type',
    seenAs({ ...columns, days: '_text' }),
    'days is declared as a list of number and is a _text',
  ],
  [
    'instants in a list, of which the driver makes dates',
    seenAs({ ...columns, days: '_timestamptz' }),
    'days is declared as a list of number and is a _timestamptz',
  ],
  [
    'a type nobody thought of',
    seenAs({ ...columns, id: 'point' }),
    'id is a point, and scripts/rows/compare.ts does not know what the driver makes of it',
  ],
  ['null', seenAs(columns, { ...values, id: null }), 'id is declared as number and was null'],
  ['another text', seenAs(columns, { ...values, status: 'gone' }), 'status was "gone", which is not declared'],
  ['a field inside of JSON that is missing', seenAs(columns, { ...values, person: {} }), 'person.id was missing'],
  [
    'a field inside of JSON nobody declared',
    seenAs(columns, { ...values, person: { id: 1, pay: 2 } }),
    'person.pay is not declared',
  ],
  [
    'null inside of JSON',
    seenAs(columns, { ...values, person: { id: null } }),
    'person.id is declared as number and was null',
  ],
])('%s is a problem', (_, seen, problem) => {
  expect(problemsOf(row, seen, false)).toEqual([problem]);
});

test('of statements with the same texts, one is of the row', () => {
  const { statements, ...rest } = seenAs(columns, values);
  const others = { text: '', columns: [{ name: 'other', type: 'text' }] };
  expect(problemsOf(row, { ...rest, statements: [others, ...statements] }, true)).toEqual([]);
  expect(problemsOf(row, { ...rest, statements: [others, ...statements] }, false)).not.toEqual([]);
});

test('a part is compared with the statements it is a part of, which may have more columns', () => {
  const { statements, results } = seenAs({ ...columns, more: 'text' }, { ...values, more: 'x' });
  const part = { statements: [{ text: '', failure: 'syntax error' }], wholes: statements, results };
  expect(problemsOf(row, part, false)).toEqual([]);
  expect(problemsOf(object({ gone: of('string') }), part, false)).toEqual(['gone is declared and not selected']);
});
