import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLabel } from './with-label.ts';

const english = 'The criterion 1 rating field is required.';
const read = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../contract/locales/de/messages/${file}.json`), 'utf8'));
const { required = '' } = read('validation');
const { 'criteria.*': criterion, rating, 'items.*': item, manager_actual_value: actual } = read('attributes');
const german = (attribute: string) => required.replace('{attribute}', attribute);

test.each([
  [english, 'Rating', 'The Rating field is required.'],
  ['The item 13 score field must be a number.', 'Score', 'The Score field must be a number.'],
  [german(`${rating} (${criterion} 1)`), 'Bewertung', german('Bewertung')],
  [german(`${actual} (${item} 12)`), 'Istwert', german('Istwert')],
  [english, 'Price in $&', 'The Price in $& field is required.'],
])('a message names a field by its label: %s', (message, label, text) => expect(withLabel(message, label)).toBe(text));

test.each(['A note is needed.', '„Note“ muss mindestens 1 sein.', '„A“ vor 3 Tagen und „B“.'])(
  'a message without such a field stays as it is: %s',
  (message) => expect(withLabel(message, 'Rating')).toBe(message),
);
