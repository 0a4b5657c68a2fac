import type { LetterKind } from '@tenure/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import type { Client } from '../../testing/client.ts';
import { probationMaker } from '../../testing/make-probation.ts';

const app = await startApp();
const { as, make, deps, owner } = app;
const probation = probationMaker(app);

const acme = await make.entity({ name: 'Acme Foods Ltd', address: '1 Mill Road, Leeds', country: 'GB' });
const head = await make.employee({ entity_id: acme.id, roles: ['Manager'] });
const buying = await make.department({ entity_id: acme.id, name: 'Purchasing', manager_id: head.id });
const boss = await make.employee({ entity_id: acme.id, roles: ['TeamLead'], first_name: 'Omar', last_name: 'Diaz' });
const hrPerson = await make.employee({ roles: [{ role: 'HR', entity_ids: [acme.id] }] });
const hrOf = await make.employee({ roles: [{ role: 'HR', entity_ids: [(await make.entity()).id] }] });
const wide = await make.employee({ roles: ['HR'] });
const other = await make.employee({ department_id: buying.id });
const [reviewer, manager, hr, hrElsewhere, hrOfAll, colleague] = (await Promise.all(
  [boss, head, hrPerson, hrOf, wide, other].map(({ user_id }) => as(user_id)),
)) as [Client, Client, Client, Client, Client, Client];

const line = { create: { width: 120, height: 5, channels: 4, background: '#1e2a78' } } as const;
const picture = await sharp({ create: { width: 300, height: 100, channels: 4, background: '#0000' } })
  .composite([{ input: line, left: 40, top: 50 }])
  .png()
  .toBuffer();
const drawn = { method: 'drawn', image: picture.toString('base64') };
const typed = (typed_name: string) => ({ method: 'typed', typed_name });

type Decision = { outcome?: string; outcome_extension_months?: number; name?: [string, string] };

/** A review that was written, signed, decided and acknowledged through the API. */
async function decided({ name: [first_name, last_name] = ['Zoë', 'Łukasz'], ...decision }: Decision = {}) {
  const employee = await probation.person({ department_id: buying.id, first_name, last_name });
  const { id } = await probation.review({ employee, reviewer: boss });
  const path = `/api/probation-reviews/${id}`;
  const submitted = await reviewer.post(`${path}/submit`, {
    performance_rating: 4,
    criteria: [{ name: 'Knowledge', weight: 100, rating: 4, comment: 'Solid.' }],
    comments: 'Ready to be confirmed.',
    recommendation: 'confirm',
    signature: typed('Omar Diaz'),
  });
  expect(submitted.status).toBe(200);
  const approved = await hr.post(`${path}/approve`, { hr_comments: 'Well done.', ...decision, signature: drawn });
  expect([approved.status, approved.body.errors]).toEqual([200, undefined]);
  return { id, employee, path: `${path}/letter`, own: await as(employee.user_id) };
}

async function textOf({ status, bytes }: { status: number; bytes: Buffer }): Promise<string> {
  expect(status).toBe(200);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text.replaceAll(/\s+/g, ' ');
}

const everything = async () => {
  const { rows } = await owner.query(
    `select (select md5(string_agg(t::text, '|' order by t.kind)) from letter_templates t) as templates,
            (select count(*) from audit_log) as traces`,
  );
  return rows[0] as unknown;
};
/** A refusal that changes nothing. */
async function refused(work: () => Promise<{ status: number; body: { errors?: Record<string, string[]> } }>) {
  const before = await everything();
  const { status, body } = await work();
  expect(await everything()).toEqual(before);
  return [status, body.errors ?? {}];
}

const audited = async (action: string, id: number | null) => {
  const { rows } = await owner.query(
    'select actor_id, changes from audit_log where action = $1 and subject_id is not distinct from $2 order by id',
    [action, id],
  );
  return rows as { actor_id: string; changes: unknown }[];
};

describe('a letter', () => {
  test('states the decision, its author, its time, and how to verify it', async () => {
    const { id, employee, path, own } = await decided();
    const answer = await own.get(path);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="Confirmation of employment - Zo_ _ukasz.pdf"; filename*=UTF-8''Confirmation%20of%20employment%20-%20Zo%C3%AB%20%C5%81ukasz.pdf`,
    });
    const text = await textOf(answer);
    const { signatures } = (await own.get(`/api/probation-reviews/${id}/verify`)).body.data;
    const { reference } = signatures.find(({ role }: { role: string }) => role === 'hr');
    expect(reference).toMatch(/^[0-9A-F]{4}(-[0-9A-F]{4}){2}$/);
    for (const part of [
      'Acme Foods Ltd',
      '1 Mill Road, Leeds',
      `Zoë Łukasz (${employee.employee_number})`,
      'Dear Zoë Łukasz,',
      'Purchasing',
      'HR, signed on',
      'Yours sincerely,',
      `/probation/${id}/verify`,
      `Reference: ${reference}`,
      'Page 1 of 1 · Zoë Łukasz',
    ])
      expect(text.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''));
    expect(text).not.toContain('{{');
    expect(text).not.toContain('round');
    expect(text.replaceAll(' ', '')).not.toMatch(/[0-9a-f]{64}/);
    expect(answer.bytes.toString('latin1')).toContain('/Subtype /Image');
    expect((await own.get(`/api/probation-reviews/${id}/verify`)).body.data).toMatchObject({ matches: true });
  });

  test('names the job title of the day of the decision, also after the person moved to another company', async () => {
    const dayFromNow = (days: number) => Temporal.Now.plainDateISO('UTC').add({ days }).toString();
    const added = await hrOfAll.post('/api/employees', {
      first_name: 'Mia',
      last_name: 'Lund',
      email: 'mia.lund@acme.example',
      entity_id: acme.id,
      department_id: buying.id,
      job_title: 'Junior buyer',
      joining_date: dayFromNow(-60),
    });
    expect([added.status, added.body.errors]).toEqual([201, undefined]);
    const { id: employee_id } = added.body.data;
    const { id } = await probation.review({ employee_id, reviewer: boss, status: 'approved', outcome: 'confirm' });
    const elsewhere = await make.department({ entity_id: (await make.entity()).id });
    const place = { entity_id: elsewhere.entity_id, department_id: elsewhere.id, reporting_manager_id: null };
    const moved = await hrOfAll.put(`/api/employees/${employee_id}`, { ...place, job_title: 'Zorbkeeper' });
    expect([moved.status, moved.body.errors]).toEqual([200, undefined]);
    expect((await hr.get(`/api/employees/${employee_id}`)).status).toBe(404);
    const text = await textOf(await hr.get(`/api/probation-reviews/${id}/letter?kind=review_record`));
    expect([text.includes('Junior buyer'), text.includes('Zorbkeeper')]).toEqual([true, false]);
  });

  test('has the letterhead of the company, and so has the record', async () => {
    const { path, own } = await decided();
    await owner.query(
      `update brands set name = 'Acme', letter_address = E'Mill Road 1\nLeeds', letter_registration = 'Companies House 123',
              letter_footer = 'Board: Ida Berg' where entity_id = $1`,
      [acme.id],
    );
    // the signatures of a record need a second page
    for (const [kind, pages] of [
      ['confirmation', ['Page 1 of 1']],
      ['review_record', ['Page 1 of 2 · ', 'Page 2 of 2 · ']],
    ] as const) {
      const text = await textOf(await own.get(`${path}?kind=${kind}`));
      for (const part of ['Mill Road 1 Leeds', 'Companies House 123', 'Board: Ida Berg', ...pages])
        expect(text).toContain(part);
      // the law requires the full legal name of the company
      expect(text).toContain('Acme Foods Ltd');
    }
    await owner.query(
      `update brands set name = null, letter_address = null, letter_registration = null, letter_footer = null
       where entity_id = $1`,
      [acme.id],
    );
  });

  test("is in the reader's language, dates included", async () => {
    const { path, own, id } = await decided();
    await deps.db.updateTable('probation_reviews').set({ effective_date: '2026-03-02' }).where('id', '=', id).execute();
    const german = await textOf(await own.get(path, { 'accept-language': 'de' }));
    expect(german).toMatch(/Guten Tag Zoë Łukasz,.*ist ab dem 2\. März 2026 bestätigt/);
    expect(await textOf(await own.get(path))).toContain('2 March 2026');
  });

  test.each([
    ['confirm', 'confirmation', /Confirmation of employment/],
    ['extend', 'extension', /extend it by 2 months/],
    ['terminate', 'termination', /Your last working day will be/],
  ])('is by default the one of the outcome %s, and no other except the record', async (outcome, kind, said) => {
    const { path, own } = await decided({ outcome, ...(outcome === 'extend' && { outcome_extension_months: 2 }) });
    expect(await textOf(await own.get(path))).toMatch(said);
    for (const one of ['confirmation', 'extension', 'termination'] satisfies LetterKind[])
      if (one !== kind)
        expect(await refused(() => own.get(`${path}?kind=${one}`))).toEqual([
          422,
          { kind: ['The selected kind does not fit the outcome of this review.'] },
        ]);
    expect((await own.get(`${path}?kind=${kind}`)).status).toBe(200);
    expect(await textOf(await own.get(`${path}?kind=review_record`))).toContain('Probation review record');
  });

  test('about the review contains all of it, in every round', async () => {
    const { path, own } = await decided();
    const text = await textOf(await own.get(`${path}?kind=review_record`));
    for (const part of [
      /Knowledge 4 of 5 \(weight 100%\): Solid\./,
      /Ready to be confirmed\./,
      /Well done\./,
      /Recommendation Confirm employment/,
      /No\. 1, round 1/,
      /Omar Diaz/,
      /Reviewer, signed on/,
      /HR, signed on/,
    ])
      expect(text).toMatch(part);
  });

  test('of a reverted decision is its record only, with the given signatures', async () => {
    const { path, own, id } = await decided();
    await deps.db
      .updateTable('probation_reviews')
      .set({ status: 'reverted', reverted_at: sql`now()`, revert_reason: 'Decided on the wrong person.' })
      .where('id', '=', id)
      .execute();
    expect(await textOf(await own.get(path))).toMatch(/Probation review record.*Decided on the wrong person/);
    expect((await refused(() => own.get(`${path}?kind=confirmation`)))[0]).toBe(422);
  });

  test('can be made for names of every script', async () => {
    for (const [first, last] of [
      ['שרה', 'כהן'],
      ['小明', '王'],
      ['太郎', 'やまだ'],
      ['철수', '김'],
    ] as const) {
      const { path, own } = await decided({ name: [first, last] });
      const answer = await own.get(path);
      expect(await textOf(answer)).toContain(last);
      expect(answer.headers['content-disposition']).toContain(encodeURIComponent(last));
    }
    const { path, own } = await decided({ name: ['محمد', 'علي'] });
    expect((await own.get(path)).status).toBe(200);
  });

  test("is available after the decision to readers of the review; access to another person's letter is recorded", async () => {
    const open = await probation.review({ reviewer: boss, status: 'submitted' });
    for (const client of [reviewer, hr, hrOfAll])
      expect(await refused(() => client.get(`/api/probation-reviews/${open.id}/letter`))).toEqual([404, {}]);
    const { id, path, own } = await decided();
    for (const client of [own, reviewer, manager, hr, hrOfAll]) expect((await client.get(path)).status).toBe(200);
    expect((await audited('probation_review.letter', id)).map(({ actor_id }) => Number(actor_id))).toEqual(
      [boss, head, hrPerson, wide].map(({ user_id }) => user_id),
    );
    for (const client of [colleague, hrElsewhere]) expect(await refused(() => client.get(path))).toEqual([404, {}]);
    expect(await refused(() => own.get(`${path}?kind=farewell`))).toEqual([
      422,
      { kind: ['The selected kind is invalid.'] },
    ]);
  });

  test('keeps text that looks like a placeholder or changes the reading order as text', async () => {
    const { path, own } = await decided({ name: ['{{company}}', '\u202eEvil'] });
    const text = await textOf(await own.get(path));
    expect(text).toContain('Dear {{company}} Evil,');
  });
});

describe('a template', () => {
  const path = '/api/letter-templates/confirmation';

  test("is read by HR, in the reader's language while unchanged", async () => {
    const { body } = await hr.get('/api/letter-templates');
    expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'confirmation',
      'extension',
      'review_record',
      'termination',
    ]);
    expect((await hr.get('/api/letter-templates?kind=extension&search=ext')).body.meta.total).toBe(1);
    expect((await hr.get(path)).body.data).toMatchObject({
      kind: 'confirmation',
      title: 'Confirmation of employment',
      is_default: true,
      allowed_actions: [],
    });
    expect((await hr.get(path, { 'accept-language': 'de' })).body.data.title).toMatch(/^Bestätigung/);
    expect((await hr.get('/api/letter-templates/farewell')).status).toBe(404);
    for (const client of [manager, colleague])
      for (const url of ['/api/letter-templates', path]) expect((await client.get(url)).status).toBe(403);
  });

  test('stays the default one, in every language, where it comes back as it was read', async () => {
    const german = { 'accept-language': 'de' };
    const path = '/api/letter-templates/extension';
    const { title, body } = (await hrOfAll.get(path, german)).body.data;
    const all = await everything();
    const answer = await hrOfAll.put(path, { title, body }, german);
    expect([answer.status, answer.body.data.is_default]).toEqual([200, true]);
    expect(await everything()).toEqual(all);
    const changed = await hrOfAll.put(path, { title: 'Neu', body }, german);
    expect(changed.body.data).toMatchObject({ title: 'Neu', is_default: false });
    expect((await hrOfAll.get(path, { 'accept-language': 'en' })).body.data.body).not.toBe(body);
    await hrOfAll.put(path, { title: null });
  });

  test('is changed by HR of all companies, and letters use its text from then on', async () => {
    const { data: before } = (await hrOfAll.get(path)).body;
    expect(before.allowed_actions).toEqual(['update']);
    const body = 'Dear {{ employee_name }},\n\nwelcome to {{company}} as {{job_title}}.';
    const { status, body: changed } = await hrOfAll.put(path, { body, revision: before.revision });
    expect([status, changed.message, changed.data]).toMatchObject([
      200,
      'Letter template updated successfully.',
      { body, title: before.title, is_default: false, revision: before.revision + 1 },
    ]);
    expect((await audited('letter_template.updated', null)).at(-1)?.changes).toEqual({
      body: { from: null, to: body },
    });
    const { path: letter, own } = await decided();
    expect(await textOf(await own.get(letter))).toMatch(/Dear Zoë Łukasz, welcome to Acme Foods Ltd as –\./);
    const outdated = { title: 'Welcome', revision: before.revision };
    expect((await refused(() => hrOfAll.put(path, outdated)))[1]).toHaveProperty('status');
    const restored = (await hrOfAll.put(path, { body: null })).body.data;
    expect(restored).toMatchObject({ body: before.body, is_default: true });
  });

  test('with an unknown placeholder is refused with its name', async () => {
    const sent = { title: 'For {{employe_name}}', body: 'Dear {{employee_name}}, {{salary}} and {{bonus}}' };
    const says = (field: string, name: string) => `The ${field} field contains an unknown placeholder: ${name}.`;
    expect(await refused(() => hrOfAll.put(path, sent))).toEqual([
      422,
      { title: [says('title', 'employe_name')], body: [says('text', 'salary'), says('text', 'bonus')] },
    ]);
  });

  test('with a placeholder whose braces are not complete is refused', async () => {
    const sent = { title: 'For {employee_name}', body: 'Dear {{employee_name}}, as {{job_title} since {{ today' };
    const says = (field: string, name: string) => `The ${field} field contains an unknown placeholder: ${name}.`;
    expect(await refused(() => hrOfAll.put(path, sent))).toEqual([
      422,
      { title: [says('title', '{employee_name}')], body: [says('text', '{{job_title}'), says('text', '{{ today')] },
    ]);
  });

  test(
    'with a placeholder that is never closed is refused at once, however long it is',
    { timeout: 10_000 },
    async () => {
      const answer = await hrOfAll.put(path, { body: `Dear {{${' '.repeat(3_000)}x` });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['body']]);
    },
  );

  test('cannot be changed by HR of some companies or by other users', async () => {
    for (const client of [hr, manager, colleague])
      expect(await refused(() => client.put(path, { title: 'Welcome' }))).toEqual([403, {}]);
  });

  test.each([
    ['too short', { title: 'x' }, 'title'],
    ['too long', { body: 'x'.repeat(20_001) }, 'body'],
    ['no text', { body: 5 }, 'body'],
  ])('that is %s is refused', async (_name, body, field) => {
    const [status, errors] = await refused(() => hrOfAll.put(path, body));
    expect([status, Object.keys(errors as object)]).toEqual([422, [field]]);
  });
});
