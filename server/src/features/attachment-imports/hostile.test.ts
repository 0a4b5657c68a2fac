import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../testing/app.ts';
import { archiveOf } from '../../testing/archive-fixtures.ts';
import type { ArchiveEntry } from '../../testing/archive-fixtures.ts';

/** Archives that try to write elsewhere, to unpack endlessly or to disguise their content leave nothing behind. */

const { as, make, deps, owner } = await startApp();
const acme = await make.entity();
const me = await make.employee({
  roles: [{ role: 'HR', entity_ids: [acme.id] }],
  department_id: (await make.department({ entity_id: acme.id })).id,
});
const hr = await as(me.user_id);

const csv = 'a,b\n1,2\n';
const plain: ArchiveEntry = { name: '1001/plain.csv', content: csv };
const whole = archiveOf([plain, { name: '1001/second.csv', content: 'c,d\n3,4\n' }]);
const megabyte = 1_024 * 1_024;
const zeros = Buffer.alloc(9 * megabyte);
const [unix, symlink, device] = [(3 << 8) | 20, 0o120777, 0o060644];
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `1001/${n}.csv`, content: csv }));
/** Replaces a byte of the archive, counted from a mark. */
function patched(mark: string, offset: number, value: number) {
  const bytes = Buffer.from(whole);
  bytes[bytes.indexOf(mark, 0, 'latin1') + offset] = value;
  return bytes;
}

const table: [string, Buffer | string, RegExp][] = [
  ['a path upwards', archiveOf([plain, { name: '../../evil.csv', content: csv }]), /“..\/..\/evil.csv” isn’t a path/],
  ['a path upwards in the middle', archiveOf([{ name: '1001/../../x.csv', content: csv }]), /isn’t a path inside/],
  ['an absolute path', archiveOf([{ name: '/etc/1001.csv', content: csv }]), /isn’t a path inside/],
  ['a drive', archiveOf([{ name: 'C:/1001.csv', content: csv }]), /isn’t a path inside/],
  ['a path upwards by backslashes', archiveOf([{ name: '1001\\..\\..\\x.csv', content: csv }]), /isn’t a path inside/],
  ['an absolute path by backslashes', archiveOf([{ name: '\\\\server\\x.csv', content: csv }]), /isn’t a path inside/],
  ['a drive by backslashes', archiveOf([{ name: 'C:\\1001.csv', content: csv }]), /isn’t a path inside/],
  ['a zero in a name', archiveOf([{ name: '1001/x.csv\0.pdf', content: csv }]), /isn’t a path inside/],
  ['an encrypted entry', archiveOf([plain, { name: '1001/secret.csv', content: csv, flags: 0x0801 }]), /encrypted/],
  [
    'a symbolic link',
    archiveOf([{ name: '1001/x.csv', content: '/etc/passwd', madeBy: unix, attributes: symlink * 65_536 }]),
    /a link or a special file/,
  ],
  [
    'a device',
    archiveOf([{ name: '1001/x.csv', content: csv, madeBy: unix, attributes: device * 65_536 }]),
    /a link or a special file/,
  ],
  ['a path without end', archiveOf([{ name: `1001/${'a/'.repeat(20_000)}x.csv`, content: csv }]), /longer than 1,000/],
  [
    'folders whose reading takes longer than a request',
    archiveOf([plain, { name: `${'a/'.repeat(21)}x.csv`, content: csv }]),
    /more than 20 nested folders/,
  ],
  ['a name twice', archiveOf([plain, { ...plain, name: '1001/PLAIN.csv' }]), /contains “1001\/PLAIN.csv” twice/],
  ['another compression', archiveOf([{ ...plain, method: 12 }]), /isn’t supported/],
  ['5,001 files', archiveOf(many(5_001)), /more than 5,000 files/],
  ['10,001 entries', archiveOf(many(10_001)), /more than 5,000 files/],
  ['a bomb', archiveOf([{ name: '1001/x.csv', content: zeros }]), /far more than its compressed size/],
  [
    'a bomb that declares less',
    archiveOf([{ name: '1001/x.csv', content: zeros, declared: 100 }]),
    /can’t be unpacked/,
  ],
  ['a file that declares more', archiveOf([{ ...plain, declared: 50 }]), /can’t be unpacked/],
  [
    '600 MB in stored declarations',
    archiveOf(Array.from({ length: 600 }, (_, n) => ({ name: `1/${n}.csv`, content: csv, declared: megabyte }))),
    /more than 500 MB/,
  ],
  [
    'entries that share their bytes',
    archiveOf([plain, { ...plain, name: '1001/other.csv', at: 0 }]),
    /shares its content/,
  ],
  ['a wrong checksum', archiveOf([{ ...plain, crc: 1 }]), /can’t be unpacked/],
  ['a broken packed content', patched('PK\x03\x04', 30 + 14, 0xff), /can’t be unpacked/],
  ['a broken directory', patched('PK\x01\x02', 0, 0), /damaged or incomplete/],
  ['a directory elsewhere', patched('PK\x05\x06', 17, 0xff), /damaged or incomplete/],
  ['half an archive', whole.subarray(0, whole.length / 2), /damaged or incomplete/],
  ['all but its last byte', whole.subarray(0, -1), /damaged or incomplete/],
  ['no archive', 'employee_number\n1001\n', /not a ZIP file/],
  ['an archive behind something else', Buffer.concat([Buffer.from('GIF89a'), whole]), /not a ZIP file/],
  ['no bytes', '', /not a ZIP file/],
  ['no files', archiveOf([]), /no files/],
  ['folders alone', archiveOf([{ name: '1001/' }, { name: '__MACOSX/1001/._x.csv', content: csv }]), /no files/],
];

const folder = deps.config.DATA_DIR;
async function stored() {
  const { rows } = await owner.query(
    `select (select count(*) from imports) as imports, (select count(*) from import_rows) as rows,
            (select count(*) from import_files) as staged, (select count(*) from attachments) as files,
            (select count(*) from removed_files) as removed, (select count(*) from audit_log) as traces`,
  );
  return { ...rows[0], kept: await readdir(join(folder, 'kept')), incoming: await readdir(join(folder, 'incoming')) };
}

describe('an archive is refused and leaves nothing:', () => {
  test.each(table)('%s', async (_name, content, message) => {
    const before = await stored();
    const answer = await hr.upload('/api/attachments/import', { name: 'files.zip', content }, { dry_run: '1' });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['file']]);
    expect(answer.body.errors.file).toEqual([expect.stringMatching(message)]);
    expect(await stored()).toEqual(before);
  });

  test('a file of another type, or an archive that is none by its name', async () => {
    const before = await stored();
    for (const name of ['files.csv', 'files.zip.exe', 'files']) {
      const answer = await hr.upload('/api/attachments/import', { name, content: whole });
      expect([answer.status, answer.body.errors.file[0]]).toEqual([422, expect.stringContaining('zip')]);
    }
    expect(await stored()).toEqual(before);
  });

  test('settings for all files that are none', async () => {
    const before = await stored();
    for (const defaults of [{ employee_number: '1' }, { title: 'x' }, { file: 'x' }, { unknown: 1 }]) {
      const sent = { defaults: JSON.stringify(defaults) };
      const answer = await hr.upload('/api/attachments/import', { name: 'files.zip', content: whole }, sent);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['defaults']]);
    }
    expect(await stored()).toEqual(before);
  });
});

describe('names', () => {
  const read = async (entries: ArchiveEntry[]) => {
    const file = { name: 'files.zip', content: archiveOf(entries) };
    const { status, body } = await hr.upload('/api/attachments/import', file, { dry_run: '1' });
    expect(status).toBe(201);
    const rows = await hr.get(`/api/attachments/imports/${body.data.id}/rows`);
    return rows.body.data.map(({ cells }: { cells: { file: string } }) => cells.file);
  };

  test('are UTF-8 with and without saying so, and otherwise of code page 437', async () => {
    const bytes = [Buffer.from('1001/Zeugnis für Änne.csv'), Buffer.from('1001/Zeugnis f\x81r J\x94rg.csv', 'latin1')];
    const entries = bytes.map((name) => ({ name, content: csv }));
    expect(await read([{ name: '1001/Größe.csv', content: csv }, ...entries])).toEqual([
      '1001/Größe.csv',
      '1001/Zeugnis für Änne.csv',
      '1001/Zeugnis für Jörg.csv',
    ]);
  });

  test('that systems add are left out', async () => {
    const litter = ['1001/.DS_Store', '1001/._plain.csv', '__MACOSX/1001/._plain.csv', '1001/Thumbs.db', '1001/'];
    expect(await read([plain, ...litter.map((name) => ({ name, content: '' }))])).toEqual(['1001/plain.csv']);
  });

  test('have folders by backslashes too, as some programs on Windows write them', async () => {
    const names = ['1001\\', '1001\\plain.csv', 'export\\1001\\other.csv'];
    expect(await read(names.map((name) => ({ name, content: name.endsWith('v') ? csv : '' })))).toEqual([
      '1001/plain.csv',
      'export/1001/other.csv',
    ]);
  });
});
