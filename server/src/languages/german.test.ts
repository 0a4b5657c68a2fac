import * as contract from '@tenure/contract';
import { describe, expect, test } from 'vitest';
import { attributeName, say, summary } from '../http/errors.ts';
import { attributes } from './de/attributes.ts';
import { phrases } from './de/phrases.ts';
import { german, germanTexts } from './german.ts';

const slots = (text: string) => [...new Set(text.match(/:attribute|\{[a-z]+\d*\}/g))].sort();
const all = [...germanTexts, phrases].flatMap((texts) => Object.entries(texts));

type Schema = { _zod?: { def: Record<string, unknown> & { shape?: Record<string, Schema>; options?: Schema[] } } };

/** Names of all fields below a schema. */
function fieldsOf(schema: unknown): string[] {
  const def = (schema as Schema | undefined)?._zod?.def;
  if (!def) return [];
  const inner = [def['innerType'], def['element'], def['in'], def['out'], def['valueType'], ...(def.options ?? [])];
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, field]) => [name, ...fieldsOf(field)]),
    ...inner.flatMap(fieldsOf),
  ];
}

const endpoints = Object.values(contract)
  .flatMap((group) => (typeof group === 'object' ? Object.values(group as object) : []))
  .filter((one): one is contract.Endpoint => typeof one === 'object' && one !== null && 'permission' in one);

test('every field a request may hold has a German name', () => {
  const names = endpoints.flatMap(({ body, query }) => [...fieldsOf(body), ...fieldsOf(query)]).map(attributeName);
  expect([...new Set(names)].filter((name) => !(name in attributes)).sort()).toEqual([]);
});

test('every validation message of the contract has a German one', () => {
  const texts = Object.values(contract.messages).map((text) =>
    say('entity_id', typeof text === 'string' ? text : text('2026-03-01')),
  );
  expect(texts.filter((text) => german(text) === undefined)).toEqual([]);
});

test('German says everything English says, and nothing of its own', () => {
  const leftOut = 'The given :attribute has appeared in a data leak. Please choose a different :attribute.';
  const uneven = all.filter(([english, text]) => String(slots(english)) !== String(slots(text)));
  expect(uneven.map(([english]) => english)).toEqual([leftOut]);
});

test('no message stands in two files', () => {
  const keys = germanTexts.flatMap((texts) => Object.keys(texts));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

test.each([
  ['The entity id field is required.', '„Unternehmen“ ist erforderlich.'],
  ['The emergency_contact.phone field is required.', '„Notfallkontakt Telefon“ ist erforderlich.'],
  ['The assignments.0.role_id field is required.', '„Rollen 1 Rolle“ ist erforderlich.'],
  ['The name field must not be greater than 1,024 characters.', '„Name“ darf höchstens 1.024 Zeichen lang sein.'],
  ['The joining date field must be a date after 2026-03-01.', '„Eintritt“ muss nach 01.03.2026 liegen.'],
  ['The date of birth field must be a date before today.', '„Geburtsdatum“ muss vor heute liegen.'],
  [
    'The last working date field must be a date after or equal to notice date.',
    '„Letzter Arbeitstag“ darf nicht vor „Gekündigt am“ liegen.',
  ],
  [
    'Acme cannot be deleted: it still has 1 department, 1,205 people and 2 files.',
    'Acme kann nicht gelöscht werden. Vorhanden: 1 Abteilung, 1.205 Personen und 2 Dateien.',
  ],
  [
    'An import that is needs mapping cannot be changed.',
    'Ein Import im Status „Spalten zuzuordnen“ kann nicht geändert werden.',
  ],
  ['Row 5: The email has already been taken.', 'Zeile 5: „E-Mail“ ist schon vergeben.'],
  ['3 departments', '3 Abteilungen'],
])('%s', (english, text) => {
  expect(german(english)).toBe(text);
});

test.each([
  [1, 'Der erste. (und 1 weiterer Fehler)'],
  [4, 'Der erste. (und 4 weitere Fehler)'],
])('a summary counts %i more', (more, text) => {
  const errors = { name: ['Not found.', ...Array.from({ length: more }, () => 'x')] };
  expect(german(summary(errors))).toBe(text.replace('Der erste.', 'Nicht gefunden.'));
});

describe('what people wrote', () => {
  test('stays letter by letter', () => {
    const names = [
      '{list} :attribute',
      '$& $1',
      'Not found.',
      'A and B',
      '„Zitat“',
      '🦉',
      'The name field is required.',
    ];
    for (const name of names)
      expect(german(`The department "${name}" will be created.`)).toBe(`Die Abteilung „${name}“ wird angelegt.`);
  });

  test('is no message', () => {
    expect(german('My own words.')).toBeUndefined();
    expect(german('')).toBeUndefined();
    expect(german('Acme cannot be deleted: it still has bad luck.')).toBeUndefined();
  });

  test('costs time in proportion to its length only', () => {
    // of this thread alone: a busy machine makes nothing slower
    const before = process.threadCpuUsage();
    for (const part of [' cannot be deleted: it still has ', ' and ', '1 department, ', 'The ', '('])
      german(`${part.repeat(4_000)} cannot be deleted: it still has nothing.`);
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(2_000);
  });
});
