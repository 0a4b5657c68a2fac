import { endpointGroups } from '@tenure/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { allEndpoints } from './access/matrix.ts';
import { startApp } from './testing/app.ts';
import { kpiMaker } from './testing/make-kpi.ts';
import { probationMaker } from './testing/make-probation.ts';

/** No number in a request is too large for the column that it is compared with or stored in. */

const columnLimit = 2 ** 31 - 1;

type Schema = {
  type?: string;
  maximum?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
};

/** Every integer of a schema, by its path. */
function integersOf(schema: Schema, path = ''): { path: string; maximum: number }[] {
  const below = [
    ...(schema.anyOf ?? []).map((one) => [one, path] as const),
    ...Object.entries(schema.properties ?? {}).map(
      ([key, one]) => [one, path === '' ? key : `${path}.${key}`] as const,
    ),
    ...(schema.items ? [[schema.items, path] as const] : []),
    ...(schema.additionalProperties ? [[schema.additionalProperties, `${path}.*`] as const] : []),
  ];
  const here = schema.type === 'integer' ? [{ path, maximum: schema.maximum ?? Infinity }] : [];
  return [...here, ...below.flatMap(([one, at]) => integersOf(one, at))];
}

/** Ids and positions are stored in eight bytes, and pages are computed, not compared. */
const isWide = (path: string) => /(^|[._])ids?$|^(after|reassign_to|copy_from|created_by|page)$/.test(path);

test('every integer of a request fits its column', () => {
  const groups = Object.values(endpointGroups).flatMap((group) => Object.values(group));
  expect(groups).toHaveLength(allEndpoints.length);
  const found = allEndpoints.flatMap(({ method, path, query, body }) =>
    [query, body].flatMap((schema) =>
      schema
        ? integersOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema).map((one) => ({
            ...one,
            endpoint: `${method} ${path}`,
          }))
        : [],
    ),
  );
  expect(found.filter(({ path }) => path === 'revision').length).toBeGreaterThan(30);
  expect(found.filter(({ path, maximum }) => !isWide(path) && maximum > columnLimit)).toEqual([]);
});

const app = await startApp();
const { as, make } = app;
const admin = await as((await make.admin()).user_id);

test('a revision beyond its column is refused on every endpoint that takes one, and changes nothing', async () => {
  const employee = await make.employee();
  const [kpi, probation] = [kpiMaker(app), probationMaker(app)];
  const role = await admin.post('/api/roles', { name: 'Auditor', scope: 'all', permissions: ['employees.view'] });
  const rows: Record<string, number> = {
    entities: (await make.entity()).id,
    departments: (await make.department()).id,
    employees: employee.id,
    roles: role.body.data.id,
    'kpi-templates': (await kpi.template()).id,
    'kpi-cycles': (await kpi.cycle()).id,
    'kpi-evaluations': (await kpi.evaluation()).id,
    'probation-reviews': (await probation.review()).id,
  };
  const takingOne = allEndpoints.filter(({ body, path }) => body && 'revision' in body.shape && /\/:id/.test(path));
  const refused: string[] = [];
  for (const { method, path } of takingOne) {
    const kind = path.split('/')[1] ?? '';
    if (!new RegExp(`^/${kind}/:id(/[a-z-]+)?$`).test(path) || !(kind in rows)) continue;
    const url = `/api${path.replace(':id', String(rows[kind]))}`;
    for (const revision of [columnLimit + 1, 2 ** 53 - 1]) {
      const answer = await (method === 'PUT' ? admin.put(url, { revision }) : admin.post(url, { revision }));
      // actions that only the people of an evaluation or review can take
      if (answer.status === 403) continue;
      expect([path, answer.status, answer.body.errors?.revision]).toEqual([
        path,
        422,
        ['The version field must not be greater than 2147483647.'],
      ]);
      refused.push(path);
    }
  }
  expect(new Set(refused).size).toBeGreaterThan(25);
});

test('rounds and pages beyond the column are refused or the first', async () => {
  const review = await probationMaker(app).review();
  const answer = await admin.get(`/api/probation-reviews/${review.id}/signatures?round=2147483648`);
  expect([answer.status, answer.body.errors]).toEqual([422, { round: ['The round field must be an integer.'] }]);
  expect((await admin.get(`/api/probation-reviews/${review.id}/signatures?round=2147483647`)).body.data).toEqual([]);
  expect((await admin.get('/api/employees?page=2147483648')).body.meta.current_page).toBe(1);
});
