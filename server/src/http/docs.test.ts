import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { routes } from '../app.ts';
import { startApp } from '../testing/app.ts';
import { mediaTypes } from './openapi-responses.ts';
import type { Schema } from './openapi-responses.ts';
import { declaredEndpoints, describeApi } from './openapi.ts';

const { as, deps } = await startApp({ APP_URL: 'https://hr.example.com' }, { webFolder: '/nowhere' });
const guest = await as();
const document = describeApi(deps.config, routes);
type Operation = { operationId: string; responses: Record<string, Schema>; parameters: Schema[]; security: Schema[] };
const verbs = ['get', 'post', 'put', 'patch', 'delete'];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  verbs.flatMap((verb) => (verb in item ? [{ path, verb, operation: item[verb] as unknown as Operation }] : [])),
);

/** Where texts have no maximum length. */
function unbounded(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const schema = node as Schema;
  const isText = [schema.type].flat().includes('string') && schema.format !== 'binary';
  const isBounded = 'maxLength' in schema || 'enum' in schema || 'const' in schema;
  const inner = Object.entries(schema).flatMap(([key, value]) => unbounded(value, `${path}/${key}`));
  return isText && !isBounded ? [path, ...inner] : inner;
}

describe('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect([result.errors ?? [], result.valid, validator.version]).toEqual([[], true, '3.1']);
  });

  test('a broken one would be found', async () => {
    const broken = { ...structuredClone(document), info: {} };
    expect((await new Validator().validate(broken)).valid).toBe(false);
  });

  test('is about this service', () => {
    expect([document.openapi, document.info.title]).toEqual(['3.1.0', 'Tenure']);
    expect(document.servers).toEqual([{ url: 'https://hr.example.com/api' }]);
  });

  test('holds exactly what the service answers, PATCH beside PUT', () => {
    const bound = routes.flatMap(({ endpoint: { method, path } }) => {
      const place = path.replaceAll(/:(\w+)/g, '{$1}');
      const names = method === 'PUT' ? ['put', 'patch'] : [method.toLowerCase()];
      return names.map((name) => `${name} ${place}`);
    });
    const described = operations.map(({ verb, path }) => `${verb} ${path}`);
    expect(new Set(described)).toEqual(new Set([...bound, 'get /sanctum/csrf-cookie']));
    expect(described).toHaveLength(bound.length + 1);
    for (const { endpoint } of routes) expect(declaredEndpoints.get(endpoint)).toBeDefined();
  });

  test('names each operation once', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/);
  });

  test('tells every status with its shape', () => {
    const shared = document.components.responses ?? {};
    for (const { path, verb, operation } of operations)
      for (const [status, response] of Object.entries(operation.responses)) {
        const name = ((response.$ref as string | undefined) ?? '').replace('#/components/responses/', '');
        const { content } = (name ? shared[name] : response) as { content?: object };
        expect([path, verb, status, content === undefined]).toEqual([
          path,
          verb,
          status,
          ['204', '304'].includes(status),
        ]);
      }
    const named = Object.values(shared).map(({ description }) => typeof description);
    expect(new Set(named)).toEqual(new Set(['string']));
  });

  const queries = operations.flatMap(
    ({ path, operation }) =>
      operation.parameters?.filter((one) => one.in === 'query').map((one) => ({ path, ...one })) ?? [],
  ) as { path: string; name: string; style?: string; explode?: boolean; schema: Schema }[];

  test('names the media type of every file, and of a page in no prose', () => {
    for (const { endpoint } of routes.filter(({ endpoint: { file } }) => file)) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
      const { content } = ((document.paths[path]?.get as Operation | undefined)?.responses[200] ?? {}) as {
        content: Schema;
      };
      expect([path, Object.keys(content)]).toEqual([path, mediaTypes(endpoint.file ?? [])]);
      expect([path, 'application/octet-stream' in content]).toEqual([path, false]);
      for (const one of Object.values(content))
        expect([path, one]).toEqual([path, { schema: { type: 'string', format: 'binary' } }]);
    }
  });

  test('lists the values of a parameter as values, not in prose', () => {
    const described = JSON.stringify(queries);
    expect(described).not.toMatch(/"description":"One (of|or several of) /);
    const direction = queries.filter(({ name }) => name === 'sort_direction');
    expect(direction.length).toBeGreaterThan(20);
    for (const { path, schema } of direction)
      expect([path, JSON.stringify(schema)]).toEqual([path, expect.stringContaining('"enum":["asc","desc"]')]);
    for (const { path, name, schema, style, explode } of queries.filter(({ schema: { type } }) => type === 'array'))
      expect([path, name, style, explode, typeof schema.items]).toEqual([path, name, 'form', false, 'object']);
  });

  test('takes a page as the service does, and a body where one is needed', () => {
    const pages = queries.filter(({ name }) => name === 'page');
    expect(new Set(pages.map(({ schema }) => JSON.stringify(schema.type)))).toEqual(new Set(['["integer","string"]']));
    const needed = (path: string, verb = 'post') =>
      (document.paths[path]?.[verb] as { requestBody?: { required: boolean } } | undefined)?.requestBody?.required;
    expect([needed('/employees'), needed('/employees/{id}/rehire')]).toEqual([true, true]);
    expect([needed('/employees/{id}', 'put'), needed('/kpi-templates/{id}/archive')]).toEqual([false, false]);
    expect([needed('/employees/import'), needed('/profile/picture')]).toEqual([true, true]);
  });

  test('knows signing in and out with and without the prefix', () => {
    const servers = [{ url: 'https://hr.example.com' }, { url: 'https://hr.example.com/api' }];
    expect(document.paths['/login']).toMatchObject({ servers });
    expect(document.paths['/logout']).toMatchObject({ servers });
    expect(document.paths['/me']).not.toHaveProperty('servers');
  });

  test('tells of headers that are too long, and how lists and objects go into a form of parts', () => {
    for (const { path, operation } of operations.filter(({ path }) => !path.startsWith('/sanctum')))
      expect([path, '431' in operation.responses]).toEqual([path, true]);
    const body = document.paths['/employees']?.post as unknown as { requestBody: { content: Record<string, Schema> } };
    expect(body.requestBody.content['multipart/form-data']).toMatchObject({
      encoding: { address: { contentType: 'application/json' } },
    });
  });

  test('bounds the length of every text', () => {
    expect(unbounded(document.paths, '').concat(unbounded(document.components.schemas, 'schemas'))).toEqual([]);
  });

  test('every reference leads somewhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, kind = '', name = ''] of references)
      expect([name, name in (document.components[kind] ?? {})]).toEqual([name, true]);
  });

  test('asks for the token where something changes, and for nothing to sign in but that', () => {
    const forGuests = new Set([
      '/login',
      '/two-factor-challenge',
      '/two-factor-challenge/options',
      '/passkeys/sign-in',
      '/passkeys/sign-in/options',
      '/account-links/check',
      '/account-links/options',
      '/account-links/redeem',
      '/sign-in/options',
      '/sso/{id}/start',
      '/sso/{id}/complete',
      '/account-links/settle',
      '/password-reset-requests',
      '/brand',
      '/brand/logo',
    ]);
    for (const { path, verb, operation } of operations.filter(({ path }) => path !== '/sanctum/csrf-cookie')) {
      const [schemes = {}] = operation.security;
      expect([path, verb, 'csrf' in schemes]).toEqual([path, verb, verb !== 'get']);
      expect([path, 'session' in schemes]).toEqual([path, !forGuests.has(path)]);
    }
  });
});

describe('the pages', () => {
  const paths = [
    '/docs/api',
    '/docs/api.json',
    '/docs/api/assets/swagger-ui.css',
    '/docs/api/assets/swagger-ui-bundle.js',
    '/docs/api/assets/start.js',
  ];

  test('are here, from here alone, and send the token along', async () => {
    expect((await guest.get('/docs/api.json')).body).toEqual(JSON.parse(JSON.stringify(document)));
    const page = await guest.get('/docs/api');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    const named = [...page.bytes.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(named).toHaveLength(3);
    for (const address of named) expect([address, (await guest.get(address)).status]).toEqual([address, 200]);
    for (const path of paths) {
      const policy = String((await guest.get(path)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/);
    }
    const start = (await guest.get('/docs/api/assets/start.js')).bytes.toString();
    expect(start).toContain("request.headers['X-XSRF-TOKEN']");
  });

  test('are on unless in production, and there only when asked for', async () => {
    const status = async (settings: Record<string, string>) => {
      const service = await startApp(settings, { webFolder: '/nowhere' });
      const client = await service.as();
      return new Set(await Promise.all(paths.map(async (path) => (await client.get(path)).status)));
    };
    expect(await status({})).toEqual(new Set([200]));
    expect(await status({ DOCS: 'off' })).toEqual(new Set([404]));
    const production = { NODE_ENV: 'production', APP_URL: 'https://hr.example.com' };
    expect(await status(production)).toEqual(new Set([404]));
    expect(await status({ ...production, DOCS: 'on' })).toEqual(new Set([200]));
  });
});
