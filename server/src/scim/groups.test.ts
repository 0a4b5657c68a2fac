import { describe, expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { provisioning } from '../testing/provisioning.ts';

const service = await startApp();
const { deps, owner } = service;
const connect = provisioning(service);
const entra = await connect();
const ids = await Promise.all(
  ['a', 'b', 'c', 'd'].map(async (name) => (await entra.addUser(`member.${name}`)).body.id as string),
);
const [a, b, c, d] = ids as [string, string, string, string];

const membersOf = async (id: string) =>
  ((await entra.get(`/Groups/${id}`)).body.members ?? []).map(({ value }: { value: string }) => value).toSorted();
const sorted = (...values: string[]) => values.toSorted();

describe('a group', () => {
  test('has members, and a name that need not be its own', async () => {
    const { status, body } = await entra.addGroup('HR', [a, b], { externalId: 'g1' });
    expect([status, body.displayName, body.externalId]).toEqual([201, 'HR', 'g1']);
    expect(body.members).toContainEqual({
      value: a,
      display: 'member.a',
      type: 'User',
      $ref: `http://localhost:8000/scim/v2/Users/${a}`,
    });
    expect((await entra.addGroup('HR')).status).toBe(201);
    expect((await entra.addGroup('Other', [], { externalId: 'g1' })).body.scimType).toBe('uniqueness');
    expect((await entra.addGroup('', [])).body.scimType).toBe('invalidValue');
  });

  test('gains and loses single members', async () => {
    const { body } = await entra.addGroup('Changing', [a, b]);
    const path = `/Groups/${body.id}`;
    // as sent by Entra ID
    expect((await entra.patch(path, { op: 'Add', path: 'members', value: [{ value: c }] })).status).toBe(200);
    expect(await membersOf(body.id)).toEqual(sorted(a, b, c));
    await entra.patch(path, { op: 'Remove', path: 'members', value: [{ value: a }, { value: d }] });
    expect(await membersOf(body.id)).toEqual(sorted(b, c));
    await entra.patch(path, { op: 'remove', path: `members[value eq "${b}"]` });
    expect(await membersOf(body.id)).toEqual([c]);
    // one after the other
    await entra.patch(
      path,
      { op: 'replace', path: 'members', value: [{ value: a }] },
      { op: 'add', path: 'members', value: [{ value: d }] },
      { op: 'remove', path: 'members', value: [{ value: a }] },
      { op: 'replace', value: { displayName: 'Changed' } },
    );
    expect(await membersOf(body.id)).toEqual([d]);
    expect((await entra.get(path)).body.displayName).toBe('Changed');
  });

  test('is emptied only by a removal that has no values at all', async () => {
    const { body } = await entra.addGroup('Kept', [a]);
    const path = `/Groups/${body.id}`;
    for (const value of [[], null, [null]])
      expect((await entra.patch(path, { op: 'remove', path: 'members', value })).status).toBe(200);
    expect(await membersOf(body.id)).toEqual([a]);
    await entra.patch(path, { op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: b }] });
    expect(await membersOf(body.id)).toEqual([b]);
    await entra.patch(path, { op: 'remove', path: 'members' });
    expect(await membersOf(body.id)).toEqual([]);
  });

  test('keeps what a replacement leaves out', async () => {
    const { body } = await entra.addGroup('Kept', [a]);
    const path = `/Groups/${body.id}`;
    expect((await entra.send('PUT', path, { externalId: 'kept' })).body).toMatchObject({ displayName: 'Kept' });
    expect(await membersOf(body.id)).toEqual([a]);
    expect((await entra.send('PUT', path, { displayName: 'Kept', members: [] })).body.members).toEqual([]);
  });

  test('keeps members that the connection does not know, and says nothing of them', async () => {
    const theirs = (await (await connect()).addUser('theirs')).body.id as string;
    const { body } = await entra.addGroup('Known', [a, theirs, 'x']);
    expect(body.members.filter(({ value }: { value: string }) => value !== a)).toEqual(
      [theirs, 'x'].toSorted().map((value) => ({ value })),
    );
    const nameless = { op: 'add', path: 'members', value: [{ type: 'User' }] };
    expect((await entra.patch(`/Groups/${body.id}`, nameless)).status).toBe(400);
    expect(await membersOf(body.id)).toEqual(sorted(a, theirs, 'x'));
  });

  test('has another version with other members, also when one is removed', async () => {
    const leaver = (await entra.addUser('leaver')).body.id as string;
    const { body } = await entra.addGroup('Versions', [leaver]);
    const path = `/Groups/${body.id}`;
    const versionNow = async () => (await entra.get(path)).headers['etag'];
    expect(await versionNow()).toBe('W/"1"');
    await entra.patch(path, { op: 'add', path: 'members', value: [{ value: leaver }] });
    expect(await versionNow()).toBe('W/"1"');
    await entra.patch(path, { op: 'add', path: 'members', value: [{ value: a }] });
    expect(await versionNow()).toBe('W/"2"');
    await entra.send('DELETE', `/Users/${leaver}`);
    expect([await versionNow(), await membersOf(body.id)]).toEqual(['W/"3"', [a]]);
    expect((await entra.send('DELETE', path, undefined, { 'if-match': 'W/"1"' })).status).toBe(412);
    expect((await entra.send('DELETE', path)).status).toBe(204);
    expect((await entra.get(path)).status).toBe(404);
    expect((await entra.get(`/Users/${a}`)).status).toBe(200);
  });

  test('is found by its name and members, without them if they are not wanted', async () => {
    const listed = await connect();
    const one = (await listed.addUser('one')).body.id as string;
    await listed.addGroup('First', [one]);
    await listed.addGroup('Second');
    const found = async (query: string) => (await listed.get(`/Groups?${query}`)).body;
    expect((await found('')).totalResults).toBe(2);
    const [first] = (await found(`filter=${encodeURIComponent('displayName eq "FIRST"')}&excludedAttributes=members`))
      .Resources;
    expect([first.displayName, first.members]).toEqual(['First', undefined]);
    for (const filter of [`members.value eq "${one}"`, `members[value eq "${one}"]`])
      expect((await found(`filter=${encodeURIComponent(filter)}`)).Resources).toHaveLength(1);
  });

  test('of 5,000 members gains one by one row', async () => {
    const big = await connect();
    const { id: group } = (await big.addGroup('Everyone')).body;
    await deps.db
      .insertInto('scim_users')
      .values(Array.from({ length: 5_000 }, (_, n) => ({ connection_id: big.id, user_name: `many.${n}` })))
      .execute();
    const all = await deps.db.selectFrom('scim_users').select('id').where('connection_id', '=', big.id).execute();
    const put = await big.send('PUT', `/Groups/${group}`, {
      displayName: 'Everyone',
      members: all.map(({ id }) => ({ value: id })),
    });
    expect(put.body.members).toHaveLength(5_000);
    const one = (await big.addUser('one.more')).body.id as string;
    const before = await deps.db.selectFrom('scim_members').selectAll().where('group_id', '=', group).execute();
    const patched = await big.patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: [{ value: one }] });
    expect([patched.status, patched.body]).toEqual([204, undefined]);
    const after = await deps.db.selectFrom('scim_members').selectAll().where('group_id', '=', group).execute();
    expect(after.length - before.length).toBe(1);
  });

  test('is listed with others as far as 20,000 members, and alone with more', async () => {
    const large = await connect();
    for (const name of ['One', 'Two', 'Three', 'Four']) await large.addGroup(name);
    const listed = async (query: string) => (await large.get(`/Groups?${query}`)).body;
    const ids = (await listed('')).Resources.map(({ id }: { id: string }) => id) as string[];
    const sizes = [8_000, 12_000, 1, 20_001];
    for (const [index, size] of sizes.entries())
      await owner.query(
        'insert into scim_members (group_id, value) select $1, n::text from generate_series(1, $2::int) as n',
        [ids[index], size],
      );
    const page = async (query: string) => {
      const { Resources, totalResults, itemsPerPage } = await listed(query);
      const members = (Resources as { members?: unknown[] }[]).map((group) => group.members?.length);
      return [totalResults, itemsPerPage, members];
    };
    expect(await page('')).toEqual([4, 2, sizes.slice(0, 2)]);
    expect(await page('startIndex=3')).toEqual([4, 1, [1]]);
    expect(await page('startIndex=4')).toEqual([4, 1, [20_001]]);
    expect(await page('excludedAttributes=members')).toEqual([4, 4, Array(4).fill(undefined)]);
  });
});
