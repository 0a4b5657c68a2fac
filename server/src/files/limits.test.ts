import { text } from '@tenure/contract';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import {
  archiveLimits,
  evidencePer,
  fileLimits,
  filesPerEmployee,
  tableLimits,
  tooLarge,
  wrongType,
} from './limits.ts';
import { MAX_NAME_LENGTH } from './names.ts';
import { MAX_PIXELS } from './pictures.ts';

const page = await readFile(new URL('../../../docs/files.md', import.meta.url), 'utf8');
const MB = 1_024 * 1_024;
const size = (bytes: number) => (bytes < MB ? `${bytes / 1_024} KB` : `${bytes / MB} MB`);
const count = (value: number) => value.toLocaleString('en');
const rowsUnder = (heading: string) => {
  const lines = page.slice(page.indexOf(heading)).split('\n');
  return lines.slice(2, lines.indexOf(''));
};

describe('docs/files.md', () => {
  test('has every use of files with its types and its size', () => {
    const expected = Object.values(fileLimits).map(
      ({ title, types, bytes }) => `| ${title} | ${types.join(', ')} | ${size(bytes)} |`,
    );
    expect(rowsUnder('| Use |')).toEqual(expected);
  });

  test('has all other limits', () => {
    const { bytes, ratio } = tableLimits.unpacked;
    expect(rowsUnder('| Further limit |')).toEqual([
      `| Files per employee | ${filesPerEmployee.files} |`,
      `| All files of an employee | ${size(filesPerEmployee.bytes)} |`,
      `| Pieces of evidence per evaluation | ${evidencePer.evaluation} |`,
      `| Pieces of evidence per item | ${evidencePer.item} |`,
      `| Rows of an employee import | ${count(tableLimits.import.rows)} |`,
      `| Rows of a KPI template import | ${count(tableLimits.template_import.rows)} |`,
      `| Rows of a former results import | ${count(tableLimits.result_import.rows)} |`,
      `| Files of a ZIP archive; with its folders | ${count(archiveLimits.files)}; ${count(archiveLimits.entries)} |`,
      `| Folders inside one another in a ZIP archive | ${archiveLimits.depth} |`,
      `| Unpacked files of a ZIP archive | ${size(archiveLimits.unpacked)}, and ${archiveLimits.ratio} bytes per packed byte of a file after its first MB |`,
      `| Columns of an import | ${tableLimits.import.columns} |`,
      `| Unpacked parts of an XLSX file | ${size(bytes)}, and ${ratio} bytes per packed byte after the first MB |`,
      `| Points of a picture | ${count(MAX_PIXELS)} |`,
      `| Length of a file name | ${MAX_NAME_LENGTH} |`,
    ]);
  });
});

describe('a refusal', () => {
  test('names the types of the use', () => {
    expect(wrongType('signature')).toEqual(text('validation.file_type', { types: 'png' }));
    expect(wrongType('import')).toEqual(text('validation.file_type', { types: 'csv, xlsx' }));
  });

  test('names the size in kilobytes', () => {
    expect(tooLarge(fileLimits.attachment.bytes)).toEqual(text('validation.kilobytes', { most: 10_240 }));
  });
});
