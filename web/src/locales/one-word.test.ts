import { expect, test } from 'vitest';
import { allTexts } from '../testing/texts.ts';
import { locales } from './locales.ts';

type Texts = { [key: string]: string | Texts };

/** The texts of a language by the path of their keys. */
const textsIn = (texts: Texts, path = ''): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : textsIn(value, `${path}${key}.`),
  );

const languages = await Promise.all(
  locales.map(async ({ id }) => ({ id, texts: new Map(textsIn(await allTexts(id))) })),
);

test.each(languages)('the action that adds a person has one name in $id', ({ texts }) => {
  const names = ['addPerson.title', 'employees.add', 'home.add', 'palette.action.addEmployee'].map((key) =>
    texts.get(key),
  );
  expect(new Set(names)).toEqual(new Set([texts.get('addPerson.title')]));
});

test.each(languages)('a company and a provider of sign-in have one name in $id', ({ texts }) => {
  const others = [...texts].filter(([, text]) => /\bFirm(a|en)\b|Anmeldeanbieter|Schreibenvorlage/.test(text));
  expect(others).toEqual([]);
});

test.each(languages)('labels that are read in a search field fit into it in $id', ({ texts }) => {
  const keys = [...texts.keys()].filter(
    (key) => key === 'directory.search' || key === 'kpiEvaluations.search' || key.endsWith('.searchRows'),
  );
  expect(keys.length).toBeGreaterThan(5);
  const long = keys.map((key) => texts.get(key) ?? '').filter((text) => text.length > 28);
  expect(long).toEqual([]);
});
