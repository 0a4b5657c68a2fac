import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { kpiMaker } from '../../testing/make-kpi.ts';

const app = await startApp();
const { as, make, owner } = app;
const kpi = kpiMaker(app);
const acme = await make.entity();
const hr = await as(
  (await make.employee({ entity_id: acme.id, roles: [{ role: 'HR', entity_ids: [acme.id] }] })).user_id,
);

const usual = { a: { name: 'A', from: 90 }, b: { name: 'B', from: 80 }, c: { name: 'C', from: 60 }, d: { name: 'D' } };
const own = {
  a: { name: 'Outstanding', from: 95.5 },
  b: { name: 'Strong', from: 70 },
  c: { name: 'Solid', from: 40 },
  d: { name: 'Below' },
};
const dates = { start_date: '2026-01-01', end_date: '2026-03-31', entity_id: acme.id };
const added = async (fields: object) => hr.post('/api/kpi-cycles', { ...dates, ...fields });

test('a cycle has bands of its own; a new one begins with the usual ones, or with those of the copied one', async () => {
  const plain = (await added({ name: 'Plain' })).body.data;
  expect(plain.bands).toEqual(usual);
  const changed = await hr.put(`/api/kpi-cycles/${plain.id}`, { bands: own });
  expect([changed.status, changed.body.data.bands]).toEqual([200, own]);
  const copy = (await added({ name: 'Copied', copy_from: plain.id })).body.data;
  expect(copy.bands).toEqual(own);
  const { rows } = await owner.query(
    `select changes from audit_log where action = 'kpi_cycle.updated' and subject_id = $1`,
    [plain.id],
  );
  expect(rows[0].changes.bands).toEqual({ from: usual, to: own });
});

test('a cycle of a company begins with the bands of its settings', async () => {
  const place = await make.entity();
  const local = await as(
    (await make.employee({ entity_id: place.id, roles: [{ role: 'HR', entity_ids: [place.id] }] })).user_id,
  );
  const path = `/api/entities/${place.id}`;
  const settings = { kpi_band_a_name: 'Top', kpi_band_a_from: 85, kpi_band_b_from: 70, kpi_band_d_name: 'Low' };
  expect((await local.put(path, settings)).status).toBe(200);
  const { data } = (await local.post('/api/kpi-cycles', { ...dates, name: 'Of here', entity_id: place.id })).body;
  expect(data.bands).toEqual({
    a: { name: 'Top', from: 85 },
    b: { name: 'B', from: 70 },
    c: { name: 'C', from: 60 },
    d: { name: 'Low' },
  });
  const chosen = { ...dates, name: 'Chosen', entity_id: place.id, bands: own };
  expect((await local.post('/api/kpi-cycles', chosen)).body.data.bands).toEqual(own);
  const rising = await local.put(path, { kpi_band_c_from: 70 });
  expect([rising.status, rising.body.errors]).toEqual([
    422,
    { kpi_band_c_from: ['Each band must begin below the one above it.'] },
  ]);
  const twice = await local.put(path, { kpi_band_b_name: 'low' });
  expect([twice.status, Object.keys(twice.body.errors)]).toEqual([422, ['kpi_band_d_name']]);
  expect((await local.get(path)).body.data).toMatchObject(settings);
});

test('limits fall from band to band, and names differ', async () => {
  const { id, revision } = (await added({ name: 'Refused' })).body.data;
  const wrong = { ...own, b: { name: 'Strong', from: 95.5 }, c: { name: 'strong', from: 96 } };
  const answer = await hr.put(`/api/kpi-cycles/${id}`, { bands: wrong });
  expect([answer.status, answer.body.errors]).toEqual([
    422,
    {
      'bands.b.from': ['Each band must begin below the one above it.'],
      'bands.c.from': ['Each band must begin below the one above it.'],
      'bands.c.name': ['The name of band 3 field has a duplicate value.'],
    },
  ]);
  const none = await hr.put(`/api/kpi-cycles/${id}`, { bands: { ...own, d: { name: '' } } });
  expect([none.status, Object.keys(none.body.errors)]).toEqual([422, ['bands.d.name']]);
  const { data } = (await hr.get(`/api/kpi-cycles/${id}`)).body;
  expect([data.bands, data.revision]).toEqual([usual, revision]);
});

test('results fall into the bands of their cycle, which stay once it is published', async () => {
  const department = await make.department({ entity_id: acme.id });
  const cycle = await kpi.cycle({ entity_id: acme.id, bands: JSON.stringify(own) });
  const result = async (overall_percentage: number) =>
    kpi.evaluation({
      cycle_id: cycle.id,
      employee: await make.employee({ department_id: department.id }),
      status: 'completed',
      overall_percentage,
    });
  const made = [await result(95), await result(95.5), await result(70), await result(39.99)];
  const url = `/api/kpi-cycles/${cycle.id}`;
  const shares = ({ bands }: { bands: { name: string; count: number }[] }) =>
    bands.map(({ name, count }) => [name, count]);
  const expected = [
    ['Outstanding', 1],
    ['Strong', 2],
    ['Solid', 0],
    ['Below', 1],
  ];
  expect(shares((await hr.get(`${url}/summary`)).body.data)).toEqual(expected);
  expect(shares((await hr.get(`${url}/distribution`)).body.data.overall)).toEqual(expected);
  const listed = (await hr.get(`/api/kpi-evaluations?cycle_id=${cycle.id}&band=B`)).body.data;
  const strong = [made[0]?.id, made[2]?.id].toSorted((x = 0, y = 0) => x - y);
  expect(listed.map(({ id }: { id: number }) => id).toSorted((x: number, y: number) => x - y)).toEqual(strong);
  expect(listed[0].band_name).toBe('Strong');
  const { data } = (await hr.get(`/api/kpi-evaluations/${made[0]?.id}`)).body;
  expect(data.band_name).toBe('Strong');
  // the scores of the items result in 4, 5 and 3 of 5
  expect(data.explain.result.band_is).toEqual({ name: 'Strong', from: 70, below: 95.5 });
  const late = await hr.put(url, { bands: usual });
  expect([late.status, Object.keys(late.body.errors)]).toEqual([422, ['bands']]);
  expect((await hr.put(url, { bands: own, acceptance_days: 9 })).status).toBe(200);
});
