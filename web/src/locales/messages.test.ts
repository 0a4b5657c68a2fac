import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { createTranslator, IntlErrorCode, type IntlError } from 'use-intl/core';
import { describe, expect, test } from 'vitest';
import { partsOf } from '../../plugins/languages.ts';
import { allTexts } from '../testing/texts.ts';
import { locales } from './locales.ts';

type Texts = { [key: string]: string | Texts };

const flat = (messages: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

const keys = flat(await allTexts('en'));
const source = join(import.meta.dirname, '..');

/** The keys that a translator call may ask for, as patterns: a literal, a template, or any key for a variable. */
function askedBy(argument: string): string[] {
  const texts = [...argument.matchAll(/'([\w.]+)'|`([^`]+)`/g)].map(([, text, template]) => text ?? template ?? '');
  return texts.length > 0 ? texts.map((text) => text.replace(/\$\{[^}]*\}/g, '*')) : ['*'];
}

/** Patterns of all keys that a file asks for, with their namespace. Types already reject unknown keys. */
function asked(file: string): string[] {
  const named = [...file.matchAll(/const (\w+) = useTranslations\(([^)]*)\)/g)];
  const called = named.flatMap(([, name = '', spaces = '']) =>
    [...file.matchAll(new RegExp(`\\b${name}(?:\\.rich)?\\(((?:[^(),]|\\([^()]*\\))+)`, 'g'))].map(
      ([, argument = '']) => ({
        spaces,
        argument,
      }),
    ),
  );
  const atOnce = [...file.matchAll(/useTranslations\(([^)]*)\)\(([^()]+)\)/g)].map(
    ([, spaces = '', argument = '']) => ({ spaces, argument }),
  );
  return [...called, ...atOnce].flatMap(({ spaces, argument }) =>
    (spaces.trim() === '' ? [] : askedBy(spaces)).flatMap((space) => askedBy(argument).map((key) => `${space}.${key}`)),
  );
}

const elementTypes: Partial<Record<TYPE, string>> = {
  [TYPE.argument]: '',
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'select',
  [TYPE.plural]: 'plural',
  [TYPE.tag]: 'tag',
};

/** The parameters of a message in any order: `count plural`, `name`; with the choices of a select. */
function wanted(elements: MessageFormatElement[]): string[] {
  const all = elements.flatMap((element) => {
    const type = elementTypes[element.type];
    if (type === undefined || !('value' in element)) return [];
    const branches = 'options' in element ? Object.values(element.options).flatMap(({ value }) => value) : [];
    const choices = element.type === TYPE.select ? Object.keys(element.options).sort().join(' ') : '';
    const inside = element.type === TYPE.tag ? element.children : branches;
    return [`${element.value} ${type} ${choices}`.trim(), ...wanted(inside)];
  });
  return [...new Set(all)].sort();
}

/** The plural forms of a language that a message lacks. */
const formsMissing = (elements: MessageFormatElement[], language: string): string[] =>
  elements.flatMap((element) => {
    if (element.type !== TYPE.plural) return [];
    const type = element.pluralType ?? 'cardinal';
    const { pluralCategories } = new Intl.PluralRules(language, { type }).resolvedOptions();
    const inside = Object.values(element.options).flatMap(({ value }) => formsMissing(value, language));
    return [...pluralCategories.filter((form) => !(form in element.options)), ...inside];
  });

describe.each(locales)('the texts in $name', async ({ id }) => {
  const texts = flat(await allTexts(id));

  test('have the same keys as in English', () => {
    expect(texts.map(([key]) => key).sort()).toEqual(keys.map(([key]) => key).sort());
  });

  test('are well-formed messages', () => {
    const faults: string[] = [];
    for (const [key, text] of texts) {
      const onError = ({ code, message }: IntlError) => {
        // No values are given here, so only invalid messages count as errors.
        if (code === IntlErrorCode.INVALID_MESSAGE) faults.push(`${key}: ${message}`);
      };
      createTranslator({ locale: id, messages: { text }, onError })('text');
      if (text.trim() !== text || text === '') faults.push(`${key}: white space at an end`);
    }
    expect(faults).toEqual([]);
  });

  test('have the same parameters as in English', () => {
    const english = new Map(keys);
    const own = texts.map(([key, text]) => ({ key, values: wanted(parse(text)) }));
    expect(own).toEqual(texts.map(([key]) => ({ key, values: wanted(parse(english.get(key) ?? '')) })));
  });

  test('have every plural form of the language', () => {
    expect(texts.flatMap(([key, text]) => formsMissing(parse(text), id).map((form) => `${key}: ${form}`))).toEqual([]);
  });
});

test('German has a space before an ellipsis, which stands for words that follow', async () => {
  const german = flat(await allTexts('de'));
  expect(german.filter(([, text]) => text.endsWith(' …')).length).toBeGreaterThan(50);
  expect(german.filter(([, text]) => /\p{L}…/u.test(text))).toEqual([]);
});

test('every message is used', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source, exclude: (file) => file.includes('.test.') });
  const asks = new Set(files.flatMap((file) => asked(readFileSync(join(source, file), 'utf8'))));
  // most keys are asked for by their name: only the others are compared with every pattern
  const patterns = [...asks].filter((key) => key.includes('*'));
  const uses = patterns.map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`));
  expect(keys.map(([key]) => key).filter((key) => !asks.has(key) && !uses.some((use) => use.test(key)))).toEqual([]);
});

test('every language has the files of English', () => {
  for (const { id } of locales) expect([...partsOf(id).keys()]).toEqual([...partsOf('en').keys()]);
});

test('no two parts share a top-level key', () => {
  for (const { id } of locales) {
    const names = [...partsOf(id).values()].flatMap((file) =>
      Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object),
    );
    expect(new Set(names).size, `${id}: ${names.sort().join(' ')}`).toBe(names.length);
  }
});
