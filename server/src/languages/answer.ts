import { isText } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { ownReasons } from '../wording.ts';
import type { LanguageId } from './accept.ts';
import { german } from './german.ts';
import { render } from './languages.ts';
import type { Reader } from './matcher.ts';

const translators: Partial<Record<LanguageId, Reader>> = { de: german };

/** A message of the service in a language; one nobody has translated stays as it is. */
export const translate = (language: LanguageId, text: string): string => translators[language]?.(text) ?? text;

/** A text as a sentence, or a finished English sentence in a language. */
export const said = (language: LanguageId, text: Text | string): string =>
  isText(text) ? render(language, text) : translate(language, text);

/** Fields of answers that hold messages of the service and nothing a person wrote, with everything below them. */
export const toldFields: ReadonlySet<string> = new Set(['message', 'errors', 'warnings', 'failure', 'refused', 'text']);

/** Whether a field holds messages; of what has a message of its own among told things that one is told alone. */
export const isToldIn = (parent: object, key: string, above: boolean): boolean =>
  toldFields.has(key) || (above && !('message' in parent));

const given: ReadonlySet<unknown> = new Set(Object.values(ownReasons));

/** Where people give reasons, those that the service gave itself. */
const isOwnReason = (key: string, value: unknown): boolean => key.endsWith('reason') && given.has(value);

function inLanguage(value: unknown, say: Reader, told: boolean): unknown {
  if (typeof value === 'string') return told ? (say(value) ?? value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inLanguage(one, say, told));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      inLanguage(inner, say, isToldIn(value, key, told) || isOwnReason(key, inner)),
    ]),
  );
}

const mayTell = new RegExp(`"(${[...toldFields].join('|')})":|reason":"(${[...given].join('|')})"`);

/** A JSON answer with its messages in a language. */
export function answerIn(language: LanguageId, text: string): string {
  const say = translators[language];
  if (!say || !mayTell.test(text)) return text;
  return JSON.stringify(inLanguage(JSON.parse(text), say, false));
}
