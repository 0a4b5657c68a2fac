import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';
import { probationMaker } from '../../testing/make-probation.ts';

/** The log reveals no more about the reader's own reviews than the reviews themselves do. */

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);
const kpi = kpiMaker(app);
const manager = await make.employee({ roles: ['Manager'] });
const reviewer = await as(manager.user_id);
const colleague = await as((await make.admin()).user_id);
const typed = (typed_name: string) => ({ method: 'typed', typed_name });

type Entry = { id: number; action: string; reason: string | null };
const types = 'probation_review,probation_signature,kpi_evaluation,kpi_evidence';

/** Action and reason of the entries about a person, the oldest first; list, export and count must agree. */
async function found(client: Client, name: string) {
  const query = `?subject_type=${types}&search=${name}&sort_direction=asc&per_page=100`;
  const { data, meta } = (await client.get(`/api/audit-log${query}`)).body as {
    data: Entry[];
    meta: { total: number };
  };
  expect(meta.total).toBe(data.length);
  const { bytes } = await client.get(`/api/audit-log/export${query}`);
  const rows = parse(bytes, { columns: true, bom: true }) as { action: string; reason: string }[];
  expect(rows.map(({ action, reason }) => [action, reason])).toEqual(
    data.map(({ action, reason }) => [action, reason ?? '']),
  );
  return data;
}
const lines = (entries: readonly Entry[]) => entries.map(({ action, reason }) => [action, reason]);

/** The total equals the number of entries on all pages, whether they are chained or not. */
async function expectTotals(client: Client) {
  for (const most of [1, 1_000]) {
    await owner.query('select chain_audit_log($1)', [most]);
    const { meta } = (await client.get('/api/audit-log?per_page=1')).body;
    const all = parse((await client.get('/api/audit-log/export')).bytes, { columns: true, bom: true });
    expect(all).toHaveLength(meta.total);
  }
}

let serial = 0;
/** A reader of the log on probation, whose review was sent back to the reviewer and resubmitted to HR. */
async function reviewed(role: 'HR' | 'Admin') {
  const name = `Hana${(serial += 1)}`;
  const person = await probation.person({ first_name: name, reporting_manager_id: manager.id, roles: [role] });
  const { id } = (await colleague.post('/api/probation-reviews', { employee_id: person.id })).body.data;
  const path = `/api/probation-reviews/${id}`;
  const content = { performance_rating: 2, comments: 'Not ready.', recommendation: 'terminate' };
  await reviewer.post(`${path}/submit`, { ...content, signature: typed('Omar') });
  await colleague.post(`${path}/send-back`, { reason: 'Too harsh by far.' });
  await reviewer.post(`${path}/submit`, { recommendation: 'confirm', signature: typed('Omar') });
  return { name, person, path, client: await as(person.user_id) };
}

test.each(['HR', 'Admin'] as const)(
  'of the own review under way %s finds nothing, and all of it once decided',
  async (role) => {
    const { name, path, client } = await reviewed(role);
    const all = await found(colleague, name);
    expect(lines(all)).toEqual([
      ['probation_review.create', null],
      ['probation_review.submit', null],
      ['probation_signature.created', null],
      ['probation_review.send-back', 'Too harsh by far.'],
      ['probation_signature.voided', null],
      ['probation_review.submit', null],
      ['probation_signature.created', null],
    ]);
    expect(await found(client, name)).toEqual([]);
    for (const { id } of all) {
      expect((await colleague.get(`/api/audit-log/${id}`)).status).toBe(200);
      expect((await client.get(`/api/audit-log/${id}`)).status).toBe(404);
    }
    await expectTotals(client);

    const signature = typed('Hana Ito');
    expect((await colleague.post(`${path}/approve`, { outcome: 'confirm', signature })).status).toBe(200);
    const shown = await found(client, name);
    expect(lines(shown)).toEqual([
      ...lines(all).map(([action]) => [action, null]),
      ['probation_review.approve', null],
      ['probation_signature.created', null],
    ]);
    const sentBack = all.find(({ reason }) => reason !== null)?.id;
    expect((await client.get(`/api/audit-log/${sentBack}`)).body.data.reason).toBeNull();
    await expectTotals(client);
  },
);

test('an own review that was cancelled or deleted has no entries, one that was reverted has its reason', async () => {
  const { name, person, path, client } = await reviewed('HR');
  await colleague.post(`${path}/cancel`, { reason: 'Opened too early.' });
  const { id } = (await colleague.post('/api/probation-reviews', { employee_id: person.id })).body.data;
  expect((await colleague.delete(`/api/probation-reviews/${id}`)).status).toBe(204);
  expect(lines(await found(colleague, name)).slice(-3)).toEqual([
    ['probation_review.cancel', 'Opened too early.'],
    ['probation_review.create', null],
    ['probation_review.delete', null],
  ]);
  expect(await found(client, name)).toEqual([]);

  const next = await reviewed('HR');
  await colleague.post(`${next.path}/approve`, { outcome: 'confirm', signature: typed('Hana Ito') });
  const back = { probation_end_date: '2999-01-31', reason: 'Decided on the wrong person.' };
  expect((await colleague.post(`${next.path}/revert`, back)).status).toBe(200);
  const reasons = lines(await found(next.client, next.name)).filter(([, reason]) => reason !== null);
  expect(reasons).toEqual([['probation_review.revert', back.reason]]);
});

test.each(['HR', 'Admin'] as const)(
  'of the own evaluation %s finds neither evidence nor reason before it is shown',
  async (role) => {
    const name = `Lena${(serial += 1)}`;
    const employee = await make.employee({ first_name: name, roles: [role] });
    const { id } = await kpi.evaluation({ employee, reviewer: manager });
    const path = `/api/kpi-evaluations/${id}`;
    const [client, note] = [await as(employee.user_id), (text: string) => ({ note: text })];
    const add = async (who: Client, text: string) => {
      const added = await who.post(`${path}/evidence`, note(text));
      expect(added.status).toBe(201);
      return added.body.data.id as number;
    };
    await add(client, 'What I did.');
    await owner.query("update kpi_evaluations set status = 'manager_review', self_submitted_at = now() where id = $1", [
      id,
    ]);
    await reviewer.post(`${path}/return`, { reason: 'Please say more.' });
    await owner.query("update kpi_evaluations set status = 'manager_review', self_submitted_at = now() where id = $1", [
      id,
    ]);
    const wrong = await add(reviewer, 'A mistake.');
    expect((await reviewer.delete(`${path}/evidence/${wrong}`)).status).toBe(204);
    await add(reviewer, 'What I saw.');
    await owner.query("update kpi_evaluations set status = 'hr_review', manager_submitted_at = now() where id = $1", [
      id,
    ]);
    await add(colleague, 'What I heard.');
    expect((await colleague.post(`${path}/return`, { reason: 'Too kind by far.' })).status).toBe(200);
    const own = ['kpi_evidence.created', null];
    const theirs = ['kpi_evidence.created', null];
    expect(lines(await found(colleague, name))).toEqual([
      own,
      ['kpi_evaluation.return', 'Please say more.'],
      theirs,
      ['kpi_evidence.deleted', null],
      theirs,
      theirs,
      ['kpi_evaluation.return', 'Too kind by far.'],
    ]);
    expect(lines(await found(client, name))).toEqual([
      own,
      ['kpi_evaluation.return', 'Please say more.'],
      ['kpi_evaluation.return', null],
    ]);
    await expectTotals(client);

    await owner.query("update kpi_evaluations set status = 'pending_acceptance' where id = $1", [id]);
    expect(lines(await found(client, name))).toEqual([
      own,
      ['kpi_evaluation.return', 'Please say more.'],
      theirs,
      theirs,
      ['kpi_evaluation.return', 'Too kind by far.'],
    ]);
  },
);
