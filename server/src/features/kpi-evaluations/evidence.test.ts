import type { EvaluationStatus } from '@tenure/contract';
import { expect, test } from 'vitest';
import { sampleFiles } from '../../testing/file-samples.ts';
import { removeDeletedFiles, sweepFiles } from '../../jobs/files.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { dayFromNow, kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const kpi = kpiMaker(app);
const samples = await sampleFiles();

const acme = await make.entity();
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, manager_id: head.id });
const lena = await make.employee({ department_id: buying.id });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const hrPerson = await make.employee({ roles: ['HR'] });
const other = await make.employee({ department_id: buying.id });
const [own, reviewer, manager, hr, colleague] = (await Promise.all(
  [lena, boss, head, hrPerson, other].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client, Client];

const template = await kpi.template();
const started = (status: EvaluationStatus = 'self_assessment', fields: Parameters<typeof kpi.evaluation>[0] = {}) =>
  kpi.evaluation({ employee: lena, reviewer: boss, template, status, ...fields });
const path = (id: number) => `/api/kpi-evaluations/${id}/evidence`;
const offer = { name: 'offer.pdf', content: samples.pdf };
const everything = async () => {
  const { rows } = await owner.query(
    `select (select count(*) from kpi_evidence) as pieces, (select count(*) from audit_log) as traces,
            (select count(*) from removed_files) as removed, (select sum(revision) from kpi_evaluations) as revisions`,
  );
  return rows[0] as unknown;
};
/** A refusal, which must change nothing. */
async function refused(work: () => Promise<{ status: number; body: { errors?: object } }>) {
  const before = await everything();
  const { status, body } = await work();
  expect(await everything()).toEqual(before);
  return [status, ...Object.keys(body?.errors ?? {})];
}

test('a file is added to an item, read about, downloaded and removed', async () => {
  const { id, items } = await started();
  const item = items[0]?.id as number;
  const added = await own.upload(path(id), offer, { item_id: String(item), note: 'Signed offer' });
  expect([added.status, added.body.message]).toEqual([201, 'Evidence added successfully.']);
  const { data } = added.body;
  expect(data).toMatchObject({
    evaluation_id: id,
    item_id: item,
    stage: 'self',
    note: 'Signed offer',
    url: null,
    file_name: 'offer.pdf',
    mime_type: 'application/pdf',
    size: samples.pdf.byteLength,
    uploaded_by: { user_id: lena.user_id },
    scan_status: 'not_scanned',
    allowed_actions: ['delete'],
  });
  expect((await own.get(`${path(id)}/${data.id}`)).body.data).toEqual(data);
  expect((await own.get(path(id))).body.data).toEqual([data]);
  const record = (await own.get(`/api/kpi-evaluations/${id}`)).body.data;
  expect(record.items.map(({ evidence_count }: { evidence_count: number }) => evidence_count)).toEqual([1, 0, 0]);
  const file = await own.get(data.download_url);
  expect([file.status, file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    200,
    'application/pdf',
    `attachment; filename="offer.pdf"; filename*=UTF-8''offer.pdf`,
  ]);
  expect(file.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  expect(file.bytes.equals(samples.pdf)).toBe(true);
  expect((await own.delete(`${path(id)}/${data.id}`)).status).toBe(204);
  expect((await own.get(data.download_url)).status).toBe(404);
  expect((await own.get(path(id))).body.meta.total).toBe(0);
});

test('a link or a note is evidence without a file, of an item or of the whole', async () => {
  const { id, items } = await started();
  const item_id = items[1]?.id;
  const link = await own.post(path(id), { url: 'https://intranet.example.com/report?q=1', item_id });
  expect([link.status, link.body.data]).toMatchObject([
    201,
    {
      url: 'https://intranet.example.com/report?q=1',
      file_name: null,
      download_url: null,
      scan_status: null,
      size: null,
    },
  ]);
  const note = await own.post(path(id), { note: 'The board praised it.' });
  expect(note.body.data).toMatchObject({ item_id: null, note: 'The board praised it.', url: null });
  expect((await own.get(`${path(id)}/${link.body.data.id}/download`)).status).toBe(404);
  const ids = async (query: string) =>
    (await own.get(`${path(id)}?${query}`)).body.data.map((piece: { id: number }) => piece.id);
  expect(await ids('')).toEqual([note.body.data.id, link.body.data.id]);
  expect(await ids(`item_id=${item_id}`)).toEqual([link.body.data.id]);
  expect(await ids('item_id=0')).toEqual([note.body.data.id]);
  expect(await ids('search=PRAISED')).toEqual([note.body.data.id]);
  expect(await ids('stage=manager,hr')).toEqual([]);
  expect(await ids('sort_by=created_at&sort_direction=asc')).toEqual([link.body.data.id, note.body.data.id]);
});

test.each([
  ['nothing at all', {}, ['file']],
  ['no file but a text', { file: 'offer.pdf' }, ['file']],
  ['an item of nobody', { note: 'x', item_id: 9_999_999 }, ['item_id']],
  ['a script for a link', { url: 'javascript:alert(1)' }, ['url']],
  ['a file of this machine', { url: 'file:///etc/passwd' }, ['url']],
  ['a link with a line break', { url: 'https://example.com/\na' }, ['url']],
  ['a link out of its attribute', { url: 'https://example.com/" onclick="x' }, ['url']],
  ['a link without a host', { url: 'https://' }, ['url']],
  ['a link that is too long', { url: `https://example.com/${'x'.repeat(500)}` }, ['url']],
  ['a note that is too long', { note: 'x'.repeat(5_001) }, ['note']],
])('%s is refused', async (_name, body, fields) => {
  const { id } = await started();
  expect(await refused(() => own.post(path(id), body))).toEqual([422, ...fields]);
});

test('an item of another evaluation is refused, also of the same person', async () => {
  const [one, two] = [await started(), await started()];
  const item_id = two.items[0]?.id;
  expect(await refused(() => own.post(path(one.id), { note: 'x', item_id }))).toEqual([422, 'item_id']);
});

test.each([
  ['a page', { name: 'offer.html', content: '<html></html>' }],
  ['a page that calls itself a document', { name: 'offer.pdf', content: '<html></html>' }],
  ['a picture of vectors', { name: 'offer.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' }],
  ['an empty file', { name: 'offer.pdf', content: '' }],
  ['a program', { name: 'offer.exe', content: 'MZ' }],
])('%s is no evidence', async (_name, file) => {
  const { id } = await started();
  expect(await refused(() => own.upload(path(id), file))).toEqual([422, 'file']);
});

test('each step is added to by those who may write it, and its evidence is theirs until it is handed in', async () => {
  const { id } = await started('manager_review');
  expect(await refused(() => own.post(path(id), { note: 'Late.' }))).toEqual([403]);
  expect(await refused(() => colleague.post(path(id), { note: 'Not mine.' }))).toEqual([404]);
  const mine = (await reviewer.post(path(id), { note: 'Seen by me.' })).body.data;
  const forBoss = (await manager.post(path(id), { note: 'On behalf.' })).body.data;
  expect([mine.stage, forBoss.stage]).toEqual(['manager', 'manager']);
  const seenBy = async (client: Client) => (await client.get(path(id))).body.meta.total;
  expect(await Promise.all([own, reviewer, manager].map(seenBy))).toEqual([0, 2, 2]);
  for (const url of [`${path(id)}/${mine.id}`, `${path(id)}/${mine.id}/download`])
    expect((await own.get(url)).status).toBe(404);
  expect(await refused(() => manager.delete(`${path(id)}/${mine.id}`))).toEqual([403]);
  expect(await refused(() => own.delete(`${path(id)}/${mine.id}`))).toEqual([404]);
  await deps.db.updateTable('kpi_evaluations').set({ status: 'hr_review' }).where('id', '=', id).execute();
  expect(await Promise.all([own, reviewer, manager, hr].map(seenBy))).toEqual([0, 2, 0, 2]);
  expect(await refused(() => reviewer.delete(`${path(id)}/${mine.id}`))).toEqual([403]);
  const ofHr = (await hr.post(path(id), { note: 'Calibrated.' })).body.data;
  expect([ofHr.stage, await seenBy(reviewer)]).toEqual(['hr', 2]);
  await deps.db.updateTable('kpi_evaluations').set({ status: 'pending_acceptance' }).where('id', '=', id).execute();
  expect(await Promise.all([own, reviewer, manager, hr].map(seenBy))).toEqual([3, 3, 3, 3]);
  expect(await refused(() => hr.delete(`${path(id)}/${ofHr.id}`))).toEqual([422, 'status']);
  expect(await refused(() => hr.post(path(id), { note: 'More.' }))).toEqual([422, 'status']);
});

test('who writes two steps removes nothing of the first in the second', async () => {
  const both = await make.employee({ entity_id: acme.id, roles: ['Manager', 'HR'] });
  const client = await as(both.user_id);
  const { id } = await started('manager_review', { reviewer: both });
  const { data } = (await client.post(path(id), { note: 'Seen by me.' })).body;
  await deps.db.updateTable('kpi_evaluations').set({ status: 'hr_review' }).where('id', '=', id).execute();
  expect((await client.post(path(id), { note: 'Calibrated.' })).body.data?.stage).toBe('hr');
  expect(await refused(() => client.delete(`${path(id)}/${data.id}`))).toEqual([422, 'status']);
});

test('only the person sees the gathered evidence before it is handed in, and after the step was skipped', async () => {
  const { id } = await started();
  const { data } = (await own.upload(path(id), offer)).body;
  for (const client of [reviewer, manager, hr]) {
    expect((await client.get(path(id))).body.data).toEqual([]);
    expect((await client.get(data.download_url)).status).toBe(404);
  }
  await deps.db
    .updateTable('kpi_evaluations')
    .set({ status: 'manager_review', self_skipped: true })
    .where('id', '=', id)
    .execute();
  expect((await reviewer.get(data.download_url)).status).toBe(404);
  expect((await own.get(data.download_url)).status).toBe(200);
  await deps.db.updateTable('kpi_evaluations').set({ self_skipped: false }).where('id', '=', id).execute();
  expect((await reviewer.get(data.download_url)).status).toBe(200);
});

test('evidence is found under its own evaluation only', async () => {
  const [one, two] = [await started(), await started()];
  const { data } = (await own.upload(path(one.id), offer)).body;
  for (const url of [`${path(two.id)}/${data.id}`, `${path(two.id)}/${data.id}/download`])
    expect((await own.get(url)).status).toBe(404);
  expect(await refused(() => own.delete(`${path(two.id)}/${data.id}`))).toEqual([404]);
  expect((await colleague.get(data.download_url)).status).toBe(404);
});

test('nothing is added or removed when the time is over or the cycle is closed', async () => {
  const late = await kpi.cycle({ self_assessment_closes_on: dayFromNow(-1) });
  const { id } = await started('self_assessment', { cycle_id: late.id });
  expect(await refused(() => own.post(path(id), { note: 'Late.' }))).toEqual([422, 'status']);
  await deps.db
    .updateTable('kpi_evaluations')
    .set({ stage_open_until: dayFromNow(1) })
    .where('id', '=', id)
    .execute();
  const { data } = (await own.post(path(id), { note: 'In time.' })).body;
  await deps.db.updateTable('kpi_cycles').set({ status: 'closed' }).where('id', '=', late.id).execute();
  expect(await refused(() => own.post(path(id), { note: 'More.' }))).toEqual([422, 'status']);
  expect(await refused(() => own.delete(`${path(id)}/${data.id}`))).toEqual([422, 'status']);
  expect((await own.get(`${path(id)}/${data.id}`)).body.data.allowed_actions).toEqual([]);
});

test('an item takes ten pieces and an evaluation fifty', async () => {
  const { id, items } = await started();
  const item_id = items[0]?.id;
  const fill = (count: number, item: number | null) =>
    owner.query(
      `insert into kpi_evidence (evaluation_id, item_id, stage, note, uploaded_by_name)
       select $1, $2, 'self', 'note ' || n, 'x' from generate_series(1, $3::int) n`,
      [id, item, count],
    );
  await fill(9, item_id as number);
  expect((await own.post(path(id), { note: 'The tenth.', item_id })).status).toBe(201);
  expect(await refused(() => own.post(path(id), { note: 'One more.', item_id }))).toEqual([422, 'item_id']);
  await fill(39, null);
  const last = await Promise.all([own.post(path(id), { note: 'a' }), own.post(path(id), { note: 'b' })]);
  expect(last.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422]);
});

test('its files outlive the sweeper while there is a row, and go a day after it', async () => {
  const { id } = await started();
  const { data } = (await own.upload(path(id), offer)).body;
  const inHours = (hours: number) => Temporal.Now.instant().add({ hours });
  await sweepFiles({ deps, now: inHours(2) });
  expect((await own.get(data.download_url)).status).toBe(200);
  const { file_key } = await deps.db
    .selectFrom('kpi_evidence')
    .select('file_key')
    .where('id', '=', data.id)
    .executeTakeFirstOrThrow();
  await own.delete(`${path(id)}/${data.id}`);
  await removeDeletedFiles({ deps, now: inHours(23) });
  const kept = await deps.files.open(file_key as string);
  kept?.stream.destroy();
  expect(kept?.size).toBe(samples.pdf.byteLength);
  await removeDeletedFiles({ deps, now: inHours(25) });
  expect(await deps.files.open(file_key as string)).toBeNull();
});

test('what a reviewer gathered and did not hand in goes with the reviewer, what was handed in stays', async () => {
  const { id } = await started('manager_review');
  const taker = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
  const handedIn = (await reviewer.post(path(id), { note: 'Handed in.' })).body.data;
  await owner.query(
    `insert into kpi_evaluation_activity (evaluation_id, actor_name, action, to_status, round)
     values ($1, 'Ida Berg', 'manager-review', 'hr_review', 1)`,
    [id],
  );
  const drafted = (await reviewer.upload(path(id), offer)).body.data;
  const { rows: keys } = await owner.query('select file_key from kpi_evidence where id = $1', [drafted.id]);
  const answer = await hr.put(`/api/kpi-evaluations/${id}/reviewer`, { reviewer_id: taker.id });
  expect(answer.status).toBe(200);
  const { data } = (await (await as(taker.user_id)).get(path(id))).body;
  expect(data.map((piece: { id: number }) => piece.id)).toEqual([handedIn.id]);
  const { rows: removed } = await owner.query('select file_key from removed_files where file_key = $1', [
    keys[0].file_key,
  ]);
  expect(removed).toHaveLength(1);
  const { rows: logged } = await owner.query(
    `select subject_id::int from audit_log where action = 'kpi_evidence.deleted' order by id desc limit 1`,
  );
  expect(logged).toEqual([{ subject_id: drafted.id }]);
});

test('the log says that there is evidence and who looked at it, not what it is', async () => {
  const { id } = await started('manager_review');
  const { data } = (await reviewer.upload(path(id), { ...offer, name: 'secret.pdf' }, { note: 'Hush.' })).body;
  await manager.get(data.download_url);
  await reviewer.get(data.download_url);
  await reviewer.delete(`${path(id)}/${data.id}`);
  const traces = await deps.db
    .selectFrom('audit_log')
    .select(['action', 'subject_label', 'changes', 'entity_id'])
    .where('subject_type', '=', 'kpi_evidence')
    .where('subject_id', '=', data.id)
    .orderBy('id')
    .execute();
  expect(traces.map(({ action }) => action)).toEqual([
    'kpi_evidence.created',
    'kpi_evidence.downloaded',
    'kpi_evidence.deleted',
  ]);
  expect(JSON.stringify(traces)).not.toMatch(/secret|Hush/);
});
