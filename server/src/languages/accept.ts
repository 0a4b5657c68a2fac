/** Languages messages are shipped in; the first one is the default and the one the source is written in. */
export const languages = ['en', 'de'] as const;
export type LanguageId = (typeof languages)[number];

const others: readonly string[] = languages.slice(1);

/** What a header says of a language: its weight, and where it stands. */
type Wish = { id: string; weight: number };

/** The ranges of a header, `de-AT` as `de`. A weight that is no number counts as none. */
function wishesOf(accepted: string): Wish[] {
  return accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1';
    return { id: tag.split('-', 1)[0] ?? '', weight: Number(weight) || 0 };
  });
}

/** The shipped language an `Accept-Language` header prefers, weights counted as RFC 9110 says; English by default. */
export function languageOf(accepted: string | undefined): LanguageId {
  const header = accepted?.toLowerCase() ?? '';
  // nearly every header that could only mean English needs no reading
  if (!others.some((id) => header.includes(id))) return languages[0];
  const wishes = wishesOf(header);
  const any = wishes.find(({ id }) => id === '*')?.weight ?? 0;
  const unnamed = languages.filter((id) => !wishes.some((wish) => wish.id === id)).map((id) => ({ id, weight: any }));
  const wanted = [...wishes, ...unnamed].filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  for (const { id } of wanted) {
    const found = languages.find((language) => language === id);
    if (found) return found;
  }
  return languages[0];
}
