import { employeeFieldGroups } from '@tenure/contract';
import { expect, test } from 'vitest';
import { card, complete } from '../../../testing/people.ts';
import { fields, isPrivate, ownerOf } from './fields.ts';
import { bodyOf, changedIn, fieldMessages, valuesOf } from './values.ts';

const computed = [
  'entity',
  'department',
  'reporting_manager',
  'profile_picture_url',
  'extension_count',
  'probation_paused_from',
  'roles',
  'user',
  'separation_reason',
];

test('every writable field of a person has exactly one form field', () => {
  const described = fields.map(({ name }) => name);
  expect(new Set(described).size).toBe(described.length);
  const writable = Object.values(employeeFieldGroups)
    .flat()
    .filter((name) => !computed.includes(name));
  expect([...new Set(described.map(ownerOf))].sort()).toEqual(writable.sort());
});

test('private fields match those of the contract', () => {
  const hidden = new Set(fields.filter(isPrivate).map(({ name }) => ownerOf(name)));
  expect([...hidden].sort()).toEqual(employeeFieldGroups.private.filter((name) => name !== 'separation_reason').sort());
});

test('a record becomes form values, without hidden fields', () => {
  expect(valuesOf(complete)).toMatchObject({ entity_id: '1', 'address.city': 'Leeds', 'bank.iban': '****0815' });
  expect(valuesOf(complete)['emergency_contact.name']).toBe('');
  expect(Object.keys(valuesOf(card))).not.toContain('grade');
  expect(Object.keys(valuesOf(card))).not.toContain('address.city');
});

test('changes become a body: numbers, null for empty fields, objects with their changed parts', () => {
  const before = valuesOf(complete);
  const after = { ...before, department_id: '9', grade: '', 'address.city': 'York' };
  expect(bodyOf(after, changedIn(before, after))).toEqual({
    department_id: 9,
    grade: null,
    address: { city: 'York' },
  });
});

test('a message is shown at its field, also if it is about the enclosing object', () => {
  expect(fieldMessages({ 'address.city': 'Too long.', bank: 'Wrong.', status: 'Stale.' })).toEqual({
    'address.city': 'Too long.',
    'bank.bank_name': 'Wrong.',
  });
});
