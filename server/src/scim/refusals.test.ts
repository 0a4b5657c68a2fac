import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { provisioning } from '../testing/provisioning.ts';
import { groupSchema, userSchema } from './attributes.ts';

/** Requests that the service cannot interpret: each response says what is wrong, and nothing changes. */

const service = await startApp();
const { owner } = service;
const connect = provisioning(service);
const provider = await connect();
const user = (await provider.addUser('ada', { externalId: 'u1' })).body.id as string;
const group = (await provider.addGroup('HR', [user], { externalId: 'g1' })).body.id as string;

type Answered = { status: number; body: { scimType?: string; detail?: string } };
const stored = async () =>
  (
    await owner.query(
      `select (select json_agg(u order by u.id) from scim_users u) as users,
              (select json_agg(g order by g.id) from scim_groups g) as groups,
              (select json_agg(m order by m.value) from scim_members m) as members`,
    )
  ).rows[0] as unknown;
async function refusal(ask: () => Promise<Answered>) {
  const before = await stored();
  const { status, body } = await ask();
  expect([status, await stored()]).toEqual([400, before]);
  return [body.scimType, body.detail];
}

describe('a list', () => {
  const filters: [string, string][] = [
    ['meta.lastModified co "2026"', 'A time is compared with an instant such as 2026-01-31T00:00:00Z.'],
    ['meta.lastModified co "2026-01-31T00:00:00Z"', 'A time is compared with eq, ne, gt, ge, lt or le.'],
    ['meta.lastModified sw "2026-01-31T00:00:00Z"', 'A time is compared with eq, ne, gt, ge, lt or le.'],
  ];
  test.each(filters)('is not filtered by %s', async (filter, detail) => {
    for (const path of ['/Users', '/Groups'])
      expect(await refusal(() => provider.get(`${path}?filter=${encodeURIComponent(filter)}`))).toEqual([
        'invalidFilter',
        detail,
      ]);
  });

  const queries: [string, string, string][] = [
    ['startIndex=first', 'invalidValue', 'startIndex must be a whole number.'],
    ['startIndex=1.5', 'invalidValue', 'startIndex must be a whole number.'],
    ['count=1e3', 'invalidValue', 'count must be a whole number.'],
    ['count=1000000000', 'invalidValue', 'count must be a whole number.'],
    ['count[]=1', 'invalidValue', 'count must be a whole number.'],
    ['filter[]=active eq true', 'invalidFilter', 'There is one filter.'],
    ['filter[a]=active eq true', 'invalidFilter', 'There is one filter.'],
    [`attributes=${'a,'.repeat(2_001)}`, 'invalidValue', 'A list of attributes has at most 4,000 characters.'],
    ['attributes[][a]=userName', 'invalidValue', 'A list of attributes has texts alone.'],
    ['excludedAttributes[a]=members', 'invalidValue', 'A list of attributes has texts alone.'],
  ];
  test.each(queries)('is not asked for with %s', async (query, ...refused) => {
    for (const path of ['/Users', '/Groups'])
      expect(await refusal(() => provider.get(`${path}?${query}`))).toEqual(refused);
  });
});

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x${n}`, 'x']));

describe('an operation', () => {
  const ofUser: [string, object, string, string][] = [
    [
      'an object of 201 names',
      { op: 'replace', value: many(201) },
      'invalidSyntax',
      'An object has at most 200 attributes.',
    ],
    ['a path that is a number', { op: 'replace', path: 1, value: 'x' }, 'invalidSyntax', 'A path is a text.'],
    ['a path that is a list', { op: 'add', path: ['title'], value: 'x' }, 'invalidSyntax', 'A path is a text.'],
    [
      'a path of 1,001 characters',
      { op: 'replace', path: 'x'.repeat(1_001), value: 'x' },
      'invalidPath',
      'A path has at most 1000 characters.',
    ],
    ['a name that is a text', { op: 'replace', value: { name: ['Ada'] } }, 'invalidValue', 'name must be an object.'],
    ['a name that is true', { op: 'replace', path: 'name', value: true }, 'invalidValue', 'name must be an object.'],
    ['another id', { op: 'replace', path: 'id', value: 'x' }, 'mutability', 'The id cannot change.'],
  ];
  test.each(ofUser)('on a user with %s is refused', async (_what, operation, ...refused) => {
    expect(await refusal(() => provider.patch(`/Users/${user}`, operation))).toEqual(refused);
  });

  const choice = 'Members are chosen by value eq "<id>".';
  const ofGroup: [string, object, string, string][] = [
    ['members by another name', { op: 'remove', path: 'members[display eq "ada"]' }, 'invalidFilter', choice],
    ['members by another comparison', { op: 'remove', path: 'members[value sw "a"]' }, 'invalidFilter', choice],
    ['members by what is no text', { op: 'remove', path: 'members[value eq true]' }, 'invalidFilter', choice],
    ['members that are something', { op: 'remove', path: 'members[value pr]' }, 'invalidFilter', choice],
    [
      'members that are two',
      { op: 'remove', path: `members[value eq "${user}" and value pr]` },
      'invalidFilter',
      choice,
    ],
    ['members that are not one', { op: 'remove', path: `members[not (value eq "x")]` }, 'invalidFilter', choice],
    [
      'a part of a member',
      { op: 'remove', path: `members[value eq "${user}"].display` },
      'invalidPath',
      'A member is added or removed as a whole.',
    ],
    [
      'the values of members',
      { op: 'replace', path: 'members.value', value: 'x' },
      'invalidPath',
      'A member is added or removed as a whole.',
    ],
    [
      'a filter of whom it adds',
      { op: 'add', path: `members[value eq "${user}"]`, value: { value: 'x' } },
      'invalidPath',
      'A member is added without a filter.',
    ],
    [
      'a member that is a list',
      { op: 'add', path: 'members', value: [[user]] },
      'invalidValue',
      'members must be an object.',
    ],
  ];
  test.each(ofGroup)('on a group with %s is refused, also after another one', async (_what, operation, ...refused) => {
    const first = { op: 'replace', path: 'displayName', value: 'Renamed' };
    expect(await refusal(() => provider.patch(`/Groups/${group}`, first, operation))).toEqual(refused);
  });

  test('is one of 1,000 at most', async () => {
    const operations = (count: number) => Array.from({ length: count }, () => ({ op: 'remove', path: 'externalId' }));
    expect(await refusal(() => provider.patch(`/Users/${user}`, ...operations(1_001)))).toEqual([
      'invalidSyntax',
      'A PATCH has at most 1000 operations.',
    ]);
    const other = (await provider.addUser('other', { externalId: 'u2' })).body.id as string;
    expect((await provider.patch(`/Users/${other}`, ...operations(1_000))).status).toBe(200);
  });
});

test.each([
  ['POST', '/Users', { schemas: [userSchema], userName: 'new', ...many(199) }],
  ['PUT', `/Users/${user}`, { schemas: [userSchema], userName: 'ada', ...many(199) }],
  ['POST', '/Groups', { schemas: [groupSchema], displayName: 'New', ...many(199) }],
])('%s %s of a resource of more than 200 names is refused', async (method, path, body) => {
  expect(await refusal(() => provider.send(method, path, body))).toEqual([
    'invalidSyntax',
    'An object has at most 200 attributes.',
  ]);
});

test('a connection has 10,000 groups, and no more', async () => {
  const full = await connect();
  await owner.query(
    `insert into scim_groups (connection_id, display_name) select $1, 'Group ' || n from generate_series(1, 9999) n`,
    [full.id],
  );
  expect((await full.addGroup('The last')).status).toBe(201);
  expect(await refusal(() => full.addGroup('One more', [user]))).toEqual([
    'tooMany',
    'A connection has at most 10000 groups.',
  ]);
  expect((await provider.addGroup('Of another connection')).status).toBe(201);
});
