import { text } from '@tenure/contract';
import { expect, test } from 'vitest';
import { counted, stillThere, tally } from './counts.ts';
import type { Counts } from './counts.ts';
import { render } from './languages/languages.ts';

test.each<[counts: Counts, english: string | undefined, inGerman: string | undefined]>([
  [{}, undefined, undefined],
  [{ open_evaluations: 0 }, undefined, undefined],
  [{ open_evaluations: 1 }, 'There is still 1 open evaluation.', 'Noch vorhanden: 1 offene Beurteilung.'],
  [{ open_evaluations: 2 }, 'There are still 2 open evaluations.', 'Noch vorhanden: 2 offene Beurteilungen.'],
  [{ open_evaluations: 183 }, 'There are still 183 open evaluations.', 'Noch vorhanden: 183 offene Beurteilungen.'],
  [
    { attachments: 0, departments_led: 1 },
    'There is still 1 department led.',
    'Noch vorhanden: 1 geleitete Abteilung.',
  ],
  [
    { attachments: 2, departments_led: 1 },
    'There are still 2 files and 1 department led.',
    'Noch vorhanden: 2 Dateien und 1 geleitete Abteilung.',
  ],
  [
    { attachments: 1, departments_led: 1 },
    'There are still 1 file and 1 department led.',
    'Noch vorhanden: 1 Datei und 1 geleitete Abteilung.',
  ],
  [
    { attachments: 1, departments_led: 0, open_evaluations: 12 },
    'There are still 1 file and 12 open evaluations.',
    'Noch vorhanden: 1 Datei und 12 offene Beurteilungen.',
  ],
  [
    { attachments: 3, departments_led: 2, open_evaluations: 1 },
    'There are still 3 files, 2 departments led and 1 open evaluation.',
    'Noch vorhanden: 3 Dateien, 2 geleitete Abteilungen und 1 offene Beurteilung.',
  ],
])('%j stands in a sentence that agrees with it', (counts, english, inGerman) => {
  const found = stillThere(counts);
  const sentence = found && text('departments.still_there', found);
  expect(sentence && render('en', sentence)).toBe(english);
  expect(sentence && render('de', sentence)).toBe(inGerman);
});

test('a part is named in the number it has, and not at all when there is none', () => {
  expect([0, 1, 2, 1_205].map((n) => render('en', counted('attachments', n)))).toEqual([
    '0 files',
    '1 file',
    '2 files',
    '1205 files',
  ]);
  expect(tally({ attachments: 0 })).toBeUndefined();
  expect(tally({ attachments: 1, open_evaluations: 0, departments_led: 2 })).toEqual({
    list: [counted('attachments', 1), counted('departments_led', 2)],
  });
});
