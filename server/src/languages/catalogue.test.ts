import * as contract from '@tenure/contract';
import { isLiteralElement, isPluralElement, isSelectElement, parse } from '@formatjs/icu-messageformat-parser';
import type { MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { cpSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readCatalogues } from './catalogue.ts';
import type { Catalogue } from './catalogue.ts';
import { render } from './languages.ts';
import { voiceOf } from './render.ts';

const catalogues = readCatalogues();
const english = catalogues.get('en') as Catalogue;
const others = [...catalogues.values()].filter(({ id }) => id !== 'en');
const root = fileURLToPath(new URL('../../..', import.meta.url));
const locales = join(root, 'contract/locales');

/** The names of the placeholders of a message. */
function placesOf(elements: readonly MessageFormatElement[]): string[] {
  const names = elements.flatMap((element) => {
    if (isLiteralElement(element) || !('value' in element)) return [];
    const inner = isPluralElement(element) || isSelectElement(element) ? Object.values(element.options) : [];
    return [element.value, ...inner.flatMap(({ value }) => placesOf(value))];
  });
  return [...new Set(names)].sort();
}
const places = (message: string) => placesOf(parse(message, { ignoreTag: true }));

/** The texts of a language; a separate test covers the names of fields. */
const keysOf = ({ messages }: Catalogue) => [...messages.keys()].filter((key) => !key.startsWith('attributes.')).sort();

test('each language says everything English says, and nothing of its own', () => {
  for (const other of others) expect([other.id, keysOf(other)]).toEqual([other.id, keysOf(english)]);
});

test('each language has the places of the English message', () => {
  const uneven = others.flatMap(({ messages }) =>
    [...english.messages].filter(
      ([key, message]) => String(places(message)) !== String(places(messages.get(key) ?? '')),
    ),
  );
  // German says "this password", and its verb does not depend on the number
  const may = ['account.password_leaked', 'departments.still_there'];
  expect(uneven.map(([key]) => key)).toEqual(may);
});

const sources = globSync(['server/src/**/*.ts', 'contract/src/**/*.ts'], { cwd: root })
  .filter((path) => !/\.test\.ts$|\.gen\.ts$|\/testing\//.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
/** Prefixes and suffixes of keys that code composes: `counts.${kind}`. */
const families = [...sources.matchAll(/`([a-z_]+\.[a-z_.]*)\$\{(?!string)[^`]*\}([a-z_.]*)`/g)].map(
  ([, head = '', tail = '']) => ({
    head,
    tail,
  }),
);
const looked = (key: string) => /^(attributes|formats)\./.test(key);

test('each message is used', () => {
  const unused = [...english.messages.keys()].filter(
    (key) =>
      !looked(key) &&
      !sources.includes(`'${key}'`) &&
      !sources.includes(`'${key.replace(/_some$/, '')}'`) &&
      !families.some(({ head, tail }) => key.startsWith(head) && key.endsWith(tail)),
  );
  expect(unused).toEqual([]);
});

test('each kind of task has texts, and no other', () => {
  const kinds = [...english.messages.keys()].flatMap((key) => /^tasks\.(\w+)/.exec(key)?.[1] ?? []);
  expect([...new Set(kinds)].sort()).toEqual([...contract.actionableKinds].sort());
});

test('each letter has the placeholders of the English one, which are those that letters know', () => {
  const named = ({ title, body }: { title: string; body: string }) =>
    [...new Set([...`${title} ${body}`.matchAll(/\{\{(.*?)\}\}/g)].map(([, name = '']) => name))].sort();
  for (const { id, letters } of catalogues.values()) {
    const files = globSync('*.txt', { cwd: join(locales, id, 'letters') });
    expect(files.sort()).toEqual(contract.letterKinds.map((kind) => `${kind}.txt`).sort());
    for (const kind of contract.letterKinds) {
      expect([id, kind, named(letters[kind])]).toEqual([id, kind, named(english.letters[kind])]);
      expect(contract.letterPlaceholders).toEqual(expect.arrayContaining(named(letters[kind])));
      expect(letters[kind]).toEqual({ title: expect.stringMatching(/^\S.*\S$/), body: expect.stringMatching(/^\S/) });
    }
  }
});

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

test('each field a request may hold has a name in each language', () => {
  const names = [...new Set(endpoints.flatMap(({ body, query }) => [...fieldsOf(body), ...fieldsOf(query)]))];
  for (const { id, fields } of others) expect([id, names.filter((name) => !fields.has(name)).sort()]).toEqual([id, []]);
});

test('English names only the fields that are not called as they are written', () => {
  const labels = Object.values(JSON.parse(readFileSync(join(locales, 'en/fields.json'), 'utf8')).fields as object);
  const said = Object.assign({}, ...labels) as Record<string, string>;
  const attributes = [...english.messages].flatMap(([key, name]) =>
    /^attributes\.(.+)/.exec(key)?.[1] ? [[key.slice(11), name] as const] : [],
  );
  const needless = attributes.filter(
    ([field, name]) => (said[field] ?? field.replaceAll('_', ' ')).toLowerCase() === name.toLowerCase(),
  );
  expect(needless).toEqual([]);
});

test('no English message names a field by its column', () => {
  const names = [...new Set(endpoints.flatMap(({ body, query }) => [...fieldsOf(body), ...fieldsOf(query)]))];
  const column = /(^|[ _.])(ids?|pct|q)$|_/;
  const said = (name: string) => english.fields.get(name) ?? name.replaceAll('_', ' ');
  expect(names.filter((name) => column.test(said(name)))).toEqual([]);
});

describe('a third language is one folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-locales-'));
  cpSync(locales, folder, { recursive: true });
  cpSync(join(locales, 'en'), join(folder, 'xx'), { recursive: true });
  for (const path of globSync('xx/messages/*.json', { cwd: folder })) {
    const messages = readFileSync(join(folder, path), 'utf8');
    const mark = (_name: string, message: unknown) => (typeof message === 'string' ? `[${message}]` : message);
    writeFileSync(join(folder, path), JSON.stringify(JSON.parse(messages, mark)));
  }
  const made = readCatalogues(folder).get('xx') as Catalogue;
  const { say } = voiceOf(made);

  test('in which every message can be said', () => {
    for (const [key, message] of made.messages) {
      if (looked(key)) continue;
      const parameters = Object.fromEntries(places(message).map((name) => [name, 2]));
      const said = say({ key: key as contract.MessageKey, parameters });
      expect(said).toMatch(/^\[.+\]$/);
    }
  });

  test('with the names of fields, days and lists', () => {
    const about = {
      key: 'validation.after',
      parameters: { attribute: { field: 'owner_id' }, date: { day: '2026-03-01' } },
    } as const;
    expect(say(about)).toBe('[The [owner] field must be a date after [2026-03-01].]');
  });
});

const both = (text: contract.Text) => [render('en', text), render('de', text)];
const about = (key: contract.MessageKey, field: string, parameters: contract.Text['parameters'] = {}) =>
  both({ key, parameters: { ...parameters, attribute: { field } } });

test.each<[string[], string, string]>([
  [about('validation.required', 'entity_id'), 'The company field is required.', '„Unternehmen“ ist erforderlich.'],
  [
    about('validation.required', 'emergency_contact.phone'),
    'The emergency contact phone field is required.',
    '„Telefon (Notfallkontakt)“ ist erforderlich.',
  ],
  [
    about('validation.required', 'assignments.0.role_id'),
    'The assignment 1 role field is required.',
    '„Rolle (Zuweisung 1)“ ist erforderlich.',
  ],
  [
    about('validation.after', 'joining_date', { date: { day: '2026-03-01' } }),
    'The start date field must be a date after 2026-03-01.',
    '„Eintrittsdatum“ muss nach 01.03.2026 liegen.',
  ],
  [
    about('validation.after_or_equal', 'last_working_date', { date: { field: 'notice_date' } }),
    'The last working day field must be a date after or equal to notice date.',
    '„Letzter Arbeitstag“ darf nicht vor „Kündigungsdatum“ liegen.',
  ],
  [
    both(contract.text('history_imports.not_todays_job', { column: { field: 'job_title' } })),
    'Without a last day this is today’s job, but the job title of the record is different. Enter the last day.',
    'Ohne letzten Tag ist dies die heutige Stelle, aber im Datensatz steht etwas anderes unter „Stellenbezeichnung“. Geben Sie den letzten Tag an.',
  ],
  [
    about('validation.least', 'weight', { least: 1_000.5 }),
    'The weight field must be at least 1000.5.',
    '„Gewicht“ muss mindestens 1000,5 sein.',
  ],
])('%j', (said, inEnglish, inGerman) => {
  expect(said).toEqual([inEnglish, inGerman]);
});

test('what people wrote stays letter by letter', () => {
  for (const name of ['{list} {attribute}', '$& $1', "it's", '<b>', '#', '„Zitat“', '🦉', 'Not found.'])
    expect(both(contract.text('imports.department_will_be_created', { name }))).toEqual([
      `The department “${name}” will be created.`,
      `Die Abteilung „${name}“ wird angelegt.`,
    ]);
});
