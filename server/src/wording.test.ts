import { expect, test } from 'vitest';
import { german } from './languages/german.ts';
import { counted, stillThere, tally } from './wording.ts';
import type { Some } from './wording.ts';

const files = (n: number): Some => [n, 'file', 'files'];
const led = (n: number): Some => [n, 'department to lead', 'departments to lead'];
const open = (n: number): Some => [n, 'open evaluation', 'open evaluations'];

test.each<[things: Some[], english: string | undefined, inGerman: string | undefined]>([
  [[], undefined, undefined],
  [[open(0)], undefined, undefined],
  [[open(1)], 'There is still 1 open evaluation.', 'Noch vorhanden: 1 offene Beurteilung.'],
  [[open(2)], 'There are still 2 open evaluations.', 'Noch vorhanden: 2 offene Beurteilungen.'],
  [[open(183)], 'There are still 183 open evaluations.', 'Noch vorhanden: 183 offene Beurteilungen.'],
  [[files(0), led(1)], 'There is still 1 department to lead.', 'Noch vorhanden: 1 geleitete Abteilung.'],
  [
    [files(2), led(1)],
    'There are still 2 files and 1 department to lead.',
    'Noch vorhanden: 2 Dateien und 1 geleitete Abteilung.',
  ],
  [
    [files(1), led(1)],
    'There are still 1 file and 1 department to lead.',
    'Noch vorhanden: 1 Datei und 1 geleitete Abteilung.',
  ],
  [
    [files(1), led(0), open(12)],
    'There are still 1 file and 12 open evaluations.',
    'Noch vorhanden: 1 Datei und 12 offene Beurteilungen.',
  ],
  [
    [files(3), led(2), open(1)],
    'There are still 3 files, 2 departments to lead and 1 open evaluation.',
    'Noch vorhanden: 3 Dateien, 2 geleitete Abteilungen und 1 offene Beurteilung.',
  ],
])('%j stands in a sentence that agrees with it', (things, english, inGerman) => {
  const found = stillThere(...things);
  const sentence = found && `${found.replace(/^t/, 'T')}.`;
  expect(sentence).toBe(english);
  expect(sentence && german(sentence)).toBe(inGerman);
  const inTheWay = found && `Lena Park cannot be deleted: ${found}. Separate instead.`;
  expect(inTheWay && german(inTheWay)).toEqual(inTheWay && expect.stringContaining('Lena Park'));
});

test('a part is named in the number it has, and not at all when there is none', () => {
  expect([0, 1, 2, 1_205].map((n) => counted(n, 'file', 'files'))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '1205 files',
  ]);
  expect(tally(files(0))).toBeUndefined();
  expect(tally(files(1), open(0), led(2))).toBe('1 file and 2 departments to lead');
});
