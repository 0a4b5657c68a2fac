import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTranslator, IntlErrorCode, type IntlError } from 'use-intl/core';
import { expect, test } from 'vitest';
import { en } from './en.ts';

type Texts = { [key: string]: string | Texts };

const flat = (messages: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(messages).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

const keys = flat(en);
const source = join(import.meta.dirname, '..');

/** The keys a call of a translator may ask for, as patterns: a text, a template, or whatever a variable holds. */
function askedBy(argument: string): string[] {
  const texts = [...argument.matchAll(/'([\w.]+)'|`([^`]+)`/g)].map(([, text, template]) => text ?? template ?? '');
  return texts.length > 0 ? texts.map((text) => text.replace(/\$\{[^}]*\}/g, '*')) : ['*'];
}

/** Patterns of all keys a file asks for, with their namespace. Types already refuse a key that does not exist. */
function asked(file: string): string[] {
  const named = [...file.matchAll(/const (\w+) = useTranslations\(([^)]*)\)/g)];
  const called = named.flatMap(([, name = '', spaces = '']) =>
    [...file.matchAll(new RegExp(`\\b${name}\\(((?:[^(),]|\\([^()]*\\))+)`, 'g'))].map(([, argument = '']) => ({
      spaces,
      argument,
    })),
  );
  const atOnce = [...file.matchAll(/useTranslations\(([^)]*)\)\(([^()]+)\)/g)].map(
    ([, spaces = '', argument = '']) => ({ spaces, argument }),
  );
  return [...called, ...atOnce].flatMap(({ spaces, argument }) =>
    [...spaces.matchAll(/'([\w.]+)'/g)].flatMap(([, space]) => askedBy(argument).map((key) => `${space}.${key}`)),
  );
}

test.each(keys)('%s is a well-formed message', (_key, text) => {
  const faults: string[] = [];
  const onError = ({ code, message }: IntlError) => {
    // No values are given here, so that a message asks for some is no fault.
    if (code === IntlErrorCode.INVALID_MESSAGE) faults.push(message);
  };
  createTranslator({ locale: 'en', messages: { text }, onError })('text');
  expect(faults).toEqual([]);
  expect(text.trim()).toBe(text);
});

test('every message is used', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source, exclude: (file) => file.includes('.test.') });
  const patterns = new Set(files.flatMap((file) => asked(readFileSync(join(source, file), 'utf8'))));
  const uses = [...patterns].map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`));
  expect(keys.map(([key]) => key).filter((key) => !uses.some((use) => use.test(key)))).toEqual([]);
});
