import { text } from '@tenure/contract';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { detect } from './detect.ts';
import { fileLimits, fileTypes } from './limits.ts';
import type { FileExtension, FileUse } from './limits.ts';
import { contentTypes, sampleFiles, zipOf } from '../testing/file-samples.ts';

let folder: string;
let samples: Awaited<ReturnType<typeof sampleFiles>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenure-detect-'));
  samples = await sampleFiles();
});
afterAll(() => rm(folder, { recursive: true }));

/** The uploads that accept files of an extension: attachments, or the import of an archive. */
const useOf = (name: string): FileUse => (/\.zip$/i.test(name) ? 'attachment_import' : 'attachment');

async function detected(bytes: Uint8Array | string, name: string, use: FileUse = useOf(name)) {
  const path = join(folder, 'sample');
  await writeFile(path, bytes);
  return detect(path, name, use);
}

const papers = text('validation.file_type', { types: 'pdf, png, jpg, jpeg, webp, docx, xlsx, csv' });
const extensions = Object.keys(fileTypes) as FileExtension[];
const binaries = extensions.filter((extension) => extension !== 'csv');

const documentWith = (entry: readonly [string, string]) =>
  zipOf([entry, contentTypes('openxmlformats-officedocument.wordprocessingml.document'), ['word/document.xml', '']]);

/** The extensions with which the bytes are accepted. */
async function takenAs(bytes: Uint8Array | string, among: readonly string[] = extensions): Promise<string[]> {
  const taken: string[] = [];
  for (const extension of among) if ('extension' in (await detected(bytes, `a.${extension}`))) taken.push(extension);
  return taken;
}

describe('a genuine file', () => {
  test.each(extensions)('named .%s is accepted, whatever the case of its name', async (extension) => {
    const answer = { mime_type: fileTypes[extension], extension };
    expect(await detected(samples[extension], `offer.${extension}`)).toEqual(answer);
    expect(await detected(samples[extension], `OFFER.v2.${extension.toUpperCase()}`)).toEqual(answer);
  });

  test('is accepted only where its type is', async () => {
    for (const use of Object.keys(fileLimits) as FileUse[]) {
      const { types } = fileLimits[use];
      for (const extension of extensions) {
        const answer = await detected(samples[extension], `a.${extension}`, use);
        const expected = (types as readonly string[]).includes(extension)
          ? { extension }
          : { refusal: text('validation.file_type', { types: types.join(', ') }) };
        expect(answer, `${extension} as ${use}`).toMatchObject(expected);
      }
    }
  });

  test('is accepted under its own extension only', async () => {
    for (const kind of binaries) {
      const own = kind === 'jpg' || kind === 'jpeg' ? ['jpg', 'jpeg'] : [kind];
      expect(await takenAs(samples[kind])).toEqual(own);
    }
    expect(await takenAs(samples.csv)).toEqual(['csv']);
  });

  test('without a known extension is refused with the message of the form', async () => {
    for (const name of ['a.exe', 'a.pdf.', 'a.pdf ', 'a.pdf:exe', 'a', 'pdf', '.pdf'])
      expect(await detected(samples.pdf, name)).toEqual({ refusal: papers });
  });
});

describe('refused under every name', () => {
  const bom = '\ufeff';
  test.each([
    ['an empty file', ''],
    ['white space', ' \n\t'],
    ['a mark of byte order alone', bom],
    ['a page', '<!DOCTYPE html><html><script>alert(1)</script></html>'],
    ['a page behind a mark of byte order', `${bom}<html><body onload=alert(1)>`],
    ['a page behind two of them and white space', `${bom}${bom} \n <script>alert(1)</script>`],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XML', '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;</x>'],
    ['PHP', '<?php system($_GET[0]);'],
    ['a shell script', '#!/bin/sh\nrm -rf /\n'],
    ['PostScript', '%!PS-Adobe-3.0\n'],
    ['RTF', '{\\rtf1 hello}'],
    ['a page in UTF-16', Buffer.from(`${bom}<html><script>alert(1)</script>`, 'utf16le')],
    ['gzip', gzipSync('employee_number\n1\n')],
    ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')],
    ['a cut picture', Buffer.from('\x89PNG\r\n', 'latin1')],
    ['noise', Buffer.from(Array.from({ length: 600 }, (_, index) => (index * 211 + 97) % 256))],
  ])('%s', async (_, bytes) => {
    expect(await takenAs(bytes)).toEqual([]);
  });

  test('archives that are no documents, documents with macros, other pictures', async () => {
    const documents = extensions.filter((extension) => extension !== 'zip');
    for (const kind of ['zip', 'jar', 'docm', 'gif'] as const)
      expect(await takenAs(samples[kind], documents)).toEqual([]);
  });

  test('a document cut off before its directory', async () => {
    expect(await takenAs(samples.docx.subarray(0, -30))).toEqual([]);
    expect(await takenAs(samples.xlsx.subarray(0, -30))).toEqual([]);
  });
});

describe('a polyglot file', () => {
  const page = '<html><script>alert(1)</script></html>';

  test('is refused with leading content', async () => {
    for (const kind of binaries) {
      expect(await takenAs(Buffer.concat([Buffer.from(page), samples[kind]]))).toEqual([]);
      expect(await takenAs(Buffer.concat([Buffer.from('\n'), samples[kind]]), binaries)).toEqual([]);
    }
  });

  test('is refused with a trailing archive', async () => {
    for (const kind of ['pdf', 'png', 'jpg', 'webp'] as const) {
      const both = Buffer.concat([samples[kind], samples.jar]);
      expect(await takenAs(both)).toEqual([]);
      expect(await takenAs(Buffer.concat([both, Buffer.alloc(60_000, ' ')]))).toEqual([]);
    }
  });

  test('is refused with a page behind the end or in its head', async () => {
    for (const kind of ['png', 'jpg', 'webp', 'pdf'] as const)
      expect(await takenAs(Buffer.concat([samples[kind], Buffer.from(page)]))).toEqual([]);
    expect(await takenAs(`%PDF-1.4\n${page}`)).toEqual([]);
    expect(await takenAs(documentWith([page, '']))).toEqual([]);
  });

  test('is refused with a PDF near its beginning', async () => {
    expect(await takenAs(documentWith(['a.pdf', samples.pdf.toString()]))).toEqual([]);
    expect(await takenAs(`name,note\n${samples.pdf.toString()}`)).toEqual([]);
  });

  test('is accepted when the second type is only part of a document', async () => {
    const note = `${'0'.repeat(2_000)} /RC (<?xml version="1.0"?><body><script>x</script></body>)`;
    expect(await takenAs(samples.pdf.toString().replace('trailer', `${note}\ntrailer`))).toEqual(['pdf']);
    expect(await takenAs(documentWith(['word/notes.xml', '<w:p>a page about html</w:p>']))).toEqual(['docx']);
  });
});

describe('a table as text', () => {
  test.each([
    ['with a mark of byte order', '\ufeffnumber,name\n1,Zoë\n'],
    ['with mark-up inside a cell', 'number,name\n1,<script>alert(1)</script>\n'],
    ['with a formula', 'number,name\n1,=1+1\n'],
    ['with semicolons and quoted line breaks', 'a;b\r\n"1\r\n2";3\r\n'],
    ['of one word', 'number'],
  ])('%s is accepted', async (_, text) => {
    expect(await detected(text, 'people.csv', 'import')).toEqual({ mime_type: 'text/csv', extension: 'csv' });
  });

  test('is refused for one wrong byte, also far behind and across chunks', async () => {
    const good = Buffer.from('Zoë,'.repeat(60_000));
    expect(await detected(good, 'a.csv')).toMatchObject({ extension: 'csv' });
    expect(await takenAs(Buffer.concat([good, Buffer.from([0xff])]))).toEqual([]);
    expect(await takenAs(Buffer.concat([good, Buffer.from([0])]))).toEqual([]);
    expect(await takenAs(good.subarray(0, -2))).toEqual([]);
    expect(await takenAs(Buffer.from('Zoë', 'latin1'))).toEqual([]);
  });

  test('of 50 MB of blanks is checked in one pass', async () => {
    expect(await takenAs(Buffer.alloc(fileLimits.import.bytes, ' '), ['csv'])).toEqual([]);
  });
});
