import type { FieldErrors, Message } from '../http/errors.ts';
import { inEnglish } from '../languages/languages.ts';

export const sentenceOf = (message: Message): string => inEnglish(message);

/** Messages about fields, as an English reader gets them. */
export const sentencesOf = (errors: FieldErrors): Record<string, string[]> =>
  Object.fromEntries(Object.entries(errors).map(([field, messages]) => [field, messages.map(sentenceOf)]));
