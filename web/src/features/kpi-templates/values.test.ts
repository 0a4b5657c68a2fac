import { expect, test } from 'vitest';
import { template, templateItem } from '../../testing/templates.ts';
import { compareVersions } from '../../ui/versions.ts';
import { bodyOf, changedNames, newItem, templateValues, textsOf, valuesOf } from './values.ts';

const stored = template();
const start = templateValues(stored, '.');

test('a template that was not touched has no changes, and comes back from its texts as it was', () => {
  expect(changedNames(textsOf(start), textsOf(templateValues(stored, '.')))).toEqual([]);
  expect(valuesOf(textsOf(start))).toEqual(start);
});

test('only what was changed is sent, items as a whole and in their order', () => {
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

test('numbers of another language are sent as numbers, and a new item without an id', () => {
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

test('fields that mean nothing in the direction of an item are emptied', () => {
  const item = { ...newItem(), name: 'Done', weight: '100', item_type: 'measured', direction: 'boolean' };
  const values = { ...start, items: [{ ...item, target_value: '7', tolerance_pct: '5' }] };
  expect(bodyOf(values, ['order'], '.').items?.[0]).toMatchObject({
    direction: 'boolean',
    target_value: null,
    tolerance_pct: null,
  });
});

test('two people who changed different items both keep their change', () => {
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

test('an item that one changed and the other removed is to be decided', () => {
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
