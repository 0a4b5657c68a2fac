import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { routes } from '../app.ts';
import { connect } from '../db/connect.ts';
import { guardDisk } from '../files/disk-guard.ts';
import { startApp } from '../testing/app.ts';
import type { Deps } from './context.ts';
import { readiness } from './health.ts';
import { listenForOperators } from './operators.ts';
import { buildServer } from './server.ts';

const { app, deps, owner, as, make } = await startApp({ METRICS_PORT: '0' }, { webFolder: '/nowhere' });
const failed = async (changed: Partial<Deps> = {}) => {
  const { status, body } = await readiness({ ...deps, ...changed })();
  return [status, body.failed ?? []];
};

describe('health', () => {
  test('is given to all callers, in a word', async () => {
    for (const url of ['/livez', '/readyz'])
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await app.inject({ method, url });
        expect([answer.statusCode, answer.body]).toEqual([200, method === 'GET' ? '{"message":"OK"}' : '']);
        expect(answer.headers['set-cookie']).toBeUndefined();
      }
    expect((await app.inject('/metrics')).statusCode).toBe(404);
  });

  test('names the database when it is away, and nothing it cannot know', async () => {
    const { db } = connect({ url: 'postgres://nobody@127.0.0.1:1/none', max: 1 });
    expect(await failed({ db })).toEqual([503, ['database']]);
    const stranded = await buildServer({ ...deps, db }, routes, { webFolder: '/nowhere' });
    const ready = await stranded.inject('/readyz');
    expect([ready.statusCode, ready.json(), ready.headers['retry-after']]).toEqual([
      503,
      { message: 'Service Unavailable', failed: ['database'] },
      '5',
    ]);
    expect((await stranded.inject('/livez')).statusCode).toBe(200);
    await stranded.close();
  });

  test('names a migration that is missing', async () => {
    const { rows } = await owner.query(
      `delete from schema_migrations
       where name = (select max(name) from schema_migrations where name not like '%.contract.sql') returning *`,
    );
    expect(await failed()).toEqual([503, ['migrations']]);
    await owner.query('insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)', [
      rows[0],
    ]);
    expect(await failed()).toEqual([200, []]);
  });

  test('names a contract of a later release, whose other migrations do no harm', async () => {
    const [added, contract] = ['29990101_0000_later.sql', '29990101_0000_later.contract.sql'];
    await owner.query('insert into schema_migrations (name) values ($1)', [added]);
    expect(await failed()).toEqual([200, []]);
    await owner.query('insert into schema_migrations (name) values ($1)', [contract]);
    expect(await failed()).toEqual([503, ['migrations']]);
    await owner.query('delete from schema_migrations where name in ($1, $2)', [added, contract]);
  });

  test('ends at once when the service is about to stop, whatever was found a moment ago', async () => {
    const stopping = new AbortController();
    const isReady = readiness({ ...deps, stopping: stopping.signal });
    expect((await isReady()).status).toBe(200);
    stopping.abort();
    expect(await isReady()).toEqual({ status: 503, body: { message: 'Service Unavailable', failed: ['stopping'] } });
  });

  test('names a disk that is nearly full', async () => {
    const disk = guardDisk({ files: deps.files, reserve: Infinity, log: deps.log });
    expect(await failed({ disk })).toEqual([503, ['disk']]);
  });

  test.each([10, -10])('names a clock that is %i minutes off that of the database', async (minutes) => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
    expect(await failed()).toEqual([503, ['clock']]);
    vi.useRealTimers();
    expect(await failed()).toEqual([200, []]);
  });

  test('names jobs that no worker takes', async () => {
    await owner.query("select graphile_worker.add_job('nothing', run_at => now() - interval '11 minutes')");
    expect(await failed()).toEqual([503, ['jobs']]);
    await owner.query('delete from graphile_worker._private_jobs');
    expect(await failed()).toEqual([200, []]);
  });

  test('is looked at once a second, however often it is asked', async () => {
    const isReady = readiness(deps);
    const [first, second] = [isReady(), isReady()];
    expect(second).toBe(first);
    await first;
  });
});

describe('the operators’ listener', () => {
  test('tells metrics and health, and nothing else', async () => {
    const operators = await listenForOperators(deps);
    const person = await as((await make.employee()).user_id);
    await person.get('/api/me');
    await person.get('/api/employees/987654?search=canary');
    const answer = await operators.inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toContain('text/plain');
    expect(answer.body).toContain('http_requests_total{method="GET",route="/api/me",status="200"} 1');
    expect(answer.body).toContain('route="/api/employees/:id",status="404"');
    for (const name of ['hash_queue_waiting', 'database_connections', 'http_request_duration_seconds_bucket'])
      expect(answer.body).toContain(name);
    expect(answer.body).not.toMatch(/canary|987654|example\.com/);
    for (const url of ['/livez', '/readyz']) expect((await operators.inject(url)).statusCode).toBe(200);
    for (const url of ['/', '/api/me', '/metrics/x']) expect((await operators.inject(url)).statusCode).toBe(404);
    expect((await operators.inject({ method: 'POST', url: '/metrics' })).statusCode).toBe(405);
    await operators.close();
  });
});
