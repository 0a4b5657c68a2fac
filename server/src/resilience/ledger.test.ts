import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { connect } from '../db/connect.ts';
import { startApp } from '../testing/app.ts';
import { ledgerErrors, openLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';

const { as, make, database, owner } = await startApp({ TRUST_PROXY: '127.0.0.1' });
const client = await as((await make.admin()).user_id);
const { db } = connect({ url: database.ownerUrl, max: 1 });
const scratch = await mkdtemp(join(tmpdir(), 'tenure-ledger-'));
let ledger: Ledger;
let file = 0;

afterAll(async () => {
  await db.destroy();
  await rm(scratch, { recursive: true });
});
beforeEach(async () => {
  await owner.query('delete from entities');
  ledger = openLedger(join(scratch, String((file += 1))));
});

const errors = () => ledgerErrors(db, ledger.path);

/** Adds a company and records the response to its request; no response if `status` is undefined. */
async function add(name: string, { status, repeats }: { status?: number; repeats?: number } = {}) {
  const request_id = `${file}.${name}.${repeats ? 'again' : 'first'}`;
  const fields = { name, description: name };
  const effect = { table: 'entities', name, verb: 'create', fields } as const;
  const n = ledger.sent({ request_id, effect, ...(repeats && { repeats }) });
  const headers = { 'x-request-id': request_id, 'idempotency-key': `${file}.${name}` };
  const answer = await client.post('/api/entities', fields, headers);
  if (status) ledger.answered({ n, status });
  return { n, id: (answer.body.data as { id: number }).id };
}

test('a ledger that agrees with the database has no differences', async () => {
  await add('Kept', { status: 201 });
  const { n } = await add('Unheard');
  expect(await errors()).toEqual([]);
  await add('Unheard', { status: 201, repeats: n });
  expect(await errors()).toEqual([]);
});

test('a lost request may have no effect, unless it was acknowledged', async () => {
  const effect = { table: 'entities', name: 'Lost', verb: 'create', fields: { name: 'Lost' } } as const;
  const n = ledger.sent({ request_id: `${file}.lost`, effect });
  expect(await errors()).toEqual([]);
  ledger.answered({ n, status: 201 });
  expect(await errors()).toEqual([expect.stringContaining('acknowledged and lost: request 1')]);
});

test('lost rows, partial effects and unrequested rows are found', async () => {
  const [gone, half] = [await add('Gone', { status: 201 }), await add('Half', { status: 201 })];
  await owner.query('delete from entities where id = $1', [gone.id]);
  await owner.query('update entities set description = null where id = $1', [half.id]);
  await make.entity({ name: 'Stray' });
  expect(await errors()).toEqual([
    'missing: entities Gone',
    'nobody asked for entities Stray',
    'by half or lost: entities Half should hold {"description":"Half"}',
  ]);
});

test('repeated effects and effects of refused requests are found', async () => {
  const { n } = await add('Twice');
  await owner.query('delete from idempotency_keys');
  await owner.query("update entities set name = 'Once'");
  await add('Twice', { status: 201, repeats: n });
  await add('Refused', { status: 422 });
  expect((await errors()).join('\n')).toMatch(/done 2 times: request 1.*\n.*refused and done: request 3/);
});
