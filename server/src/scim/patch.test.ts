import { expect, test } from 'vitest';
import { enterpriseSchema, groups, users, userSchema } from './attributes.ts';
import { patchSchema, readPatch, readResource } from './operations.ts';
import type { Document } from './patch.ts';
import { applyAll } from './patch.ts';
import type { ScimProblem } from './problem.ts';

// Requests as providers send them. Other services have seen each of them: Entra ID and Okta deviate from RFC 7644.

const ada: Document = {
  userName: 'ada@acme.example',
  active: true,
  name: { givenName: 'Ada', familyName: 'Byron' },
  emails: [{ type: 'home', value: 'ada@home.example' }],
};

const patched = (document: Document, Operations: unknown[], resource = users) =>
  applyAll(document, readPatch(resource, { schemas: [patchSchema], Operations }).operations);

const refused = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    const { status, scimType } = error as ScimProblem;
    return { status, scimType };
  }
  return undefined;
};

test.each(['Replace', 'replace', 'REPLACE', 'Add'])('the case of the word %s does not matter', (op) => {
  expect(patched(ada, [{ op, path: 'active', value: false }])['active']).toBe(false);
});

test.each(['False', 'false', false])('active is off with %j', (value) => {
  expect(patched(ada, [{ op: 'Replace', path: 'active', value }])['active']).toBe(false);
});

test('a word stands for a boolean in attributes that are one, and nowhere else', () => {
  expect(patched(ada, [{ op: 'replace', path: 'displayName', value: 'False' }])['displayName']).toBe('False');
  expect(refused(() => patched(ada, [{ op: 'replace', path: 'active', value: 'no' }]))).toEqual({
    status: 400,
    scimType: 'invalidValue',
  });
});

test('a manager is a bare text behind the schema', () => {
  const path = `${enterpriseSchema}:manager`;
  const after = patched(ada, [{ op: 'Add', path, value: '6f2c' }]);
  expect(after[enterpriseSchema]).toEqual({ manager: { value: '6f2c' } });
  expect(patched(after, [{ op: 'Remove', path }])).toEqual(ada);
});

test('an object without a path has names, dotted names and schemas', () => {
  const value = {
    active: 'False',
    'name.familyName': 'King',
    [`${enterpriseSchema}:department`]: 'Sales',
    [enterpriseSchema]: { employeeNumber: '1004' },
    [`${userSchema}:title`]: 'Countess',
    'emails[type eq "work"].value': 'ada@acme.example',
  };
  expect(patched(ada, [{ op: 'replace', value }])).toEqual({
    userName: 'ada@acme.example',
    active: false,
    title: 'Countess',
    name: { givenName: 'Ada', familyName: 'King' },
    emails: [
      { type: 'home', value: 'ada@home.example' },
      { type: 'work', value: 'ada@acme.example' },
    ],
    [enterpriseSchema]: { department: 'Sales', employeeNumber: '1004' },
  });
});

test('an element that a filter describes is made', () => {
  const after = patched(ada, [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada@acme.example' }]);
  expect(after['emails']).toContainEqual({ type: 'work', value: 'ada@acme.example' });
  const other = { op: 'replace', path: 'emails[value sw "x"].value', value: 'y' };
  expect(refused(() => patched(ada, [other]))).toEqual({ status: 400, scimType: 'noTarget' });
});

test('a removal with values takes these members only', () => {
  const group = { displayName: 'HR', members: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] };
  const after = patched(group, [{ op: 'Remove', path: 'members', value: [{ value: 'b' }] }], groups);
  expect(after['members']).toEqual([{ value: 'a' }, { value: 'c' }]);
  expect(patched(group, [{ op: 'remove', path: 'members[value eq "a"]' }], groups)['members']).toHaveLength(2);
});

test('Okta switches people off without a path, and repeats the id', () => {
  const read = (value: object) =>
    readPatch(users, { schemas: [patchSchema], Operations: [{ op: 'replace', value }] }, 'x');
  expect(applyAll(ada, read({ active: false }).operations)['active']).toBe(false);
  expect(applyAll(ada, read({ id: 'x', active: false }).operations)['active']).toBe(false);
  expect(refused(() => read({ id: 'y', active: false }))).toEqual({ status: 400, scimType: 'mutability' });
});

test('what means nothing here is named and left alone', () => {
  const body = {
    schemas: [userSchema, 'urn:example:other'],
    userName: 'eve',
    password: 'secret',
    roles: [{ value: 'Admin' }],
    is_admin: true,
    'urn:example:other': { role: 'Admin' },
  };
  const { operations, ignored } = readResource(users, body);
  expect(applyAll({}, operations)).toEqual({ userName: 'eve' });
  expect(ignored).toEqual(['password', 'roles', 'is_admin', 'urn:example:other']);
});

test('an id that looks like a number stays a text', () => {
  const { operations } = readResource(users, { schemas: [userSchema], userName: 'eve', externalId: 1 });
  expect(applyAll({}, operations)).toEqual({ userName: 'eve', externalId: '1' });
});

test('one element is the primary one', () => {
  const emails = [{ value: 'a', primary: true }, { value: 'b' }];
  const after = patched({ emails }, [{ op: 'add', path: 'emails', value: [{ value: 'c', primary: true }] }]);
  expect(after['emails']).toEqual([{ value: 'a', primary: false }, { value: 'b' }, { value: 'c', primary: true }]);
});

test.each([
  ['no operations', { schemas: [patchSchema], Operations: [] }, 'invalidSyntax'],
  [
    'another schema',
    { schemas: [userSchema], Operations: [{ op: 'add', path: 'title', value: 'x' }] },
    'invalidSyntax',
  ],
  ['an unknown word', { Operations: [{ op: 'move', path: 'title' }] }, 'invalidSyntax'],
  ['a removal of everything', { Operations: [{ op: 'remove' }] }, 'noTarget'],
  ['a path that is none', { Operations: [{ op: 'add', path: 'emails[', value: 'x' }] }, 'invalidPath'],
  [
    'a filter of what has no elements',
    { Operations: [{ op: 'add', path: 'title[a eq "b"]', value: 'x' }] },
    'invalidPath',
  ],
  ['a text without an object', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidSyntax'],
  ['a list for a text', { Operations: [{ op: 'add', path: 'title', value: ['x'] }] }, 'invalidValue'],
  ['no JSON object', 'text', 'invalidSyntax'],
])('%s is refused', (_what, body, scimType) => {
  expect(refused(() => readPatch(users, body))).toEqual({ status: 400, scimType });
});

test('nothing reaches a prototype', () => {
  const body: unknown = JSON.parse('{"userName":"eve","__proto__":{"active":true},"constructor":{"x":1}}');
  const after = applyAll({}, readResource(users, body).operations);
  expect(after).toEqual({ userName: 'eve' });
  expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
});
