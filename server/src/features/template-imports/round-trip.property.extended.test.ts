import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';

const { as, make } = await startApp();
const acme = await make.entity({ name: 'Acme Foods Ltd' });
/** A new user, because a limit counts requests per user. */
const newHr = async () =>
  as((await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }], entity_id: acme.id })).user_id);
let hr = await newHr();

type Stored = { id: number; name: string; items: { id: number }[] } & Record<string, unknown>;
const read = async (id: number) => (await hr.get(`/api/kpi-templates/${id}`)).body.data as Stored;

/** A template without the values that are unique to each record. */
const content = ({ items, ...template }: Stored) => {
  const own = ['id', 'version', 'revision', 'created_at', 'updated_at'];
  return {
    ...Object.fromEntries(Object.entries(template).filter(([field]) => !own.includes(field))),
    items: items.map(({ id: _id, ...item }) => item),
  };
};

/** Texts as people write them, including notations specific to files. */
const words = (most: number) =>
  fc
    .oneof(
      fc.string({ minLength: 2, maxLength: most, unit: 'grapheme' }),
      fc.string({
        minLength: 2,
        maxLength: most,
        unit: fc.constantFrom('a', '|', '\\', '"', ',', ';', '\n', ' ', '-'),
      }),
      fc.constantFrom('=1+1', '00123', 'true', '1e5', "'-", '- x', '2026-01-01', '@sum', 'null'),
    )
    .map((text) => Array.from(text).slice(0, most).join('').trim())
    .filter((text) => Array.from(text).length >= 2 && !/[\p{Cc}--\n]/v.test(text) && text.isWellFormed());

const amount = (from: number, to: number) => fc.integer({ min: from * 100, max: to * 100 }).map((cents) => cents / 100);
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const rated = fc.constant({ item_type: 'rating' });
const measured = fc.oneof(
  fc.record({ item_type: fc.constant('measured'), direction: fc.constant('boolean'), cap_pct: amount(100, 200) }),
  fc
    .record({
      direction: fc.constantFrom('higher_better', 'lower_better', 'target'),
      target: amount(1, 999_999),
      distance: perhaps(amount(1, 5_000)),
      tolerance_pct: perhaps(amount(0, 50)),
      cap_pct: amount(100, 200),
      prorate: fc.boolean(),
    })
    .map(({ direction, target, distance, ...others }) => ({
      item_type: 'measured',
      direction,
      target_value: target,
      baseline_value:
        distance === null
          ? null
          : (Math.round(target * 100) + (direction === 'lower_better' ? 1 : -1) * Math.round(distance * 100)) / 100,
      ...others,
    })),
);

const itemsOf = (kinds: fc.Arbitrary<object>) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 5 })
    .map((cuts) => [...cuts.toSorted((a, b) => a - b), 10_000])
    .chain((ends) =>
      fc.tuple(
        ...ends.map((end, place) =>
          fc
            .record({
              name: words(40),
              description: perhaps(words(200)),
              unit: perhaps(words(20)),
              evidence_required: fc.boolean(),
              kind: kinds,
            })
            .map(({ name, kind, ...others }) => ({
              ...others,
              ...kind,
              name: `${place} ${name}`,
              weight: (end - (ends[place - 1] ?? 0)) / 100,
            })),
        ),
      ),
    );

const scales = fc
  .record({ scale_min: fc.integer({ min: 0, max: 3 }), length: fc.integer({ min: 1, max: 7 }) })
  .chain(({ scale_min, length }) =>
    fc.record({
      scale_min: fc.constant(scale_min),
      scale_max: fc.constant(scale_min + length),
      score_step: fc.constantFrom(0.5, 1),
      scale_words: perhaps(
        fc.array(fc.oneof(words(60), fc.constant('')), { minLength: length + 1, maxLength: length + 1 }),
      ),
    }),
  );

const about = fc.record({
  description: perhaps(words(300)),
  job_title: perhaps(words(60)),
  grade: perhaps(words(10)),
});
const template = fc.oneof(
  fc.tuple(about, fc.record({ items: itemsOf(fc.oneof(rated, measured)), status: fc.constantFrom('active', 'draft') })),
  fc.tuple(about, scales, fc.record({ items: itemsOf(rated) })),
  // a draft can lack items and part of the weights
  fc.tuple(about, fc.constant({ status: 'draft', items: [] })),
  fc.tuple(about, fc.constant({ status: 'draft', items: [{ name: 'Half', weight: 50, item_type: 'measured' }] })),
);

const all = async () => (await hr.get('/api/kpi-templates?per_page=100')).body.data as Stored[];
const removeAll = async () => {
  for (const { id } of await all()) await hr.delete(`/api/kpi-templates/${id}`);
};

let serial = 0;

test.each(['csv', 'xlsx'])(
  'templates exported as %s and imported again are the same templates',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(template, { minLength: 1, maxLength: 6 }), async (drawn) => {
        hr = await newHr();
        await removeAll();
        const before: Stored[] = [];
        for (const parts of drawn) {
          serial += 1;
          const body = { name: `T ${serial}`, entity_id: acme.id, ...Object.assign({}, ...parts) };
          const answer = await hr.post('/api/kpi-templates', body);
          expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
          before.push(await read(answer.body.data.id));
        }
        const file = (await hr.get(`/api/kpi-templates/export?format=${format}&entity_id=${acme.id}`)).bytes;
        await removeAll();
        const { status, body } = await hr.upload(
          '/api/kpi-templates/import',
          { name: `all.${format}`, content: file },
          {},
        );
        const failed = await hr.get(`/api/kpi-templates/imports/${body.data.id}/rows?status=failed`);
        expect([status, failed.body.data]).toEqual([201, []]);
        const after = new Map<string, Stored>();
        for (const { id, name } of await all()) after.set(name, await read(id));
        for (const one of before) expect(content(after.get(one.name) as Stored)).toEqual(content(one));
        // importing the same file changes nothing, even as an update
        const fields = { on_conflict: 'update' };
        const again = await hr.upload('/api/kpi-templates/import', { name: `all.${format}`, content: file }, fields);
        const { counts } = again.body.data;
        expect(counts).toMatchObject({ failed: 0, updated: 0, created: 0, skipped: counts.total });
      }),
      // without shrinking, which would take minutes
      { numRuns: 8, endOnFailure: true },
    );
  },
  60_000,
);
