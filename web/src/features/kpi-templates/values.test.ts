import { expect, test } from 'vitest';
import { template, templateItem } from '../../testing/templates.ts';
import { compareVersions } from '../../ui/versions.ts';
import { bodyOf, changedNames, newItem, templateValues, textsOf, valuesOf, wordsOf } from './values.ts';

const stored = template();
const start = templateValues(stored, '.');

test('an unchanged template has no changes and survives the conversion to texts', () => {
  expect(changedNames(textsOf(start), textsOf(templateValues(stored, '.')))).toEqual([]);
  expect(valuesOf(textsOf(start))).toEqual(start);
});

test('only changes are sent, items as a whole and in their order', () => {
  const values = { ...start, grade: ' M2 ', items: [...start.items].reverse() };
  const body = bodyOf(values, changedNames(textsOf(start), textsOf(values)), '.');
  expect(Object.keys(body)).toEqual(['grade', 'items']);
  expect(body).toMatchObject({
    grade: 'M2',
    items: [
      { id: 12, name: 'Stock' },
      { id: 11, name: 'Savings' },
    ],
  });
});

test('words belong to their scores, and go along with a change of the range', () => {
  const words = ['Poor', '', 'Fair', '', 'Great'];
  const values = templateValues(template({ scale_words: words }), '.');
  expect(valuesOf(textsOf(values))).toEqual(values);
  expect(wordsOf(values)).toEqual(words);
  const wider = { ...values, scale_min: '0', scale_max: '6' };
  const changed = changedNames(textsOf(values), textsOf(wider));
  expect(bodyOf(wider, changed, '.')).toEqual({
    scale_min: '0',
    scale_max: '6',
    scale_words: [null, 'Poor', null, 'Fair', null, 'Great', null],
  });
  const none = { ...values, scale_words: '\n \n' };
  expect(bodyOf(none, changedNames(textsOf(values), textsOf(none)), '.')).toEqual({ scale_words: null });
});

test('numbers in another format are sent as numbers, and a new item has no id', () => {
  const values = { ...start, items: [...start.items, { ...newItem(), name: 'New', weight: '12,50' }] };
  const body = bodyOf(values, changedNames(textsOf(start), textsOf(values)), ',');
  expect(body.items?.[2]).toEqual({
    name: 'New',
    description: null,
    weight: 12.5,
    evidence_required: false,
    item_type: 'rating',
  });
});

test("fields without a meaning in an item's direction are cleared", () => {
  const item = { ...newItem(), name: 'Done', weight: '100', item_type: 'measured', direction: 'boolean' };
  const values = { ...start, items: [{ ...item, target_value: '7', tolerance_pct: '5' }] };
  expect(bodyOf(values, ['order'], '.').items?.[0]).toMatchObject({
    direction: 'boolean',
    target_value: null,
    tolerance_pct: null,
  });
});

test('a target for part of the cycle is sent where there is a target, and is a change by itself', () => {
  const item = { ...newItem(), name: 'Revenue', weight: '100', item_type: 'measured', direction: 'higher_better' };
  const before = { ...start, items: [{ ...item, target_value: '7' }] };
  const now = { ...before, items: [{ ...item, target_value: '7', prorate: true }] };
  const changed = changedNames(textsOf(before), textsOf(now));
  expect(changed).toHaveLength(1);
  expect(bodyOf(now, changed, '.').items?.[0]).toMatchObject({ target_value: 7, prorate: true });
  expect(valuesOf(textsOf(now))).toEqual(now);
  const done = { ...now, items: [{ ...item, direction: 'boolean', prorate: true }] };
  expect(bodyOf(done, ['order'], '.').items?.[0]).toMatchObject({ prorate: false });
});

test('concurrent changes of different items are both kept', () => {
  const [savings, stock] = start.items;
  if (!savings || !stock) throw new Error('The template has two items.');
  const mine = { ...start, items: [{ ...savings, weight: '70' }, stock] };
  const theirs = templateValues(
    template({
      items: [
        templateItem(),
        templateItem({ id: 12, name: 'Stock', weight: 30 }),
        templateItem({ id: 13, name: 'Third', weight: 10 }),
      ],
    }),
    '.',
  );
  const { merged, differences } = compareVersions(textsOf(start), textsOf(mine), textsOf(theirs));
  expect(differences).toEqual([]);
  expect(valuesOf(merged).items.map(({ name, weight }) => [name, weight])).toEqual([
    ['Savings', '70'],
    ['Stock', '30'],
    ['Third', '10'],
  ]);
});

test('an item that one user changed and another removed is a conflict', () => {
  const [savings] = start.items;
  if (!savings) throw new Error('The template has two items.');
  const mine = { ...start, items: [savings] };
  const theirs = templateValues(
    template({ items: [templateItem(), templateItem({ id: 12, name: 'Stock', weight: 30 })] }),
    '.',
  );
  const { differences } = compareVersions(textsOf(start), textsOf(mine), textsOf(theirs));
  expect(differences).toMatchObject([{ name: 'item.12', mine: '' }]);
});
