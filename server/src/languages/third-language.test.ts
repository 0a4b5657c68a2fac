import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, expect, test } from 'vitest';
import { mailOf } from '../notifications/mail.ts';
import { startApp } from '../testing/app.ts';
import { probationMaker } from '../testing/make-probation.ts';
import { readCatalogues } from './catalogue.ts';
import type { Catalogue, LanguageId } from './catalogue.ts';
import { catalogues } from './languages.ts';

/** A third language is a single folder: English with each text in brackets. */
const shipped = join(import.meta.dirname, '../../../contract/locales');
const folder = mkdtempSync(join(tmpdir(), 'tenure-locales-'));
cpSync(join(shipped, 'en'), join(folder, 'en'), { recursive: true });
cpSync(join(shipped, 'en'), join(folder, 'xx'), { recursive: true });
// English derives most labels from field names; every other language lists all
cpSync(join(shipped, 'de/messages/attributes.json'), join(folder, 'xx/messages/attributes.json'));
for (const file of globSync('xx/{messages/*,fields}.json', { cwd: folder })) {
  const mark = (_name: string, text: unknown) => (typeof text === 'string' ? `[${text}]` : text);
  writeFileSync(join(folder, file), JSON.stringify(JSON.parse(readFileSync(join(folder, file), 'utf8'), mark)));
}
for (const file of globSync('xx/letters/*.txt', { cwd: folder })) {
  const [title, ...body] = readFileSync(join(folder, file), 'utf8').split('\n');
  writeFileSync(join(folder, file), [`[${title}]`, ...body].join('\n'));
}

// the folder next to the shipped ones, like when the service starts with it
const found = catalogues as Map<LanguageId, Catalogue>;
found.set('xx', readCatalogues(folder).get('xx') as Catalogue);
afterAll(() => found.delete('xx'));

const app = await startApp();
const { as, make, owner } = app;
const probation = probationMaker(app);
const { id: department_id, entity_id } = await make.department();
const boss = await make.employee({ department_id, roles: ['Manager'] });
const hr = await make.employee({ entity_id, roles: ['HR'] });
const employee = await probation.person({ department_id, first_name: 'Zoë' });
const review = await probation.review({ employee, reviewer: boss });
const reviewer = await as(boss.user_id);
const third = { 'accept-language': 'xx-YY, de;q=0.5' };
const signature = { method: 'typed', typed_name: 'Omar Diaz' };

test('messages, names of fields and refusals', async () => {
  const refused = await reviewer.post(`/api/probation-reviews/${review.id}/submit`, {}, third);
  expect(refused.headers['content-language']).toBe('xx');
  const { message, errors } = refused.body;
  for (const sentence of [message, ...Object.values(errors).flat()]) expect(sentence).toMatch(/^\[.+\]$/);
  expect(JSON.stringify(errors)).toContain('The [Empfehlung] field');
});

test('tasks, and a search for their words', async () => {
  const { data } = (await reviewer.get('/api/actionable-items?search=[review', third)).body;
  expect(data).toMatchObject([
    {
      title: expect.stringMatching(/^\[Review Zoë .+’s probation\]$/),
      description: expect.stringMatching(/^\[.+\]$/),
    },
  ]);
});

test('notifications, their settings and mails', async () => {
  await owner.query("update users set locale = 'xx' where id = $1", [boss.user_id]);
  const hrClient = await as(hr.user_id);
  const path = `/api/probation-reviews/${review.id}`;
  const submitted = await reviewer.post(`${path}/submit`, {
    performance_rating: 4,
    comments: 'Ready.',
    recommendation: 'confirm',
    signature,
  });
  expect(submitted.status).toBe(200);
  expect((await hrClient.post(`${path}/send-back`, { reason: 'Please look at this again.' })).status).toBe(200);
  const { data } = (await reviewer.get('/api/notifications?search=sent')).body;
  expect(data).toMatchObject([
    { title: expect.stringMatching(/^\[.*Zoë.*\]$/), body: expect.stringMatching(/^\[.+\]$/) },
  ]);
  const { events } = (await reviewer.get('/api/profile/notification-preferences', third)).body.data;
  for (const { label } of events) expect(label).toMatch(/^\[.+\]$/);
  const line = { event: 'role_changed', count: 1, url: '/', is_test: true, subject_id: 1 } as const;
  const mail = mailOf({ name: 'Zoë', address: 'zoe@acme.example', locale: 'xx', lines: [line] }, 'https://hr.example');
  expect(mail.subject).toBe('[Test: [Your roles changed]]');
  expect(mail.html).toContain('<html lang="xx">');
});

test('letters and the record of a review', async () => {
  const path = `/api/probation-reviews/${review.id}`;
  await reviewer.post(`${path}/submit`, {
    performance_rating: 4,
    comments: 'Ready.',
    recommendation: 'confirm',
    signature,
  });
  const client = await as(hr.user_id);
  expect((await client.post(`${path}/approve`, { signature })).status).toBe(200);
  const textOf = async (kind: string) => {
    const { bytes } = await client.get(`${path}/letter?kind=${kind}`, third);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    return text;
  };
  expect(await textOf('confirmation')).toContain('[Confirmation of employment]');
  expect(await textOf('review_record')).toMatch(/\[Signatures\].*\[Page 1 of \d · /s);
});

test('reasons that the service gave itself', async () => {
  const other = await probation.review({ employee: await probation.person({ department_id }), reviewer: boss });
  await owner.query(
    "update probation_reviews set status = 'cancelled', cancel_reason = 'The employment ends.' where id = $1",
    [other.id],
  );
  const { data } = (await reviewer.get(`/api/probation-reviews/${other.id}`, third)).body;
  expect(data.cancel_reason).toBe('[The employment ends.]');
});
