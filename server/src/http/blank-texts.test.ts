import { expect, test } from 'vitest';
import { startApp } from '../testing/app.ts';
import { kpiMaker } from '../testing/make-kpi.ts';

/** A text that looks empty is refused like an empty one, in every field. */

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const admin = await as((await make.admin()).user_id);
const [company, department] = [await make.entity(), await make.department()];
const person = await make.employee({ department_id: department.id });
const cycle = await kpi.cycle({ status: 'draft' });
const zeroWidth = '\u200b\u200b\u200b';

const blanks: [string, string][] = [
  ['zero-width spaces', zeroWidth],
  ['a joiner between spaces', '\u200d \u200d'],
  ['word joiners', '\u2060\u2060'],
  ['marks of byte order', 'a\ufeff'.slice(1).repeat(2)],
  ['soft hyphens', '\u00ad\u00ad'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['marks of direction', '\u200e\u200f\u202e\u2066\u2069\u061c'],
  ['fillers of Hangul', '\u3164\u115f\uffa0'],
  ['blanks of Braille', '\u2800\u2800'],
  ['control characters', '\u0001\u0002'],
  ['tags', '\u{e0041}\u{e007f}'],
];
test.each(blanks)('a company is not called %s', async (_what, name) => {
  const before = (await owner.query('select count(*)::int as n from entities')).rows;
  const { status, body } = await admin.post('/api/entities', { name, code: 'BLANK' });
  expect([status, body.errors?.name]).toEqual([422, ['The name field is required.']]);
  const changed = await admin.put(`/api/entities/${company.id}`, { name });
  expect([changed.status, changed.body.errors]).toEqual([422, { name: ['The name field is required.'] }]);
  expect((await owner.query('select count(*)::int as n from entities')).rows).toEqual(before);
});

test.each<[string, 'post' | 'put', string, object]>([
  ['first_name', 'put', `/api/employees/${person.id}`, {}],
  ['job_title', 'put', `/api/employees/${person.id}`, {}],
  ['name', 'put', `/api/departments/${department.id}`, {}],
  ['name', 'put', `/api/kpi-cycles/${cycle.id}`, {}],
  ['description', 'put', `/api/kpi-cycles/${cycle.id}`, {}],
  ['name', 'post', '/api/kpi-templates', { items: [] }],
  ['name', 'post', '/api/roles', { scope: 'own', permissions: [] }],
  ['name', 'post', '/api/webhooks', {}],
  ['name', 'post', '/api/service-accounts', {}],
])('%s is required of %s %s', async (field, method, path, more) => {
  const { status, body } = await admin[method](path, { ...more, [field]: zeroWidth });
  expect(status).toBe(422);
  expect(body.errors[field]).toEqual([`The ${field.replaceAll('_', ' ')} field is required.`]);
});

test.each(['\u200bCarla', 'क्‍ष', '👩‍👩‍👧', '❤️', 'می‌خواهم', '가', '-', '\u0301a'])(
  '%s can be seen, and is a name',
  async (first_name) => {
    const { status } = await admin.put(`/api/employees/${person.id}`, { first_name });
    expect(status).toBe(200);
  },
);

test('a search may look for what looks empty', async () => {
  expect((await admin.get(`/api/employees?search=${encodeURIComponent(zeroWidth)}`)).status).toBe(200);
});
