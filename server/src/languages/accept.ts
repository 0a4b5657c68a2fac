import type { LanguageId } from './catalogue.ts';
import { catalogues } from './languages.ts';

/** A language in a header, with its weight. */
type Wish = { id: string; weight: number };

/** The language ranges of a header, `de-AT` as `de`. A weight that is not a number counts as none. */
function wishesOf(accepted: string): Wish[] {
  return accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    return { id: tag.split('-', 1)[0] ?? '', weight: Number(weight) || 0 };
  });
}

/**
 * The shipped language that an `Accept-Language` header or a profile's language tag prefers, weighted by RFC 9110;
 * undefined if it names none.
 */
export function acceptedLanguage(accepted: string | undefined): LanguageId | undefined {
  const header = accepted?.toLowerCase() ?? '';
  if (catalogues.has(header)) return header;
  const wishes = wishesOf(header);
  const any = wishes.find(({ id }) => id === '*')?.weight ?? 0;
  const unnamed = [...catalogues.keys()]
    .filter((id) => !wishes.some((wish) => wish.id === id))
    .map((id) => ({ id, weight: any }));
  const wanted = [...wishes, ...unnamed].filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  return wanted.find(({ id }) => catalogues.has(id))?.id;
}

/** The same; English if it names none. */
export function languageOf(accepted: string | undefined): LanguageId {
  const header = accepted?.toLowerCase() ?? '';
  // nearly every header that can only mean English needs no parsing
  const mayMeanAnother = [...catalogues.keys()].some((id) => id !== 'en' && header.includes(id));
  return (mayMeanAnother && acceptedLanguage(header)) || 'en';
}
