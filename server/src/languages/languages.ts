import type { LetterKind, MessageKey, Text } from '@tenure/contract';
import { readCatalogues } from './catalogue.ts';
import type { AuditWords, Catalogue, LanguageId, Letter } from './catalogue.ts';
import { voiceOf } from './render.ts';
import type { Voice } from './render.ts';

/** The shipped languages. English comes first: it is the language of the source and the default. */
export const catalogues: ReadonlyMap<LanguageId, Catalogue> = readCatalogues();
const english = catalogues.get('en') as Catalogue;

const catalogueOf = (language: LanguageId): Catalogue => catalogues.get(language) ?? english;

const voices = new Map<LanguageId, Voice>();

function voiceIn(language: LanguageId): Voice {
  const known = voices.get(language);
  if (known) return known;
  const voice = voiceOf(catalogueOf(language));
  voices.set(language, voice);
  return voice;
}

/** Renders a text in a language. */
export const render = (language: LanguageId, text: Text): string => voiceIn(language).say(text);
/** The labels of a record's field in all languages. */
export const labelsOf = (record: string, field: string): string[] =>
  [...catalogues.values()].flatMap(({ labels }) => labels[record]?.[field] ?? []);
/** The names of a column in a type of import, in all languages. */
export const columnNamesOf = (type: string, field: string): string[] =>
  [...catalogues.values()].flatMap(({ columns }) => columns[type]?.[field] ?? []);

/** A word in lower case, with one space in place of spaces, `_` and `-`. */
const plainWord = (word: string) =>
  word
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ');
const choicesByWord = new Map<string, ReadonlyMap<string, string>>();

/** The choice of a field that has this label in one of the languages. */
export function choiceCalled(field: string, word: string): string | undefined {
  const known =
    choicesByWord.get(field) ??
    new Map(
      [...catalogues.values()].flatMap(({ choices }) =>
        Object.entries(choices[field] ?? {}).map(([choice, name]) => [plainWord(name), choice] as const),
      ),
    );
  choicesByWord.set(field, known);
  return known.get(plainWord(word));
}
/** The label of a record's field in a language. */
export const labelIn = (language: LanguageId, record: string, field: string): string =>
  catalogueOf(language).labels[record]?.[field] ?? field;
/** The words of the audit log in a language, with the labels of the fields of records. */
export const auditWordsIn = (language: LanguageId): AuditWords & Pick<Catalogue, 'labels'> => {
  const { audit, labels } = catalogueOf(language);
  return { ...audit, labels };
};
/** For formatting lists, numbers and days in a language. */
export const localeOf = (language: LanguageId): string => catalogueOf(language).locale;
/** The initial text of a letter template. */
export const letterIn = (language: LanguageId, kind: LetterKind): Letter => catalogueOf(language).letters[kind];
/** For logs and errors, which are in English. */
export const inEnglish = (text: Text): string => render('en', text);

/** True for the key of a message. */
export const isMessage = (key: string): key is MessageKey => english.messages.has(key);
/** The keys of all messages. */
export const messageKeys: readonly MessageKey[] = [...english.messages.keys()].filter(isMessage);
/** The words of a message without its placeholders, for searching. */
export const wordsIn = (language: LanguageId, key: MessageKey): string => voiceIn(language).read(key).words;
/** The names of a message's placeholders. */
export const placesIn = (language: LanguageId, key: MessageKey): readonly string[] =>
  voiceIn(language).read(key).places;
