import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import PDFDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import type { DB } from '../server/src/db/schema.ts';
import { loadSharp } from '../server/src/files/pictures.ts';
import type { FileStore } from '../server/src/files/store.ts';

/** Pictures and contracts for the people in the demo. All are drawn, and the same people get the same ones. */

type Person = {
  id: number;
  name: string;
  gender: string | null;
  job_title: string;
  employment_type: string;
  joining_date: string;
  company: string;
  address: string | null;
};

const side = 96;
const together = 16;
const skins = ['#f6d3b8', '#eab48c', '#d1956b', '#a86f4a', '#7c4a2d', '#5a3520'];
const hairs = ['#2b1d14', '#4a2f1d', '#7a4f2a', '#b98b4e', '#8f8b86', '#1a1a1f', '#a5452a'];
const shirts = ['#2f7dc4', '#0c6b63', '#6256d3', '#c2600c', '#7a8218', '#c23b7a', '#3b4252'];
const walls = ['#e2f3f0', '#fdf0d3', '#e3ecfb', '#f3e6f0', '#eeebe6', '#e1f3e6'];

/** A number that looks random but is always the same. */
const chance = (id: number, of: number, below: number) =>
  (Math.imul(id * 31 + of * 97 + 11, 2_654_435_761) >>> 9) % below;
const channelsOf = (hex: string) => [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));

/** A shape of a portrait in a square of 100; shapes are listed from back to front. */
type Shape = { colour: string; covers: (x: number, y: number) => boolean };
const oval = (colour: string, [cx, cy]: readonly number[], [rx, ry]: readonly number[]): Shape => ({
  colour,
  covers: (x, y) => ((x - (cx ?? 0)) / (rx ?? 1)) ** 2 + ((y - (cy ?? 0)) / (ry ?? 1)) ** 2 <= 1,
});

function shapesOf({ id, gender }: Pick<Person, 'id' | 'gender'>): Shape[] {
  const of = (list: readonly string[], n: number) => list[chance(id, n, list.length)] ?? '#888888';
  const [skin, hair, shirt] = [of(skins, 1), of(hairs, 2), of(shirts, 3)];
  const isLong = gender === 'female' ? chance(id, 4, 4) > 0 : chance(id, 4, 6) === 0;
  const fringe = 26 + chance(id, 5, 8);
  const front = oval(hair, [50, 38], [22, 24]);
  return [
    { colour: of(walls, 6), covers: () => true },
    ...(isLong ? [oval(hair, [50, 52], [26, 34])] : []),
    oval(shirt, [50, 108], [40, 34]),
    { colour: skin, covers: (x, y) => Math.abs(x - 50) < 8 && y > 58 && y < 80 },
    oval(skin, [50, 46], [19, 24]),
    { colour: hair, covers: (x, y) => y < fringe + Math.abs(x - 50) / 3 && front.covers(x, y) },
    oval('#2a211c', [43, 46], [2, 2.2]),
    oval('#2a211c', [57, 46], [2, 2.2]),
    { colour: '#8c4a3c', covers: (x, y) => Math.abs(y - 58 + ((x - 50) / 7) ** 2) < 0.9 && Math.abs(x - 50) < 7 },
    ...(chance(id, 7, 4) === 0
      ? [
          {
            colour: '#3a3a3a',
            covers: (x: number, y: number) =>
              [43, 57].some((eye) => Math.abs(Math.hypot(x - eye, y - 46) - 5.6) < 0.7) ||
              (Math.abs(y - 46) < 0.6 && Math.abs(x - 50) < 2),
          },
        ]
      : []),
  ];
}

/** A drawn portrait, as a WebP of a few hundred bytes. */
export async function portraitOf(person: Pick<Person, 'id' | 'gender'>): Promise<Buffer> {
  const shapes = shapesOf(person).map(({ colour, covers }) => ({ colour: channelsOf(colour), covers }));
  const double = side * 2;
  const pixels = Buffer.alloc(double * double * 3);
  for (let row = 0; row < double; row += 1)
    for (let column = 0; column < double; column += 1) {
      const [x, y] = [((column + 0.5) * 100) / double, ((row + 0.5) * 100) / double];
      const { colour = [] } = shapes.findLast(({ covers }) => covers(x, y)) ?? {};
      pixels.set(colour, (row * double + column) * 3);
    }
  const sharp = await loadSharp();
  return sharp(pixels, { raw: { width: double, height: double, channels: 3 } })
    .resize(side, side)
    .webp({ quality: 80 })
    .toBuffer();
}

const types: Readonly<Record<string, string>> = {
  full_time: 'full time, 40 hours a week',
  part_time: 'part time, 24 hours a week',
  contract: 'for a fixed term of 24 months, full time',
  intern: 'as an intern for six months, full time',
};

/** A one-page contract. */
export async function contractOf({ name, job_title, employment_type, joining_date, company, address }: Person) {
  const page = new PDFDocument({ size: 'A4', margin: 64, info: { Title: 'Employment contract', Author: company } });
  const plain = (text: string) => text.normalize('NFC').replaceAll(/[^\u0020-\u00ff]/g, '?');
  page.fontSize(17).text('Employment contract').moveDown();
  page
    .fontSize(10.5)
    .text(plain(`between ${company}, ${address ?? ''}, and ${name}.`))
    .moveDown();
  const clauses = [
    `1. ${name} joins ${company} on ${joining_date} as ${job_title}.`,
    `2. The employment is ${types[employment_type] ?? 'full time'}.`,
    '3. The first three months are probation. During probation both sides can end the employment with two weeks’ notice.',
    '4. Annual leave is 28 days a year.',
    '5. Changes of this contract need the written form.',
  ];
  for (const clause of clauses) page.text(plain(clause.replace('’', "'"))).moveDown(0.6);
  page.moveDown(3).text('________________________        ________________________');
  page.fontSize(8).text(plain(`${company}                                             ${name}`));
  page.end();
  return buffer(page);
}

async function keep(files: FileStore, bytes: Buffer) {
  const received = await files.receive([bytes], { maxBytes: bytes.byteLength });
  return { file_key: await files.keep(received), size: received.size, checksum: received.sha256 };
}

async function inTurns<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let start = 0; start < list.length; start += together)
    done.push(...(await Promise.all(list.slice(start, start + together).map(work))));
  return done;
}

/** Gives most people a picture, and everyone a contract. Drawing takes seconds, so it happens outside transactions. */
export async function insertDemoFiles(db: Kysely<DB>, files: FileStore, hr: { user_id: number }): Promise<void> {
  const { rows } = await sql<Person>`
    select e.id, e.name, e.gender, coalesce(first.job_title, e.job_title) as job_title, e.employment_type,
           e.joining_date::text as joining_date, c.name as company, c.address
    from employees e
    join entities c on c.id = e.entity_id
    left join lateral (select h.job_title from job_history h where h.employee_id = e.id
                       order by h.effective_from, h.id limit 1) as first on true
    order by e.id`.execute(db);
  const pictured = rows.filter(({ id }) => chance(id, 8, 7) > 0);
  const pictures = await inTurns(pictured, async (person) => ({
    id: person.id,
    key: (await keep(files, await portraitOf(person))).file_key,
  }));
  await sql`
    update employees e set picture_key = p.key
    from jsonb_to_recordset(${JSON.stringify(pictures)}::jsonb) as p (id bigint, key text) where p.id = e.id`.execute(
    db,
  );
  const contracts = await inTurns(rows, async (person) => ({
    employee_id: person.id,
    ...(await keep(files, await contractOf(person))),
  }));
  await sql`
    insert into attachments (employee_id, category, title, visibility, file_key, file_name, mime_type, size, checksum,
                             uploaded_by, uploaded_by_name, created_at)
    select f.employee_id, 'contract', 'Employment contract', 'employee', f.file_key, 'employment-contract.pdf',
           'application/pdf', f.size, f.checksum, ${hr.user_id}, h.name, e.joining_date - interval '6 days'
    from jsonb_to_recordset(${JSON.stringify(contracts)}::jsonb)
      as f (employee_id bigint, file_key text, size bigint, checksum text)
    join employees e on e.id = f.employee_id
    join employees h on h.user_id = ${hr.user_id}`.execute(db);
}
