import Negotiator from 'negotiator';

/** Languages messages are shipped in; the first one is the default and the one the source is written in. */
export const languages = ['en', 'de'] as const;
export type LanguageId = (typeof languages)[number];

const others: readonly string[] = languages.slice(1);

/** The shipped language an `Accept-Language` header prefers, weights counted as RFC 9110 says; English by default. */
export function languageOf(accepted: string | undefined): LanguageId {
  // nearly every header that could only mean English needs no reading
  if (accepted === undefined || !others.some((id) => accepted.toLowerCase().includes(id))) return languages[0];
  const [first] = new Negotiator({ headers: { 'accept-language': accepted } }).languages([...languages]);
  return languages.find((id) => id === first) ?? languages[0];
}
