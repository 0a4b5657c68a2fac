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
  'roles',
  'user',
  'separation_reason',
];

test('every field of a person that can be written is described once', () => {
  const described = fields.map(({ name }) => name);
  expect(new Set(described).size).toBe(described.length);
  const writable = Object.values(employeeFieldGroups)
    .flat()
    .filter((name) => !computed.includes(name));
  expect([...new Set(described.map(ownerOf))].sort()).toEqual(writable.sort());
});

test('which fields are private is what the contract says', () => {
  const hidden = new Set(fields.filter(isPrivate).map(({ name }) => ownerOf(name)));
  expect([...hidden].sort()).toEqual(employeeFieldGroups.private.filter((name) => name !== 'separation_reason').sort());
});

test('a record becomes texts, without what was kept from the reader', () => {
  expect(valuesOf(complete)).toMatchObject({ entity_id: '1', 'address.city': 'Leeds', 'bank.iban': '****0815' });
  expect(valuesOf(complete)['emergency_contact.name']).toBe('');
  expect(Object.keys(valuesOf(card))).not.toContain('grade');
  expect(Object.keys(valuesOf(card))).not.toContain('address.city');
});

test('changes travel as the contract wants them: numbers, null for empty, objects with what changed in them', () => {
  const before = valuesOf(complete);
  const after = { ...before, department_id: '9', grade: '', 'address.city': 'York' };
  expect(bodyOf(after, changedIn(before, after))).toEqual({
    department_id: 9,
    grade: null,
    address: { city: 'York' },
  });
});

test('a message is shown at its field, also when it is about the object around it', () => {
  expect(fieldMessages({ 'address.city': 'Too long.', bank: 'Wrong.', status: 'Stale.' })).toEqual({
    'address.city': 'Too long.',
    'bank.bank_name': 'Wrong.',
  });
});
