import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { sampleFiles } from '../../testing/file-samples.ts';
import { sweepFiles } from '../../jobs/files.ts';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { probationMaker } from '../../testing/make-probation.ts';
import { canonical } from './content.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);
const samples = await sampleFiles();

const acme = await make.entity();
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, manager_id: head.id });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'] });
const hrPerson = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const hrOf = await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] });
const [reviewer, manager, hr, hrElsewhere] = (await Promise.all(
  [boss, head, hrPerson, hrOf].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client];

const draft = { performance_rating: 4, strengths: 'Learns fast.', comments: 'Ready.', recommendation: 'confirm' };

async function started(fields: Parameters<typeof probation.review>[0] = {}) {
  const employee = await probation.person({ department_id: buying.id });
  const review = await probation.review({ employee, reviewer: boss, signed: [], ...draft, ...fields });
  return { ...review, employee, path: `/api/probation-reviews/${review.id}/signatures` };
}

const typed = { method: 'typed', typed_name: 'Omar Diaz' };
const ink = (width = 120, height = 5) => ({ create: { width, height, channels: 4, background: '#1e2a78' } }) as const;
const sheet = (width = 300, height = 100) => sharp({ create: { width, height, channels: 4, background: '#0000' } });
const drawing = await sheet()
  .composite([{ input: ink(), left: 40, top: 50 }])
  .png()
  .toBuffer();
const blank = await sheet().png().toBuffer();
const drawn = (bytes: Uint8Array, head = '') => ({
  method: 'drawn',
  image: head + Buffer.from(bytes).toString('base64'),
});

const everything = async () => {
  const { rows } = await owner.query(
    `select (select md5(string_agg(s::text, '|' order by s.id)) from probation_signatures s) as signatures,
            (select count(*) from audit_log) as traces, (select sum(revision) from probation_reviews) as revisions`,
  );
  return rows[0] as unknown;
};
/** A refusal, which must change nothing. */
async function refused(work: () => Promise<{ status: number; body: { errors?: Record<string, string[]> } }>) {
  const before = await everything();
  const { status, body } = await work();
  expect(await everything()).toEqual(before);
  return [status, body.errors ?? {}];
}

const keyOf = async (id: number) => {
  const { rows } = await owner.query<{ image_key: string }>(
    'select image_key from probation_signatures where id = $1',
    [id],
  );
  return rows[0]?.image_key as string;
};

describe('signing', () => {
  test('with a typed name stands for the review as it is stored, and is shown to the reviewer', async () => {
    const { id, path, employee, probation_start_date, probation_end_date } = await started({
      criteria: JSON.stringify([{ weight: 10_000, name: 'Knowledge', rating: 4 }]),
      criteria_score: 4,
    });
    const signed = await reviewer.post(path, { ...typed, revision: 1 });
    expect([signed.status, signed.body.message]).toEqual([201, 'Probation review signed successfully.']);
    expect(signed.body.data).toMatchObject({
      role: 'manager',
      signer: { user_id: boss.user_id },
      method: 'typed',
      typed_name: 'Omar Diaz',
      image_url: null,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      round: 1,
      valid: true,
      voided_at: null,
    });
    expect((await reviewer.get(path)).body.data).toEqual([signed.body.data]);
    expect((await reviewer.get(`/api/probation-reviews/${id}`)).body.data.signatures).toEqual([signed.body.data]);
    expect((await reviewer.get(`${path}/${signed.body.data.id}/image`)).status).toBe(404);
    const { rows } = await owner.query('select content from probation_signatures where review_id = $1', [id]);
    expect(rows[0].content).toEqual({
      version: 1,
      review_id: id,
      employee_id: employee.id,
      probation_start_date,
      probation_end_date,
      round: 1,
      criteria: [{ name: 'Knowledge', weight: 10_000, rating: 4, comment: null }],
      criteria_score: 4,
      improvements: null,
      extension_months: null,
      ...draft,
    });
  });

  test('with a drawing keeps the drawing alone, and gives it to readers of the signature', async () => {
    const { path } = await started();
    const sent = await sheet()
      .composite([{ input: ink(), left: 40, top: 50 }])
      .withExif({ IFD0: { Model: 'Secret Tablet' } })
      .png()
      .toBuffer();
    for (const head of ['', 'data:image/png;base64,']) {
      const { status, body } = await reviewer.post(path, drawn(sent, head));
      expect([status, body.data]).toMatchObject([
        201,
        { method: 'drawn', typed_name: null, image_url: `${path}/${body.data.id}/image` },
      ]);
      const image = await reviewer.get(body.data.image_url);
      expect([image.status, image.headers['content-type'], image.headers['cache-control']]).toEqual([
        200,
        'image/png',
        'no-store',
      ]);
      expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'png', width: 300, height: 100 });
      expect(image.bytes.toString('latin1')).not.toContain('Secret');
      for (const client of [manager, hr, hrElsewhere]) expect((await client.get(body.data.image_url)).status).toBe(404);
    }
  });

  test.each(['file', 'image'])('with a drawing as the file "%s" of a form is the same', async (name) => {
    const { path } = await started();
    const { status, body } = await reviewer.upload(
      path,
      { name: 'signature.png', content: drawing, field: name },
      {
        method: 'drawn',
      },
    );
    expect([status, body.data]).toMatchObject([201, { method: 'drawn', role: 'manager' }]);
    expect((await reviewer.get(body.data.image_url)).status).toBe(200);
  });

  test('again leaves one signature of the role that counts, and keeps the former', async () => {
    const { path } = await started();
    const first = (await reviewer.post(path, drawn(drawing))).body.data;
    const second = (await reviewer.post(path, typed)).body.data;
    const listed = (await reviewer.get(path)).body.data;
    expect(listed.map(({ id, valid }: { id: number; valid: boolean }) => [id, valid])).toEqual([
      [second.id, true],
      [first.id, false],
    ]);
    expect(listed[1].voided_at).not.toBeNull();
    expect((await reviewer.get(first.image_url)).status).toBe(200);
  });

  test('is for the reviewer while it is written and for the person once it is decided', async () => {
    const { path, id, employee } = await started();
    const own = await as(employee.user_id);
    expect(await refused(() => own.post(path, typed))).toEqual([404, {}]);
    for (const client of [manager, hr]) expect(await refused(() => client.post(path, typed))).toEqual([403, {}]);
    expect(await refused(() => hrElsewhere.post(path, typed))).toEqual([404, {}]);
    await deps.db.updateTable('probation_reviews').set({ status: 'submitted' }).where('id', '=', id).execute();
    expect(await refused(() => reviewer.post(path, typed))).toMatchObject([422, { status: [expect.any(String)] }]);
    const decided = await started({ status: 'approved' });
    const { status, body } = await (
      await as(decided.employee.user_id)
    ).post(decided.path, {
      ...typed,
      typed_name: 'محمد علي',
    });
    expect([status, body.data]).toMatchObject([201, { role: 'employee', typed_name: 'محمد علي', round: 1 }]);
    expect(await refused(() => reviewer.post(decided.path, typed))).toEqual([403, {}]);
  });

  test('an outdated form is refused', async () => {
    const { path } = await started();
    expect(await refused(() => reviewer.post(path, { ...typed, revision: 9 }))).toMatchObject([422, { status: [/./] }]);
  });
});

const png = 'The image field must be a file of type: png.';
const image = 'The image field must be an image.';
const bigHead = Buffer.from(drawing);
bigHead.writeUInt32BE(50_000, 16);
bigHead.writeUInt32BE(50_000, 20);

describe('refused as a signature', () => {
  test.each([
    ['nothing', {}, { method: 'The method field is required.' }],
    ['an unknown method', { method: 'spoken' }, { method: 'The selected method is invalid.' }],
    ['no name', { method: 'typed' }, { typed_name: 'The typed name field is required.' }],
    ['no drawing', { method: 'drawn' }, { image: 'The image field is required.' }],
    ['no base64', { method: 'drawn', image: 'hello!' }, { image }],
    ['another kind of data', { method: 'drawn', image: 'data:image/svg+xml;base64,PHN2Zy8+' }, { image }],
    ['an SVG', drawn(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), { image: png }],
    ['a JPEG', drawn(samples.jpg), { image: png }],
    ['a GIF', drawn(samples.gif), { image: png }],
    ['a cut PNG', drawn(drawing.subarray(0, -60)), { image }],
    ['a PNG with an archive behind', drawn(Buffer.concat([drawing, samples.zip])), { image: png }],
    ['a PNG with a page behind', drawn(Buffer.concat([drawing, Buffer.from('<script>1</script>')])), { image: png }],
    [
      'a PNG of too many pixels',
      drawn(bigHead),
      { image: 'The image field must not have more than 8 million pixels.' },
    ],
    ['an empty drawing', drawn(blank), { image: 'The image field is blank: the image shows nothing.' }],
    [
      'more than 200 kB',
      drawn(Buffer.alloc(200 * 1_024 + 1)),
      { image: 'The image field must not be greater than 200 kilobytes.' },
    ],
    [
      'a text that can be no such file',
      drawn(Buffer.alloc(320 * 1_024)),
      { image: 'The image field must not be greater than 200 kilobytes.' },
    ],
    ['a name of one letter', { method: 'typed', typed_name: 'X' }, { typed_name: /at least 2/ }],
  ])('%s', async (_name, body, errors) => {
    const { path } = await started();
    const expected = Object.fromEntries(
      Object.entries(errors).map(([field, text]) => [
        field,
        [typeof text === 'string' ? text : expect.stringMatching(text)],
      ]),
    );
    expect(await refused(() => reviewer.post(path, body))).toEqual([422, expected]);
  });

  test('in a step, under the name of the field there, and the step is not taken', async () => {
    const { id } = await started();
    const submit = (signature: object) => () => reviewer.post(`/api/probation-reviews/${id}/submit`, { signature });
    expect(await refused(submit(drawn(blank)))).toEqual([
      422,
      { 'signature.image': ['The signature image field is blank: the image shows nothing.'] },
    ]);
    expect(await refused(submit({ method: 'typed' }))).toEqual([
      422,
      { 'signature.typed_name': ['The signature typed name field is required.'] },
    ]);
  });

  test('10 MB, as text and as a file', async () => {
    const { path } = await started();
    const large = Buffer.alloc(10 * 1_024 * 1_024);
    expect((await refused(() => reviewer.post(path, drawn(large))))[0]).toBe(413);
    const file = { name: 'signature.png', content: large };
    expect((await refused(() => reviewer.upload(path, file, { method: 'drawn' })))[0]).toBe(413);
  });

  test('a file of another name or kind', async () => {
    const { path } = await started();
    for (const file of [
      { name: 'signature.svg', content: drawing },
      { name: 'signature.png', content: samples.pdf },
    ])
      expect(await refused(() => reviewer.upload(path, file, { method: 'drawn' }))).toEqual([422, { image: [png] }]);
  });
});

describe('verification', () => {
  const verify = async (client: Client, id: number) =>
    (await client.get(`/api/probation-reviews/${id}/verify`)).body.data;

  test('finds that what is stored is what was signed', async () => {
    const { id, path } = await started();
    const { data } = (await reviewer.post(path, drawn(drawing))).body;
    const found = await verify(reviewer, id);
    expect(found).toMatchObject({ review_id: id, matches: true });
    const reference = data.content_hash.toUpperCase().replace(/^(.{4})(.{4})(.{4}).*/, '$1-$2-$3');
    expect(found.signatures).toEqual([
      { ...data, current_hash: data.content_hash, reference, matches: true, image_matches: true, differences: [] },
    ]);
  });

  test.each([
    ['a text', `comments = 'Ready!'`, ['comments']],
    [
      'the rating and the recommendation',
      `performance_rating = 1, recommendation = 'terminate'`,
      ['performance_rating', 'recommendation'],
    ],
    ['the person', `employee_id = (select min(id) from employees)`, ['employee_id']],
    ['a criterion', `criteria = '[{"name": "Teamwork", "weight": 10000}]'`, ['criteria']],
  ])('names %s that was changed past the service', async (_name, change, differences) => {
    const { id, path } = await started();
    await reviewer.post(path, typed);
    await owner.query(`update probation_reviews set ${change} where id = $1`, [id]);
    const found = await verify(reviewer, id);
    expect(found).toMatchObject({ matches: false, signatures: [{ valid: true, matches: false, differences }] });
    expect(found.signatures[0].current_hash).not.toBe(found.signatures[0].content_hash);
  });

  test('names a signature whose own record was changed, and a picture that is another or gone', async () => {
    const { id, path } = await started();
    const { data } = (await reviewer.post(path, drawn(drawing))).body;
    await owner.query(
      `update probation_signatures set content = jsonb_set(content, '{comments}', '"Ready!"') where id = $1`,
      [data.id],
    );
    await owner.query(`update probation_reviews set comments = 'Ready!' where id = $1`, [id]);
    expect(await verify(reviewer, id)).toMatchObject({
      matches: false,
      signatures: [{ matches: false, image_matches: true, differences: ['content'] }],
    });
    await owner.query(`update probation_signatures set image_checksum = repeat('0', 64) where id = $1`, [data.id]);
    expect((await verify(reviewer, id)).signatures[0].image_matches).toBe(false);
    await deps.files.remove(await keyOf(data.id));
    expect((await verify(reviewer, id)).signatures[0].image_matches).toBe(false);
  });

  test('says nothing against a signature that no longer counts', async () => {
    const { id, path } = await started();
    await reviewer.post(path, typed);
    const saved = await reviewer.put(`/api/probation-reviews/${id}`, { comments: 'Ready, and more.' });
    expect(saved.status).toBe(200);
    expect(await verify(reviewer, id)).toMatchObject({
      matches: true,
      signatures: [{ valid: false, current_hash: null, matches: null, differences: [] }],
    });
  });

  test('a draft saved without a change keeps the signature', async () => {
    const { id, path } = await started();
    await reviewer.post(path, typed);
    await reviewer.put(`/api/probation-reviews/${id}`, draft);
    expect((await verify(reviewer, id)).signatures).toMatchObject([{ valid: true, matches: true }]);
  });
});

test('one person signs a review at most twenty times in a round', async () => {
  const { id, path } = await started();
  for (let n = 0; n < 20; n += 1) expect((await reviewer.post(path, typed)).status).toBe(201);
  const text = 'A review can be signed at most 20 times by one person in one round.';
  expect(await refused(() => reviewer.post(path, typed))).toEqual([422, { signatures: [text] }]);
  const submit = path.replace('signatures', 'submit');
  expect(await refused(() => reviewer.post(submit, { signature: typed }))).toEqual([422, { signatures: [text] }]);
  expect((await reviewer.post(submit, {})).status).toBe(200);
  expect((await hr.post(path.replace('signatures', 'send-back'), { reason: 'Say more, please.' })).status).toBe(200);
  expect((await reviewer.post(path, typed)).status).toBe(201);
  const { rows } = await owner.query('select 1 from probation_signatures where review_id = $1', [id]);
  expect(rows).toHaveLength(21);
});

test('the list is filtered, searched and sorted, and shows no reader more than the review does', async () => {
  const { id, path, employee } = await started();
  await reviewer.post(path, typed);
  await reviewer.post(path, typed);
  const count = async (client: Client, query = '') => (await client.get(`${path}?${query}`)).body.meta?.total as number;
  expect(await Promise.all([reviewer, manager, hr].map((client) => count(client)))).toEqual([2, 0, 0]);
  expect((await (await as(employee.user_id)).get(path)).status).toBe(404);
  expect(
    await Promise.all(
      ['valid=1', 'valid=0', 'role=hr', 'round=1', 'search=nobody'].map((query) => count(reviewer, query)),
    ),
  ).toEqual([1, 1, 0, 2, 0]);
  await deps.db
    .updateTable('probation_reviews')
    .set({ status: 'submitted', submitted_at: Temporal.Now.instant().toString() })
    .where('id', '=', id)
    .execute();
  expect(await Promise.all([reviewer, manager, hr].map((client) => count(client)))).toEqual([2, 0, 2]);
});

test('the picture of a signature outlives the sweep of what nothing refers to, also when it no longer counts', async () => {
  const { path } = await started();
  const { data } = (await reviewer.post(path, drawn(drawing))).body;
  await reviewer.post(path, typed);
  const refusedOne = await started();
  expect((await reviewer.post(refusedOne.path, { ...drawn(drawing), revision: 9 })).status).toBe(422);
  const now = Temporal.Now.instant().add({ hours: 2 });
  await sweepFiles({ deps, now });
  expect((await reviewer.get(data.image_url)).status).toBe(200);
});

test('a signature is found under its own review only', async () => {
  const [one, two] = [await started(), await started()];
  const { data } = (await reviewer.post(one.path, drawn(drawing))).body;
  expect((await reviewer.get(`${two.path}/${data.id}/image`)).status).toBe(404);
});

test('each signature leaves a trace with its hash and no picture', async () => {
  const { path } = await started();
  const { data } = (await reviewer.post(path, drawn(drawing))).body;
  const { rows } = await owner.query(
    `select changes, subject_label from audit_log where action = 'probation_signature.created' and subject_id = $1`,
    [data.id],
  );
  expect(rows).toEqual([
    {
      changes: { role: { from: null, to: 'manager' }, content_hash: { from: null, to: data.content_hash } },
      subject_label: expect.stringMatching(/, probation until \d{4}-\d\d-\d\d$/),
    },
  ]);
});

test('content has one text, whatever order it is written in', () => {
  expect(canonical({ b: [1.5, null, 'é"\n'], a: { d: true, c: -0 } })).toBe(
    String.raw`{"a":{"c":0,"d":true},"b":[1.5,null,"é\"\n"]}`,
  );
});
