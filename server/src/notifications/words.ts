import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { languageOf, textsOf } from './texts/languages.ts';

/** The words of a notification `n` as a reader with that locale reads them. */
export function wordsFor({ locale }: { locale: string }): { title: RawBuilder<string>; body: RawBuilder<string> } {
  const texts = JSON.stringify(textsOf(languageOf(locale).language));
  const word = (part: 'title' | 'body') => {
    const of = (variant: RawBuilder<unknown>) => sql`${texts}::jsonb -> (n.event || '.' || ${variant}) ->> ${part}`;
    const template = sql`coalesce(${of(sql`n.variant`)}, ${of(sql`'plain'`)}, n.event)`;
    return sql<string>`coalesce(fill_placeholders(${template}, n.params), '')`;
  };
  return { title: word('title'), body: word('body') };
}
