import type { NotificationEvent } from '@tenure/contract';
import { de } from './de.ts';
import { en } from './en.ts';
import type { EventTexts, Language, Text } from './shape.ts';

const languages: ReadonlyMap<string, Language> = new Map([
  ['en', en],
  ['de', de],
]);

/** Names of the languages there are texts in. */
export const languageNames = [...languages.keys()];

/** The language of a BCP 47 tag, `de-AT` being German; English for what there are no texts in. */
export function languageOf(locale: string): { name: string; language: Language } {
  const name = locale.toLowerCase().split('-')[0] ?? '';
  const language = languages.get(name);
  return language ? { name, language } : { name: 'en', language: en };
}

const variantsOf = (test: string, event: string, { kind: _kind, title, body, ...variants }: EventTexts) =>
  Object.entries({
    own: { title, body },
    ...variants,
    plain: { title, body },
    test: { title: asTest(test, title), body },
  }).map(([variant, text]) => [`${event}.${variant}`, text] as const);

/** A text that says of itself that it is a test. */
export const asTest = (test: string, text: string) => test.replace('{text}', () => text);

/** All texts of a language by `event.variant`; an account without a variant of its own reads `plain`. */
export const textsOf = ({ events, test }: Language): Readonly<Record<string, Text>> =>
  Object.fromEntries(Object.entries(events).flatMap(([event, texts]) => variantsOf(test, event, texts)));

/** Names of what stands in the texts that all read of an event. */
export function placeholdersOf(event: NotificationEvent): string[] {
  const { title, body } = en.events[event];
  return [...`${title} ${body}`.matchAll(/\{(\w+)(?:\}|, plural,)/g)].map(([, name = '']) => name);
}

type English = (typeof en)['events'];
/** `count` of `{count, plural, one {# person} other {# people}}`, whose forms begin with the number. */
type NameOf<T extends string> = T extends `${infer N}, plural,${string}` ? N : T extends `#${string}` ? never : T;
type NamesIn<T extends string> = T extends `${string}{${infer N}}${infer Rest}` ? NameOf<N> | NamesIn<Rest> : never;
type NamesOf<T> = T extends Text ? NamesIn<T['title'] | T['body']> : never;
type Value = string | number | null;

/** Other variants an event has than the plain one and `own`. */
export type VariantOf<E extends NotificationEvent> = Exclude<keyof English[E], 'kind' | 'title' | 'body'>;

type VariantNames<E extends NotificationEvent> = { [V in VariantOf<E>]: NamesOf<English[E][V]> }[VariantOf<E>];

/** What an event's texts want to know: everything of the plain text, and what its variants use beside that. */
export type ParamsOf<E extends NotificationEvent> = { [N in NamesOf<English[E]>]: Value } & {
  [N in VariantNames<E>]?: Value;
};
