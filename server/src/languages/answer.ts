import { isText, text } from '@tenure/contract';
import type { Text } from '@tenure/contract';
import { ownReasons } from '../wording.ts';
import type { LanguageId } from './catalogue.ts';
import { render } from './languages.ts';

/** A text as a sentence; what was stored as a sentence stays one. */
export const said = (language: LanguageId, message: Text | string): string =>
  isText(message) ? render(language, message) : message;

/** Reasons the service gives itself, which are stored in English beside those of people. */
const reasons = new Map<unknown, Text>([
  [ownReasons.employmentEnds, text('reasons.employment_ends')],
  [ownReasons.handedOver, text('reasons.handed_over')],
  [ownReasons.publishWithdrawn, text('reasons.publish_withdrawn')],
  [ownReasons.timeIsOver, text('reasons.time_is_over')],
]);

function inLanguage(value: unknown, key: string, language: LanguageId): unknown {
  if (typeof value === 'string') {
    const reason = key.endsWith('reason') ? reasons.get(value) : undefined;
    return reason ? render(language, reason) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inLanguage(one, key, language));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inLanguage(inner, name, language)]));
}

const mayHold = new RegExp(`reason":"(${[...reasons.keys()].map(String).join('|')})"`);

/** A JSON answer with the service's own reasons in a language. */
export const answerIn = (language: LanguageId, json: string): string =>
  language === 'en' || !mayHold.test(json) ? json : JSON.stringify(inLanguage(JSON.parse(json), '', language));
