import { isText, text } from '@tenure/contract';
import type { MessageKey, Text, TextArguments } from '@tenure/contract';
import type { LanguageId } from './catalogue.ts';
import { inEnglish, messageKeys, placesIn, render } from './languages.ts';

type ReasonKey = Extract<MessageKey, `reasons.${string}`>;

/** A reason given by the service itself where a person would otherwise give one, in stored form. */
export const ownReason = <const K extends ReasonKey>(key: K, ...parameters: TextArguments<K>): string =>
  inEnglish(text(key, ...parameters));

const keysOfReasons = messageKeys.filter((key) => key.startsWith('reasons.'));
const hasPlaces = (key: MessageKey) => placesIn('en', key).length > 0;

/** English sentences that earlier versions stored. */
const formerReasons: readonly [string, ReasonKey][] = [
  ['The right to publish the cycle was withdrawn.', 'reasons.publish_withdrawn'],
  ['Responsibilities were handed over.', 'reasons.handed_over'],
  ['The account may do more than who linked it.', 'reasons.beyond_linker'],
  ['The account may do more than who issued its password.', 'reasons.beyond_issuer'],
  ['The account may do more than who set it up.', 'reasons.beyond_maker'],
  ['The account may do more than who could have added it.', 'reasons.beyond_adder'],
  ['The person came to another company.', 'reasons.other_company'],
];
const ownReasons = new Map<string, Text>([
  ...formerReasons.map(([sentence, key]): [string, Text] => [sentence, { key }]),
  ...keysOfReasons.filter((key) => !hasPlaces(key)).map((key): [string, Text] => [inEnglish({ key }), { key }]),
]);

/** What a placeholder of a reason may contain: an id is a number, a name is any text. */
const held = (place: string) => (place === 'id' ? String.raw`\d+` : '.+');

/** The reasons with placeholders, as patterns of their stored form. */
const namingReasons = keysOfReasons.filter(hasPlaces).map((key) => {
  const places = placesIn('en', key);
  const parameters = Object.fromEntries(places.map((place) => [place, `\0${place}\0`]));
  const parts = inEnglish({ key, parameters }).split('\0');
  const pattern = parts.map((part, index) => (index % 2 === 1 ? `(?<${part}>${held(part)})` : RegExp.escape(part)));
  return { key, pattern: new RegExp(`^${pattern.join('')}$`, 's') };
});

/** A stored reason of the service as a text; undefined for what a person wrote. */
function ownReasonIn(stored: string): Text | undefined {
  for (const { key, pattern } of namingReasons) {
    const found = pattern.exec(stored);
    if (found?.groups) return { key, parameters: found.groups };
  }
  return ownReasons.get(stored);
}

/** Renders a text as a sentence in the language, and so a stored reason of the service. A person's words stay. */
export function renderText(language: LanguageId, message: Text | string): string {
  if (isText(message)) return render(language, message);
  const own = ownReasonIn(message);
  return own ? render(language, own) : message;
}
