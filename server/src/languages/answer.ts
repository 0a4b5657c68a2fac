import { isText } from '@tenure/contract';
import type { MessageKey, Text } from '@tenure/contract';
import type { LanguageId } from './catalogue.ts';
import { inEnglish, messageKeys, render } from './languages.ts';

/** A reason that the service gives itself where people give theirs otherwise, as it is stored. */
export const ownReason = (key: Extract<MessageKey, `reasons.${string}`>): string => inEnglish({ key });

const ownReasons = new Map(
  messageKeys.filter((key) => key.startsWith('reasons.')).map((key) => [inEnglish({ key }), { key }]),
);

/** A text as a sentence. What a person wrote stays as it is; what the service stored is read in the language. */
export function said(language: LanguageId, message: Text | string): string {
  if (isText(message)) return render(language, message);
  const own = ownReasons.get(message);
  return own ? render(language, own) : message;
}
