import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { seededGrants } from '@tenure/contract';
import { expect, test } from 'vitest';
import { kindOfToken, newToken, tokenPattern } from '../crypto/api-token.ts';
import { startApp } from '../testing/app.ts';
import { programOf } from '../testing/programs.ts';

/** The examples of docs/api.md work unchanged with curl. */

const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text);
const run = promisify(execFile);

const service = await startApp();
const { app, make } = service;
const entity = await make.entity();
const person = await make.employee({ entity_id: entity.id });
const hr = await make.employee({ entity_id: entity.id, roles: ['HR'] });
const program = await programOf(service, hr.user_id, seededGrants('HR'));
const url = await app.listen({ port: 0, host: '127.0.0.1' });
const env = {
  PATH: process.env.PATH,
  TENURE_URL: url,
  TENURE_TOKEN: program.token,
  EMPLOYEE_ID: String(person.id),
  ENTITY_ID: String(entity.id),
};

test.each(examples)('%s', async (example) => {
  const { stdout } = await run('bash', ['-euc', example], { env });
  expect(JSON.parse(stdout)).toHaveProperty('data');
});

test('there are examples, and they changed what they say', async () => {
  expect(examples.length).toBe(5);
  const read = await program.get(`/api/employees/${person.id}`);
  expect(read.body.data.job_title).toBe('Analyst');
});

test('the printed rule is the one that finds tokens', () => {
  const [printed = ''] = /^\\btnr.*$/m.exec(page) ?? [];
  expect(printed).toBe(tokenPattern.source);
  for (const kind of ['personal', 'service', 'provisioning'] as const) {
    const token = newToken(kind);
    expect(kindOfToken(token)).toBe(kind);
    expect(new RegExp(printed, 'g').exec(`token = "${token}"`)?.[0]).toBe(token);
  }
});
