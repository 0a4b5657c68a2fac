import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { endLeavers } from '../features/employees/lifecycle/leavers.ts';
import { applyDueJobChanges } from '../features/job-history/apply.ts';
import { sampleFiles } from '../testing/file-samples.ts';
import { expireImports, resumeImports } from '../jobs/imports.ts';
import { databaseNow } from '../jobs/task.ts';
import { startApp } from '../testing/app.ts';
import { multipart } from '../testing/client.ts';
import type { Client } from '../testing/client.ts';
import { connectionsOf, listen, requestHead } from '../testing/socket.ts';

/** K17 and K18: interrupted, repeated or late work, and a process that outlives its dependencies. */

const one = await startApp({ RATE_LIMIT_PER_MINUTE: '100000' });
const two = await startApp({}, { beside: one });
const { as, make, owner, deps, app } = one;
const samples = await sampleFiles();
const acme = await make.entity({ name: 'Acme' });
const office = await make.department({ entity_id: acme.id, name: 'Office' });
const hr = await as((await make.employee({ roles: ['HR'], department_id: office.id })).user_id);
const number = async (text: string, values: unknown[] = []) =>
  Number((await owner.query<{ n: string }>(text, values)).rows[0]?.n);
const now = await databaseNow(deps.db);
const later = (days: number) => now.add({ minutes: Math.round(days * 24 * 60) });
const both = (run: (ctx: { deps: typeof deps; now: Temporal.Instant }) => Promise<unknown>, at: Temporal.Instant) =>
  Promise.all([one, two, one, two].map((service) => run({ deps: service.deps, now: at })));
const today = Temporal.Now.plainDateISO('UTC');

describe('K17: an import', () => {
  const header = 'employee_number,first_name,last_name,email,entity,department';
  const people = (prefix: string, count: number) =>
    [
      header,
      ...Array.from({ length: count }, (_, n) => `${prefix}-${n},Ann,Lee,${prefix}${n}@example.com,Acme,Office`),
    ].join('\n');
  const send = (content: string, fields: Record<string, string> = {}) =>
    hr.upload('/api/employees/import', { name: 'people.csv', content }, fields);
  const there = (prefix: string) =>
    number(`select count(*) as n from employees where employee_number like $1`, [`${prefix}-%`]);
  /** Simulates that the process of the import died a while ago. */
  const abandon = (id: number) =>
    owner.query("update imports set leased_until = now() - interval '1 second' where id = $1", [id]);

  test('of a dead process does not stay "already running", and creates no person twice', async () => {
    const content = people('DEAD', 1_001);
    const { id } = (await send(content)).body.data;
    expect((await send(content)).status).toBe(422);
    await abandon(id);
    await both(resumeImports, later(0.1));
    expect((await hr.get(`/api/employees/imports/${id}`)).body.data).toMatchObject({
      status: 'completed',
      counts: { created: 1_001, failed: 0 },
    });
    expect(await there('DEAD')).toBe(1_001);
    const again = await send(content);
    expect(again.status).toBe(201);
    await both(resumeImports, later(0.1));
    expect((await hr.get(`/api/employees/imports/${again.body.data.id}`)).body.data).toMatchObject({
      status: 'completed',
      counts: { created: 0, updated: 0, failed: 1_001 },
    });
    expect(await there('DEAD')).toBe(1_001);
  });

  test('that was received in part leaves its file free for another attempt', async () => {
    const content = people('HALF', 1_001);
    const { id } = (await send(content)).body.data;
    await owner.query('update imports set is_staged = false where id = $1', [id]);
    await abandon(id);
    await both(resumeImports, later(0.1));
    expect((await hr.get(`/api/employees/imports/${id}`)).body.data.status).toBe('failed');
    expect(await there('HALF')).toBe(0);
    expect((await send(content)).status).toBe(201);
  });

  test('in atomic mode with one bad row at its end leaves nothing', async () => {
    const content = `${people('ATOM', 40)}\nATOM-x,Ann,Lee,ATOM1@example.com,Acme,Office`;
    const answer = await send(content, { mode: 'atomic' });
    expect([answer.body.data.status, await there('ATOM')]).toEqual(['failed', 0]);
    expect((await hr.post(`/api/employees/imports/${answer.body.data.id}/commit`)).status).toBe(422);
    expect(await number("select count(*) as n from users where email like 'atom%'")).toBe(0);
  });

  test('awaiting confirmation is committed or expires, not both', async () => {
    const prefixes = ['LAPSE', 'LAPSF', 'LAPSG'];
    const ids: number[] = [];
    for (const prefix of prefixes) ids.push((await send(people(prefix, 5), { dry_run: '1' })).body.data.id as number);
    const expiry = both(expireImports, later(30));
    const answers = await Promise.all(ids.map((id) => hr.post(`/api/employees/imports/${id}/commit`)));
    await expiry;
    for (const [index, { status }] of answers.entries()) {
      const { data } = (await hr.get(`/api/employees/imports/${ids[index]}`)).body;
      expect([status, data.status, await there(prefixes[index] ?? '')]).toEqual(
        status === 200 ? [200, 'completed', 5] : [422, 'expired', 0],
      );
    }
  });
});

describe('K17: daily work', () => {
  const trail = (action: string, id: number) =>
    number('select count(*) as n from audit_log where action = $1 and subject_id = $2', [action, id]);
  const notices = (id: number) =>
    number("select count(*) as n from notifications where subject_type = 'employee' and subject_id = $1", [id]);

  test('that was missed is made up for once, by any number of workers', async () => {
    const person = await make.employee({ department_id: office.id });
    for (const [days, job_title] of [
      [1, 'Clerk'],
      [3, 'Head clerk'],
    ] as const) {
      const effective_from = today.add({ days }).toString();
      const planned = await hr.post(`/api/employees/${person.id}/job-history`, { job_title, effective_from });
      expect(planned.status).toBe(201);
    }
    const state = () =>
      owner
        .query('select job_title, revision from employees where id = $1', [person.id])
        .then(({ rows }) => rows[0] as unknown);
    await both(applyDueJobChanges, later(6));
    const after = { state: await state(), notices: await notices(person.id) };
    expect(after.state).toMatchObject({ job_title: 'Head clerk' });
    expect(
      (
        await owner.query(
          'select status, count(*)::int from job_history where employee_id = $1 and effective_from > current_date group by 1 order by 1',
          [person.id],
        )
      ).rows,
    ).toEqual([
      { status: 'current', count: 1 },
      { status: 'past', count: 1 },
    ]);
    // the clock of one process is fast, the other one slow
    await both(applyDueJobChanges, later(7));
    await both(applyDueJobChanges, later(2));
    expect({ state: await state(), notices: await notices(person.id) }).toEqual(after);
  });

  test('that ends an employment ends it once, with every session, after a missed day', async () => {
    const person = await make.employee({ department_id: office.id });
    const browser = await two.as(person.user_id);
    const leaving = {
      type: 'resigned',
      last_working_date: today.add({ days: 2 }).toString(),
      reason: 'Moves to the sea',
    };
    expect((await hr.post(`/api/employees/${person.id}/separate`, leaving)).status).toBe(200);
    await both(endLeavers, later(1));
    expect((await browser.get('/api/me')).status).toBe(200);
    await both(endLeavers, later(9));
    await both(endLeavers, later(9));
    expect((await browser.get('/api/me')).status).toBe(401);
    expect(await trail('employee.left', person.id)).toBe(1);
  });
});

describe('K18: connections broken by the client or the database', () => {
  let port = 0;
  let client: Client;
  let path = '';
  beforeAll(async () => {
    port = await listen(app);
    client = hr;
    path = `/api/employees/${(await make.employee({ department_id: office.id })).id}/attachments`;
  });
  const head = (method: string, target: string, ...more: string[]) =>
    requestHead(`${method} ${target}`, client.cookies, ...more);
  const { pool } = deps;
  const isIdle = () => pool.idleCount === pool.totalCount && pool.waitingCount === 0;
  /** Files of the store that this process has open. */
  const openFiles = async () => {
    const names = await readdir('/proc/self/fd').catch(() => [] as string[]);
    const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
    return targets.filter((target) => target.startsWith(deps.config.DATA_DIR));
  };
  async function expectNothingLeft(rows: number) {
    await vi.waitFor(async () => {
      expect(await readdir(join(deps.config.DATA_DIR, 'incoming'))).toEqual([]);
      expect((await openFiles()).join()).toBe('');
      expect([isIdle(), await connectionsOf(app)]).toEqual([true, 0]);
    }, 15_000);
    expect(await number('select count(*) as n from attachments')).toBe(rows);
  }

  test('uploads that end at any byte leave no row, file, handle, transaction or connection', async () => {
    const rows = await number('select count(*) as n from attachments');
    const { payload, headers } = multipart(
      { name: 'a.pdf', content: Buffer.concat([samples.pdf, Buffer.alloc(900_000)]) },
      { category: 'letter' },
    );
    const request = head('POST', path, `Content-Type: ${headers['content-type']}`, `Content-Length: ${payload.length}`);
    const cuts = [0, 1, Math.floor(payload.length / 2), Math.floor(payload.length * 0.99), payload.length - 1];
    await Promise.all(
      Array.from({ length: 25 }, async (_, n) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        await new Promise<void>((resolve) => {
          socket.write(request);
          socket.write(payload.subarray(0, cuts[n % cuts.length]), () => resolve());
        });
        // some disconnect, some reset
        if (n % 2) socket.resetAndDestroy();
        else socket.destroy();
      }),
    );
    await expectNothingLeft(rows);
    expect((await client.get('/api/me')).status).toBe(200);
  });

  test('a body cut off after its last byte takes effect once or not at all', async () => {
    const before = await number('select count(*) as n from attachments');
    const { payload, headers } = multipart({ name: 'a.pdf', content: samples.pdf }, { category: 'letter' });
    const request = head('POST', path, `Content-Type: ${headers['content-type']}`, `Content-Length: ${payload.length}`);
    const socket = connect(port, '127.0.0.1');
    await new Promise<void>(
      (resolve) => void socket.write(Buffer.concat([Buffer.from(request), payload]), () => resolve()),
    );
    socket.destroy();
    await vi.waitFor(async () => expect([isIdle(), await connectionsOf(app)]).toEqual([true, 0]), 15_000);
    const rows = await number('select count(*) as n from attachments');
    expect(rows - before).toBeLessThanOrEqual(1);
    const kept = await readdir(join(deps.config.DATA_DIR, 'kept'));
    expect(kept.length).toBe(rows);
    await expectNothingLeft(rows);
  });

  test('abandoned downloads and exports close their files and release their connections', async () => {
    const big = Buffer.concat([samples.pdf, Buffer.alloc(9_000_000)]);
    const added = await client.upload(path, { name: 'big.pdf', content: big }, { category: 'letter' });
    expect(added.status).toBe(201);
    for (const target of [added.body.data.download_url as string, '/api/employees/export', '/api/audit-log/export'])
      for (let n = 0; n < 6; n += 1) {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(head('GET', target));
        await new Promise((resolve) => socket.once('data', resolve));
        socket.pause();
        socket.destroy();
      }
    await expectNothingLeft(await number('select count(*) as n from attachments'));
  });

  test('a database that ends every connection, also during a statement, fails requests but not the process', async () => {
    const faults: unknown[] = [];
    const note = (error: unknown) => void faults.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const operator = new pg.Client(one.database.appUrl);
    await operator.connect();
    const held = await pool.connect();
    const broken = new Promise((resolve) => void held.once('error', resolve));
    await held.query('begin');
    const running = Promise.allSettled([
      ...Array.from({ length: 5 }, () => client.get('/api/employees/export')),
      client.post('/api/entities', { name: 'During the restart' }),
    ]);
    await operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    );
    await operator.end();
    await broken;
    held.release(true);
    // an export that has started can only be cut off
    for (const answer of await running)
      if (answer.status === 'fulfilled') expect([200, 201, 503]).toContain(answer.value.status);
    await vi.waitFor(async () => expect((await client.get('/api/employees')).status).toBe(200), 15_000);
    expect(await number("select count(*) as n from entities where name = 'During the restart'")).toBeLessThanOrEqual(1);
    await vi.waitFor(() => expect(isIdle()).toBe(true), 15_000);
    process.off('uncaughtExceptionMonitor', note);
    expect(faults).toEqual([]);
  });
});
