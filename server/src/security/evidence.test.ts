import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleFiles } from '../testing/file-samples.ts';
import { startApp } from '../testing/app.ts';
import type { Client } from '../testing/client.ts';
import { kpiMaker } from '../testing/make-kpi.ts';

/** K4: neither its number, nor its storage path, nor the end of its step gives access to another person's evidence. */

const app = await startApp();
const { as, make, deps, owner } = app;
const kpi = kpiMaker(app);
const samples = await sampleFiles();
const [north, south] = [await make.entity(), await make.entity()];
const lead = await make.employee({ entity_id: south.id, roles: ['TeamLead'] });
const carl = await make.employee({ entity_id: south.id });
const lena = await make.employee({ entity_id: north.id });
const boss = await make.employee({ entity_id: north.id, roles: ['Manager'] });
const northHr = await make.employee({ roles: [{ role: 'HR', entity_ids: [north.id] }], entity_id: north.id });
const victim = await as(carl.user_id);
const template = await kpi.template();
const theirs = await kpi.evaluation({ employee: carl, reviewer: lead, template });
const mine = await kpi.evaluation({ employee: lena, reviewer: boss, template });
const of = (id: number) => `/api/kpi-evaluations/${id}/evidence`;
const offer = { name: '../../etc/offer.pdf', content: samples.pdf };
const added = await victim.upload(of(theirs.id), offer, { item_id: String(theirs.items[0]?.id) });
const evidenceId = added.body.data.id as number;
const attackers: [string, Client][] = [
  ['a colleague', await as(lena.user_id)],
  ['a manager', await as(boss.user_id)],
  ['HR of another company', await as(northHr.user_id)],
];
const contents = async () =>
  (
    await owner.query(
      `select (select md5(string_agg(f::text, '|' order by f.id)) from kpi_evidence f) as evidence,
              (select count(*) from removed_files) as removed, (select sum(revision) from kpi_evaluations) as revisions`,
    )
  ).rows[0] as unknown;
const ways = [
  ['GET', ''],
  ['GET', '/download'],
  ['HEAD', '/download'],
  ['DELETE', ''],
] as const;

test('a name that is a path is stored as a name', () => {
  expect([added.status, added.body.data.file_name]).toEqual([201, 'offer.pdf']);
});

test.each(attackers)('%s cannot reach it by its number', async (_who, client) => {
  const before = await contents();
  for (const parent of [theirs.id, mine.id, 987_654_321])
    for (const [method, tail] of ways) {
      const answer = await client.send(method, `${of(parent)}/${evidenceId}${tail}`);
      expect([parent, method, answer.status]).toEqual([parent, method, 404]);
      expect(answer.bytes.includes('%PDF')).toBe(false);
    }
  expect((await client.get(of(theirs.id))).status).toBe(404);
  const item_id = theirs.items[0]?.id;
  expect((await client.post(of(theirs.id), { note: 'Not mine.', item_id })).status).toBe(404);
  expect(await contents()).toEqual(before);
});

test('an item of another person takes no evidence of the sender', async () => {
  const before = await contents();
  const client = await as(lena.user_id);
  const fields = { note: 'Look.', item_id: theirs.items[0]?.id, evaluation_id: theirs.id, uploaded_by: carl.user_id };
  const { status, body } = await client.post(of(mine.id), fields);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['item_id']]);
  expect(await contents()).toEqual(before);
});

test('the sender cannot choose its owner and step', async () => {
  const client = await as(lena.user_id);
  const claims = { evaluation_id: theirs.id, uploaded_by: carl.user_id, stage: 'hr', file_key: 'x', download_url: '/' };
  const { body } = await client.post(of(mine.id), { note: 'Mine.', ...claims });
  expect(body.data).toMatchObject({
    evaluation_id: mine.id,
    stage: 'self',
    download_url: null,
    uploaded_by: { user_id: lena.user_id },
  });
});

test('no answer reveals the storage path, and no address leads there', async () => {
  const { rows } = await owner.query<{ file_key: string }>('select file_key from kpi_evidence where id = $1', [
    evidenceId,
  ]);
  const key = rows[0]?.file_key as string;
  const stored = await readdir(join(deps.config.DATA_DIR, 'kept'));
  expect(stored.some((name) => name.includes(key))).toBe(true);
  const notified = [
    await victim.get(of(theirs.id)),
    await victim.get(`${of(theirs.id)}/${evidenceId}`),
    await victim.get(`${of(theirs.id)}/${evidenceId}/download`),
    await victim.get(`/api/kpi-evaluations/${theirs.id}`),
  ].map(({ headers, bytes }) => JSON.stringify(headers) + bytes.toString());
  expect(notified.join('')).not.toContain(key);
  for (const address of [
    `/files/kept/${key}`,
    `/kept/${key}`,
    `/api/files/${key}`,
    `/${key}`,
    `${of(theirs.id)}/${key}`,
    `${of(mine.id)}/..%2f..%2f${theirs.id}%2fevidence%2f${evidenceId}/download`,
    `${of(theirs.id)}/${evidenceId}%00/download`,
    `${of(theirs.id)}/0${evidenceId}/download`,
  ])
    for (const [, client] of attackers) expect([address, (await client.get(address)).status]).toEqual([address, 404]);
});

test('after its step it stays unchanged, also for its uploader', async () => {
  await owner.query("update kpi_evaluations set status = 'manager_review' where id = $1", [theirs.id]);
  const before = await contents();
  const note = { note: 'More.' };
  expect((await victim.delete(`${of(theirs.id)}/${evidenceId}`)).status).toBe(403);
  expect((await victim.post(of(theirs.id), note)).status).toBe(403);
  expect((await (await as(lead.user_id)).delete(`${of(theirs.id)}/${evidenceId}`)).status).toBe(403);
  await owner.query("update kpi_evaluations set status = 'completed' where id = $1", [theirs.id]);
  const closed = await contents();
  expect((await victim.delete(`${of(theirs.id)}/${evidenceId}`)).status).toBe(422);
  expect((await victim.post(of(theirs.id), note)).status).toBe(422);
  expect(await contents()).toEqual(closed);
  expect(closed).toMatchObject({ evidence: (before as { evidence: string }).evidence });
  expect((await victim.get(`${of(theirs.id)}/${evidenceId}/download`)).bytes.equals(samples.pdf)).toBe(true);
});
