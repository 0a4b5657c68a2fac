import { isText, text } from '@tenure/contract';
import type { MessageKey, Text, TextArguments } from '@tenure/contract';
import type { LanguageId } from './catalogue.ts';
import { inEnglish, messageKeys, placesIn, render } from './languages.ts';

type ReasonKey = Extract<MessageKey, `reasons.${string}`>;

/** A reason that the service gives itself where people give theirs otherwise, as it is stored. */
export const ownReason = <const K extends ReasonKey>(key: K, ...parameters: TextArguments<K>): string =>
  inEnglish(text(key, ...parameters));

const keysOfReasons = messageKeys.filter((key) => key.startsWith('reasons.'));
const hasPlaces = (key: MessageKey) => placesIn('en', key).length > 0;
const ownReasons = new Map(keysOfReasons.filter((key) => !hasPlaces(key)).map((key) => [inEnglish({ key }), { key }]));

/** What a place of a reason may hold: an id is a number, a name is any text. */
const held = (place: string) => (place === 'id' ? String.raw`\d+` : '.+');

/** The reasons with names in them, as patterns of what is stored. */
const namingReasons = keysOfReasons.filter(hasPlaces).map((key) => {
  const places = placesIn('en', key);
  const parameters = Object.fromEntries(places.map((place) => [place, `\0${place}\0`]));
  const parts = inEnglish({ key, parameters }).split('\0');
  const pattern = parts.map((part, index) => (index % 2 === 1 ? `(?<${part}>${held(part)})` : RegExp.escape(part)));
  return { key, pattern: new RegExp(`^${pattern.join('')}$`, 's') };
});

/** A reason of the service as it was stored, as a text; undefined for what a person wrote. */
function ownReasonIn(stored: string): Text | undefined {
  for (const { key, pattern } of namingReasons) {
    const found = pattern.exec(stored);
    if (found?.groups) return { key, parameters: found.groups };
  }
  return ownReasons.get(stored);
}

/** A text as a sentence. What a person wrote stays as it is; what the service stored is read in the language. */
export function said(language: LanguageId, message: Text | string): string {
  if (isText(message)) return render(language, message);
  const own = ownReasonIn(message);
  return own ? render(language, own) : message;
}
