import { maxAnnouncements } from '@tenure/contract';
import type { Announcement } from '@tenure/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make, owner, deps } = await startApp();
const acme = await make.entity({ name: 'Acme Foods' });
const borg = await make.entity({ name: 'Borg Systems' });
const limitedTo = (...ids: number[]) => [{ role: 'HR' as const, entity_ids: ids }];
const person = async (entity_id: number, roles: Parameters<typeof make.employee>[0] = {}) =>
  as((await make.employee({ entity_id, ...roles })).user_id);
const [hr, acmeHr, bothHr, manager, worker, other, guest] = [
  await person(acme.id, { roles: ['HR'] }),
  await person(acme.id, { roles: limitedTo(acme.id) }),
  await person(acme.id, { roles: limitedTo(acme.id, borg.id) }),
  await person(acme.id, { roles: ['Manager'] }),
  await person(acme.id),
  await person(borg.id),
  await as(),
];
const nowhere = await as((await make.admin()).user_id);

const path = '/api/announcements';
const today = Temporal.Now.plainDateISO('UTC');
const day = (days: number) => today.add({ days }).toString();
const fields = (more: object = {}) => ({
  title: 'Summer party',
  body: 'On the roof, from 17:00.\nhttps://acme.example/party',
  entity_ids: [acme.id],
  starts_on: day(0),
  ends_on: day(7),
  ...more,
});
async function added(more: object = {}, by = hr): Promise<Announcement> {
  const { status, body } = await by.post(path, fields(more));
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data;
}
const shownTo = async (client: typeof hr) =>
  ((await client.get('/api/home')).body.data.announcements as { title: string }[]).map(({ title }) => title);
const everything = async () => (await owner.query('select * from announcements order by id')).rows as unknown;
/** A refusal that changes nothing. */
async function refused(work: () => Promise<{ status: number; body: { errors?: Record<string, string[]> } }>) {
  const before = await everything();
  const { status, body } = await work();
  expect(await everything()).toEqual(before);
  return [status, Object.keys(body.errors ?? {})];
}

afterEach(() => owner.query('delete from announcements'));

test('HR announces something, changes it and deletes it, and each step is in the audit log', async () => {
  const one = await added({}, acmeHr);
  expect(one).toMatchObject({
    entities: [{ id: acme.id, name: 'Acme Foods' }],
    state: 'running',
    allowed_actions: ['update', 'delete'],
  });
  expect(await shownTo(worker)).toEqual(['Summer party']);
  expect(await shownTo(other)).toEqual([]);
  const changed = await acmeHr.put(`${path}/${one.id}`, { ends_on: day(2), revision: one.revision });
  expect([changed.status, changed.body.message, changed.body.data]).toMatchObject([
    200,
    'Announcement updated successfully.',
    { ends_on: day(2), revision: 2 },
  ]);
  expect((await refused(() => acmeHr.put(`${path}/${one.id}`, { title: 'Late', revision: 1 })))[0]).toBe(422);
  expect((await acmeHr.delete(`${path}/${one.id}`)).status).toBe(204);
  expect((await acmeHr.get(`${path}/${one.id}`)).status).toBe(404);
  const log = await deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'entity_id', 'changes'])
    .where('subject_type', '=', 'announcement')
    .where('subject_id', '=', one.id)
    .orderBy('id')
    .execute();
  expect(log).toMatchObject([
    { action: 'announcement.created', subject_label: 'Summer party', entity_id: acme.id },
    { action: 'announcement.updated', changes: { ends_on: { from: day(7), to: day(2) } } },
    { action: 'announcement.deleted', changes: { title: { from: 'Summer party', to: null } } },
  ]);
});

test('it is shown from its first to its last day, to the people of its companies', async () => {
  await added({ title: 'Now' });
  await added({ title: 'Both', entity_ids: [borg.id, acme.id, borg.id] });
  await added({ title: 'All', entity_ids: null });
  await added({ title: 'Later', starts_on: day(3) });
  const ended = await added({ title: 'Over' });
  await hr.put(`${path}/${ended.id}`, { starts_on: day(-9), ends_on: day(-2) });
  expect((await shownTo(worker)).sort()).toEqual(['All', 'Both', 'Now']);
  expect((await shownTo(other)).sort()).toEqual(['All', 'Both']);
  expect(await shownTo(nowhere)).toEqual(['All']);
  const of = async (state: string) =>
    ((await hr.get(`${path}?state=${state}&sort_by=starts_on`)).body.data as Announcement[]).map(({ title }) => title);
  expect([await of('planned'), await of('ended'), (await of('running')).length]).toEqual([['Later'], ['Over'], 3]);
});

describe('the scope of the author', () => {
  test('decides what is listed, read, changed and deleted: the whole audience must be in it', async () => {
    const [own, foreign, both, all] = [
      await added(),
      await added({ entity_ids: [borg.id] }),
      await added({ entity_ids: [acme.id, borg.id] }),
      await added({ entity_ids: null }),
    ];
    const listed = async (client: typeof hr, query = '') =>
      ((await client.get(`${path}?per_page=100${query}`)).body.data as Announcement[])
        .map(({ id }) => id)
        .sort((a, b) => a - b);
    expect(await listed(acmeHr)).toEqual([own.id]);
    expect(await listed(bothHr)).toEqual([own.id, foreign.id, both.id].sort((a, b) => a - b));
    expect(await listed(hr)).toEqual([own.id, foreign.id, both.id, all.id].sort((a, b) => a - b));
    expect(await listed(hr, `&entity_id=${borg.id}`)).toEqual([foreign.id, both.id, all.id].sort((a, b) => a - b));
    expect(await listed(acmeHr, `&entity_id=${borg.id}`)).toEqual([]);
    for (const { id } of [foreign, both, all]) {
      expect((await acmeHr.get(`${path}/${id}`)).status).toBe(404);
      expect(await refused(() => acmeHr.put(`${path}/${id}`, { title: 'Mine' }))).toEqual([404, []]);
      expect(await refused(() => acmeHr.delete(`${path}/${id}`))).toEqual([404, []]);
    }
    expect(await refused(() => bothHr.delete(`${path}/${all.id}`))).toEqual([404, []]);
  });

  test('decides to whom it may be announced, also by a change', async () => {
    const own = await added({}, acmeHr);
    for (const entity_ids of [[borg.id], [acme.id, borg.id], null, [987_654]]) {
      expect(await refused(() => acmeHr.post(path, fields({ entity_ids })))).toEqual([422, ['entity_ids']]);
      expect(await refused(() => acmeHr.put(`${path}/${own.id}`, { entity_ids }))).toEqual([422, ['entity_ids']]);
    }
    expect(await refused(() => bothHr.post(path, fields({ entity_ids: null })))).toEqual([422, ['entity_ids']]);
    expect((await bothHr.put(`${path}/${own.id}`, { entity_ids: [acme.id, borg.id] })).status).toBe(200);
    expect((await acmeHr.get(`${path}/${own.id}`)).status).toBe(404);
    expect((await hr.put(`${path}/${own.id}`, { entity_ids: null })).body.data.entities).toBeNull();
    expect((await bothHr.get(`${path}/${own.id}`)).status).toBe(404);
  });

  test('people without the permission manage nothing', async () => {
    const own = await added();
    for (const client of [manager, worker]) {
      expect((await client.get(path)).status).toBe(403);
      expect((await client.get(`${path}/${own.id}`)).status).toBe(403);
      expect((await refused(() => client.post(path, fields())))[0]).toBe(403);
      expect((await refused(() => client.put(`${path}/${own.id}`, { title: 'Mine' })))[0]).toBe(403);
      expect((await refused(() => client.delete(`${path}/${own.id}`)))[0]).toBe(403);
    }
    for (const url of [path, `${path}/${own.id}`, '/api/home']) expect((await guest.get(url)).status).toBe(401);
  });
});

test.each([
  ['ends before it starts', { starts_on: day(5), ends_on: day(4) }, ['ends_on']],
  ['has ended', { starts_on: day(-5), ends_on: day(-1) }, ['ends_on']],
  ['has no company', { entity_ids: [] }, ['entity_ids']],
  ['has no title', { title: '' }, ['title']],
  ['has no text', { body: null }, ['body']],
  ['is too long', { body: 'x'.repeat(4_001) }, ['body']],
  ['has no days', { starts_on: null, ends_on: 'soon' }, ['starts_on', 'ends_on']],
])('an announcement that %s is refused', async (_what, more, errors) => {
  expect(await refused(() => hr.post(path, fields(more)))).toEqual([422, errors]);
});

test('the number of announcements of a company is limited, those for all companies included', async () => {
  await owner.query(
    `insert into announcements (entity_ids, title, body, starts_on, ends_on)
     select case when n % 2 = 0 then array[$1::bigint] end, 'Note', 'Text', current_date, current_date + 3
     from generate_series(1, $2::int) n`,
    [acme.id, maxAnnouncements - 1],
  );
  const last = await added();
  const full = [422, ['entity_ids']];
  expect(await refused(() => hr.post(path, fields()))).toEqual(full);
  expect(await refused(() => hr.post(path, fields({ entity_ids: null })))).toEqual(full);
  expect((await hr.put(`${path}/${last.id}`, { title: 'The last one' })).status).toBe(200);
  const elsewhere = await added({ entity_ids: [borg.id] });
  expect(await refused(() => hr.put(`${path}/${elsewhere.id}`, { entity_ids: [acme.id] }))).toEqual(full);
  await hr.put(`${path}/${last.id}`, { starts_on: day(-3), ends_on: day(-1) });
  expect((await hr.post(path, fields())).status).toBe(201);
  expect(await refused(() => hr.put(`${path}/${last.id}`, { ends_on: day(1) }))).toEqual(full);
  // existing announcements stay visible
  expect((await shownTo(worker)).length).toBe(maxAnnouncements);
});

describe('a person', () => {
  test('hides an announcement for themselves and shows it again', async () => {
    const one = await added();
    expect((await worker.post(`${path}/${one.id}/dismissal`)).status).toBe(204);
    expect((await worker.post(`${path}/${one.id}/dismissal`)).status).toBe(204);
    expect(await shownTo(worker)).toEqual([]);
    expect(await shownTo(manager)).toEqual(['Summer party']);
    expect((await worker.delete(`${path}/${one.id}/dismissal`)).status).toBe(204);
    expect(await shownTo(worker)).toEqual(['Summer party']);
  });

  test('learns nothing of announcements for others, planned ones and ended ones', async () => {
    const hidden = [await added({ entity_ids: [borg.id] }), await added({ starts_on: day(2) })];
    for (const { id } of [...hidden, { id: 987_654 }])
      for (const answer of [
        await worker.post(`${path}/${id}/dismissal`),
        await worker.delete(`${path}/${id}/dismissal`),
      ])
        expect(answer.status).toBe(404);
    expect((await owner.query('select from announcement_dismissals')).rowCount).toBe(0);
    expect((await guest.post(`${path}/${hidden[0]?.id}/dismissal`)).status).toBe(401);
  });
});
