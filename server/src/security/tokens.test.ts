import { opensToTokens, permissionNames } from '@tenure/contract';
import type { Endpoint, Permission } from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { allEndpoints, permissionsOf } from '../access/matrix.ts';
import { newToken } from '../crypto/api-token.ts';
import { bind } from '../http/context.ts';
import { startApp } from '../testing/app.ts';
import { bearing, programOf } from '../testing/programs.ts';
import type { Program } from '../testing/programs.ts';

/** Attacks on tokens: what they give access to, what remains of them, and where their text is stored. */

const broken = {
  method: 'GET',
  path: '/broken',
  summary: 'Fails',
  permission: 'employees.view',
  scope: 'none',
  status: 204,
} as const satisfies Endpoint;
const bindings = [
  bind(broken, {
    handle: () => {
      throw new Error('broken');
    },
  }),
];
const service = await startApp({}, { bindings });
const { make, as, owner, logged } = service;
const [acme, other] = [await make.entity(), await make.entity()];
const { user_id: root } = await make.admin();

const absent = 987_654_321;
const urlOf = ({ path }: Endpoint) => `/api${path.replaceAll(/:\w+/g, String(absent))}`;
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const inBrowser = 'This can be done in the browser only.';
const call = (program: Pick<Program, 'send'>, endpoint: Endpoint) =>
  program.send(endpoint.method, urlOf(endpoint), endpoint.method === 'GET' ? undefined : {});

describe('N23: every endpoint through both doors', async () => {
  const all = await programOf(service, root, [...permissionNames]);
  const alone = new Map<Permission, Program>();
  for (const name of permissionNames) alone.set(name, await programOf(service, root, [name]));

  test('a token with every permission finds closed what is declared closed, and nothing else', async () => {
    const closed: string[] = [];
    for (const endpoint of allEndpoints) {
      const answer = await call(all, endpoint);
      expect([nameOf(endpoint), answer.setCookies]).toEqual([nameOf(endpoint), []]);
      expect(answer.status).toBeLessThan(500);
      if (answer.status === 403 && answer.body.message === inBrowser) closed.push(nameOf(endpoint));
    }
    const open = (endpoint: Endpoint) => opensToTokens(endpoint);
    expect(closed.sort()).toEqual(
      allEndpoints
        .filter((one) => !open(one))
        .map(nameOf)
        .sort(),
    );
  });

  test('each of its permissions opens an endpoint to a token, and all others together do not', async () => {
    for (const endpoint of allEndpoints.filter(opensToTokens)) {
      const permissions = permissionsOf(endpoint);
      if (!permissions) continue;
      for (const name of permissions)
        expect([nameOf(endpoint), (await call(alone.get(name) as Program, endpoint)).status]).not.toEqual([
          nameOf(endpoint),
          403,
        ]);
      const others = permissionNames.filter((name) => !permissions.includes(name));
      const without = await programOf(service, root, others);
      const refused = await call(without, endpoint);
      expect([nameOf(endpoint), refused.status]).toEqual([nameOf(endpoint), 403]);
      await owner.query('delete from api_tokens where id = $1', [without.token_id]);
    }
  });

  test('what carries a signature, or is the answer of the person a review is about, is closed', () => {
    const signs = ({ body }: Endpoint) => body instanceof z.ZodObject && 'signature' in body.shape;
    const declares =
      /\/(self-assessment|accept|dispute|record-answer|deem-accepted|resolve-dispute|manager-review|hr-review|submit|recall|approve|revert|acknowledge|record-acknowledgement|signatures?)$/;
    const declared = allEndpoints.filter(
      (one) =>
        one.method === 'POST' &&
        (signs(one) || (/^\/(probation-reviews|kpi-evaluations)\/:id/.test(one.path) && declares.test(one.path))),
    );
    expect(declared.filter(signs).length).toBeGreaterThan(2);
    expect(declared.length).toBeGreaterThan(13);
    expect(declared.filter(opensToTokens).map(nameOf)).toEqual([]);
  });

  test('what asks people who they are is closed, but for exports and details on request', () => {
    const asking = allEndpoints.filter(({ step_up }) => step_up !== undefined);
    expect(asking.filter(opensToTokens).map(nameOf).sort()).toEqual([
      'GET /audit-log/export',
      'GET /employees/:id',
      'GET /employees/export',
      'POST /employees/:id/rehire',
      'PUT /employees/:id',
    ]);
  });
});

describe('N23: a token is never wider than its account', () => {
  test('the token of an administrator is no administrator', async () => {
    const program = await programOf(service, root, [...permissionNames]);
    const chief = await make.employee({ entity_id: acme.id, roles: ['Admin'] });
    const refused = await program.send('PUT', `/api/employees/${chief.id}`, { grade: 'G1' });
    expect(refused.status).toBe(403);
    expect((await program.get('/api/me')).body.data.roles).toContain('Admin');
  });

  test('what is ticked and not held opens nothing, also when it is held by another role in another company', async () => {
    const person = await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] });
    const stranger = await make.employee({ entity_id: other.id });
    const program = await programOf(service, person.user_id, [...permissionNames]);
    expect((await program.get(`/api/employees/${stranger.id}`)).status).toBe(404);
    expect((await program.get('/api/backups')).status).toBe(403);
    const entities = await programOf(service, person.user_id, [...permissionNames], { entity_ids: [other.id] });
    expect((await entities.get('/api/employees')).status).toBe(403);
  });

  test('a company of the token keeps out people whom the account manages elsewhere', async () => {
    const manager = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
    const near = await make.employee({ entity_id: acme.id, reporting_manager_id: manager.id });
    const far = await make.employee({ entity_id: other.id, reporting_manager_id: manager.id });
    const ids = async (entity_ids: number[] | null) => {
      const program = await programOf(service, manager.user_id, ['employees.view'], { entity_ids });
      const { body } = await program.get('/api/employees?per_page=100');
      return (body.data as { id: number }[]).map(({ id }) => id).sort((a, b) => a - b);
    };
    expect(await ids(null)).toEqual([manager.id, near.id, far.id]);
    expect(await ids([acme.id])).toEqual([near.id]);
    expect(await ids([other.id])).toEqual([far.id]);
  });

  test('limits of departments stay limits', async () => {
    const [sales, support] = [
      await make.department({ entity_id: acme.id }),
      await make.department({ entity_id: acme.id }),
    ];
    const person = await make.employee({ entity_id: acme.id, roles: [] });
    await owner.query(
      `insert into role_assignments (user_id, role_id, entity_ids, department_ids)
       select $1, id, '{}', array[$2::bigint] from roles where name = 'HR'`,
      [person.user_id, sales.id],
    );
    const [inside, outside] = [
      await make.employee({ entity_id: acme.id, department_id: sales.id }),
      await make.employee({ entity_id: acme.id, department_id: support.id }),
    ];
    const wide = await programOf(service, person.user_id, ['employees.view', 'employees.view_all']);
    const here = await programOf(service, person.user_id, ['employees.view', 'employees.view_all'], {
      entity_ids: [acme.id],
    });
    for (const program of [wide, here]) {
      expect((await program.get(`/api/employees/${inside.id}`)).status).toBe(200);
      expect((await program.get(`/api/employees/${outside.id}`)).status).toBe(404);
    }
    const there = await programOf(service, person.user_id, ['employees.view'], { entity_ids: [other.id] });
    expect((await there.get('/api/employees')).status).toBe(403);
  });

  test('private details need their own tick', async () => {
    const person = await make.employee({ entity_id: acme.id });
    for (const reveal of ['private', 'bank']) {
      const ticked = await programOf(service, root, [
        'employees.view',
        'employees.view_all',
        'employees.view_sensitive',
      ]);
      const shown = await ticked.get(`/api/employees/${person.id}?reveal=${reveal}`);
      expect([shown.status, 'date_of_birth' in shown.body.data]).toEqual([200, true]);
      const plain = await programOf(service, root, ['employees.view', 'employees.view_all', 'employees.export']);
      const hidden = await plain.get(`/api/employees/${person.id}?reveal=${reveal}`);
      expect(hidden.status === 403 || !('date_of_birth' in hidden.body.data)).toBe(true);
      expect((await plain.get(`/api/employees/export?reveal=${reveal}`)).status).toBe(403);
    }
  });
});

test('N22: a revoked token is refused by the other process at its next request', async () => {
  const beside = await startApp({}, { beside: service });
  const program = await programOf(service, root, ['employees.view']);
  const there = bearing(beside, program.token);
  expect((await there.get('/api/me')).status).toBe(200);
  const admin = await as(root);
  expect((await admin.delete(`/api/tokens/${program.token_id}`)).status).toBe(204);
  expect((await there.get('/api/me')).status).toBe(401);
  expect((await program.get('/api/me')).status).toBe(401);
});

test('N21: the text of a token stands in no log, audit entry or stored answer, wherever it is sent', async () => {
  const program = await programOf(service, root, [
    'employees.view',
    'employees.view_all',
    'entities.view',
    'entities.create',
  ]);
  const { token } = program;
  await program.get(`/api/employees?search=${token}&token=${token}&access_token=${token}`);
  await program.get(`/api/${token}`);
  await program.get('/api/broken');
  const sent = { name: 'Canary', code: 'CANARY', access_token: token, password: token };
  await program.send('POST', '/api/entities', sent, { 'idempotency-key': 'canary', 'x-token': token });
  await bearing(service, newToken('personal')).get('/api/me');
  await bearing(service, `${token}x`).get(`/api/me?token=${token}`);
  expect(logged.length).toBeGreaterThan(5);
  expect(logged.filter((line) => line.includes(token))).toEqual([]);
  for (const table of ['audit_log', 'idempotency_keys', 'api_tokens', 'notifications', 'jobs']) {
    const exists = await owner.query(`select to_regclass($1) as found`, [table]);
    if (!exists.rows[0].found) continue;
    const { rows } = await owner.query(`select 1 from ${table} x where x::text like '%' || $1 || '%'`, [token]);
    expect([table, rows.length]).toEqual([table, 0]);
  }
});

test('N24: a token is read from its header only', async () => {
  const { token } = await programOf(service, root, ['employees.view']);
  const guest = await as();
  for (const url of [`/api/me?token=${token}`, `/api/me?access_token=${token}`])
    expect((await guest.get(url)).status).toBe(401);
  const basic = Buffer.from(`x:${token}`).toString('base64');
  expect((await guest.get('/api/me', { authorization: `Basic ${basic}` })).status).toBe(401);
  expect((await guest.get('/api/me', { cookie: `tenure_session=${token}` })).status).toBe(401);
  // the scheme is case-insensitive
  expect((await guest.get('/api/me', { authorization: `bEARER   ${token} ` })).status).toBe(200);
});

describe('a token and the record of its own person', () => {
  const bank = { account_number: 'DE02120300000000202051' };

  test('private details and identity documents need the permission for private details', async () => {
    const person = await make.employee({ entity_id: acme.id, roles: ['Employee', 'HR'], mobile: '+49301234567', bank });
    const url = `/api/employees/${person.id}`;
    const narrow = await programOf(service, person.user_id, ['employees.view']);
    const shown = await narrow.get(url);
    expect(shown.status).toBe(200);
    expect(shown.body.data.job_title).toBeDefined();
    expect(shown.body.data).not.toHaveProperty('mobile');
    expect(shown.body.data).not.toHaveProperty('private_details');
    const wide = await programOf(service, person.user_id, ['employees.view', 'employees.view_sensitive']);
    expect((await wide.get(url)).body.data.mobile).toBe('+49301234567');
    expect((await (await as(person.user_id)).get(url)).body.data.mobile).toBe('+49301234567');
  });
});

describe('a token and later days', () => {
  test('a change of a job on a later day, which acts with all rights of its author, is refused', async () => {
    const hr = await make.employee({ entity_id: acme.id, roles: ['HR'] });
    const person = await make.employee({ entity_id: acme.id });
    const department = await make.department({ entity_id: acme.id });
    const permissions = ['employees.view', 'employees.view_all', 'employees.update'] as const;
    const program = await programOf(service, hr.user_id, [...permissions], { entity_ids: [acme.id] });
    const later = { job_title: 'Buyer', effective_from: '2099-01-01' };
    const refused = await program.send('POST', `/api/employees/${person.id}/job-history`, later);
    const why = 'A token can change a job from today at the latest. Plan later changes in the browser.';
    expect([refused.status, refused.body.errors]).toEqual([422, { effective_from: [why] }]);
    const many = await program.send('POST', '/api/employees/bulk', {
      kind: 'move',
      ids: [person.id],
      department_id: department.id,
      effective_from: '2099-01-01',
      reason: 'The plan of the year',
    });
    expect([many.status, JSON.stringify(many.body)]).toEqual([200, expect.stringContaining(why)]);
    const planned = await owner.query(`select from job_history where employee_id = $1 and status = 'scheduled'`, [
      person.id,
    ]);
    expect(planned.rows).toEqual([]);
  });
});
