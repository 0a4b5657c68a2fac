import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { auditBreaks, chainAuditLog, chainHead } from './audit-chain.ts';
import { record } from './audit.ts';
import { checkAudit } from './jobs/audit.ts';
import { databaseNow } from './jobs/task.ts';
import { startApp } from './testing/app.ts';
import { chainAll } from './testing/chain-all.ts';

const { deps, owner, logged } = await startApp();
const program = fileURLToPath(new URL('../../scripts/audit-verify.mjs', import.meta.url));
const url = owner.options.connectionString as string;

const write = (label: string, extra: { reason?: string } = {}) =>
  record({ db: deps.db, actor: null }, { action: 'entity.created', subject_label: label, ...extra });

async function verifyAlone(noted: string[] = []) {
  const child = spawn(process.execPath, [program, url, ...noted], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: said.join('') };
}

/** Tampers with the log as the owner of the tables, with its guards disabled. */
async function tamper(statement: string) {
  const client = await owner.connect();
  await client.query('begin');
  await client.query('alter table audit_log disable trigger user; alter table audit_chain disable trigger user');
  await client.query(statement);
  await client.query('alter table audit_log enable trigger user; alter table audit_chain enable trigger user');
  await client.query('commit');
  client.release();
}

beforeAll(async () => {
  await write('Ünïcode "Ltd" 🙂', { reason: "line\nbreak 'and' 7:colon" });
  for (const label of ['one', 'two', 'three']) await write(label);
  await chainAll({ deps, owner });
});

test('an untouched log verifies, with our code and without it', async () => {
  const head = await chainHead(deps.db);
  expect(head).toMatchObject({ position: 4 });
  expect(await auditBreaks(deps.db)).toEqual([]);
  expect(await verifyAlone([`4:${head?.hash}`])).toEqual({
    code: 0,
    said: `4 links, 0 faults, head 4:${head?.hash}\n`,
  });
});

test('a row of a transaction that is still open waits, and what committed after it waits with it', async () => {
  const before = (await chainHead(deps.db))?.position ?? 0;
  const open = await deps.db.startTransaction().execute();
  await record({ db: open, actor: null }, { action: 'entity.created', subject_label: 'slow' });
  await write('quick');
  expect(await chainAuditLog(deps.db)).toBe(0);
  await open.commit().execute();
  await chainAll({ deps, owner });
  const { rows } = await owner.query<{ subject_label: string }>(
    'select a.subject_label from audit_chain c join audit_log a on a.id = c.audit_id where c.position > $1 order by c.position',
    [before],
  );
  expect(rows.map((row) => row.subject_label)).toEqual(['slow', 'quick']);
});

test('rows restored from another server are chained like new ones', async () => {
  await owner.query(
    `insert into audit_log (actor_name, action, subject_type, subject_label, transaction)
     values ('System', 'entity.created', 'entity', 'restored', '9000000000000000000')`,
  );
  await chainAll({ deps, owner });
  expect(await auditBreaks(deps.db)).toEqual([]);
});

test.each(['update audit_log set action = action', 'delete from audit_log', 'truncate audit_log'])(
  'the application may not: %s',
  async (statement) => {
    await expect(deps.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    expect(await auditBreaks(deps.db)).toEqual([]);
  },
);

test.each([
  "insert into audit_chain values (99, 1, sha256(''))",
  "update audit_chain set hash = sha256('')",
  'delete from audit_chain',
  'truncate audit_chain',
  "update audit_chain_reached set transaction = '0'",
])('the application may not: %s', async (statement) => {
  await expect(deps.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  expect(await auditBreaks(deps.db)).toEqual([]);
});

test('the partitions of the audit log are closed to the application as well', async () => {
  const { rows } = await owner.query<{ part: string }>(
    "select inhrelid::regclass::text as part from pg_inherits where inhparent = 'audit_log'::regclass",
  );
  expect(rows.length).toBeGreaterThan(12);
  for (const { part } of rows)
    await expect(deps.pool.query(`delete from ${part}`)).rejects.toMatchObject({ code: '42501' });
});

test('the application may have the partitions of coming months made', async () => {
  await deps.pool.query('select ensure_audit_partitions(14)');
  const { rows } = await owner.query("select 1 from pg_inherits where inhparent = 'audit_log'::regclass");
  expect(rows).toHaveLength(16);
});

test('the owner is stopped by the guards of the tables', async () => {
  await expect(owner.query("update audit_log set reason = 'x'")).rejects.toThrow('is append-only');
  await expect(owner.query('delete from audit_chain')).rejects.toThrow('is append-only');
});

test.each([
  ['a changed value', "update audit_log set reason = 'nicer' where id = 2", 'changed row'],
  ['a changed time', "update audit_log set at = at + interval '1 millisecond' where id = 2", 'changed row'],
  ['a removed row', 'delete from audit_log where id = 2', 'missing row'],
  ['a removed link', 'delete from audit_chain where position = 2', 'missing link'],
  [
    'two swapped links',
    `update audit_chain set audit_id = -audit_id where position in (2, 3);
     update audit_chain set audit_id = 5 + audit_id where position in (2, 3)`,
    'changed row',
  ],
])('%s is found, with our code and without it', async (_what, statement, fault) => {
  await owner.query('create table kept_log as table audit_log; create table kept_chain as table audit_chain');
  await tamper(statement);
  expect((await auditBreaks(deps.db)).map((found) => found.fault)).toContain(fault);
  const alone = await verifyAlone();
  expect(alone.code).toBe(1);
  expect(alone.said).toContain(fault);
  await checkAudit({ deps, now: await databaseNow(deps.db) });
  expect(logged.at(-2)).toContain('audit_chain_broken');
  expect(await deps.metrics.text()).toMatch(/^tenure_audit_faults [1-9]/m);
  await tamper(
    `delete from audit_log; delete from audit_chain; insert into audit_chain table kept_chain;
     insert into audit_log overriding system value table kept_log; drop table kept_log, kept_chain`,
  );
  expect(await auditBreaks(deps.db)).toEqual([]);
});

test('a row slipped in behind the chain is found', async () => {
  await tamper(
    `insert into audit_log (actor_name, action, subject_type, transaction) values ('System', 'entity.created', 'entity', '3')`,
  );
  expect(await auditBreaks(deps.db)).toMatchObject([{ position: null, fault: 'row without a link' }]);
  expect((await verifyAlone()).said).toContain('has no link');
  await tamper("delete from audit_log where transaction = '3'");
});

test('a row slipped in is found in a log of many parts', async () => {
  await owner.query(
    `insert into audit_log (actor_name, action, subject_type)
     select 'System', 'entity.created', 'entity' from generate_series(1, 5200)`,
  );
  await chainAll({ deps, owner });
  expect(await auditBreaks(deps.db)).toEqual([]);
  for (const id of ['-5', '9223372036854775807'])
    await tamper(
      `insert into audit_log (id, actor_name, action, subject_type, transaction) overriding system value
       values (${id}, 'System', 'entity.created', 'entity', '3')`,
    );
  const looseRow = { position: null, fault: 'row without a link' };
  expect(await auditBreaks(deps.db)).toMatchObject([{ ...looseRow, audit_id: -5 }, looseRow]);
  await tamper("delete from audit_log where transaction = '3'");
});

test('what the daily check found is in the log also when it fails later', async () => {
  await owner.query('create table kept_log as table audit_log');
  await tamper("update audit_log set reason = 'nicer' where id = 2");
  await owner.query('revoke select on audit_chain_reached from public, tenure_app');
  const before = logged.length;
  await expect(checkAudit({ deps, now: await databaseNow(deps.db) })).rejects.toMatchObject({ code: '42501' });
  expect(logged.slice(before).join('')).toContain('audit_chain_broken');
  await owner.query('grant select on audit_chain_reached to tenure_app');
  await tamper(
    'delete from audit_log; insert into audit_log overriding system value table kept_log; drop table kept_log',
  );
  expect(await auditBreaks(deps.db)).toEqual([]);
});

test('a truncated log is found with a stored head', async () => {
  const head = await chainHead(deps.db);
  const noted = `${head?.position}:${head?.hash}`;
  await tamper(
    `delete from audit_log where id = (select audit_id from audit_chain where position = ${head?.position});
     delete from audit_chain where position = ${head?.position}`,
  );
  expect(await auditBreaks(deps.db)).toEqual([]);
  expect((await verifyAlone()).code).toBe(0);
  expect(await verifyAlone([noted])).toMatchObject({ code: 1 });
});

test('an entry that was made with a token has it in its link, and earlier entries verify as before', async () => {
  const before = await chainHead(deps.db);
  const program = { user_id: 1, name: 'Payroll', token_id: 7 };
  await record({ db: deps.db, actor: program }, { action: 'entity.created', subject_label: 'by a token' });
  await chainAll({ deps, owner });
  const position = (before?.position ?? 0) + 1;
  expect(await auditBreaks(deps.db)).toEqual([]);
  expect(await verifyAlone([`${before?.position}:${before?.hash}`])).toMatchObject({ code: 0 });
  for (const other of ['8', 'null']) {
    await tamper(`update audit_log set token_id = ${other} where subject_label = 'by a token'`);
    expect(await auditBreaks(deps.db)).toMatchObject([{ position }]);
    expect(await verifyAlone()).toMatchObject({ code: 1 });
  }
  await tamper(`update audit_log set token_id = 7 where subject_label = 'by a token'`);
  expect(await auditBreaks(deps.db)).toEqual([]);
});
