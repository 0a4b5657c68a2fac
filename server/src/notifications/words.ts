import { notificationEvents } from '@tenure/contract';
import type { MessageKey, MessageParameters, NotificationEvent, Parameter, Text } from '@tenure/contract';
import { fold } from '../db/fold.ts';
import { languageOf } from '../languages/accept.ts';
import type { LanguageId } from '../languages/catalogue.ts';
import { roleNameIn } from '../languages/role-name.ts';
import { isMessage, messageKeys, placesIn, render, wordsIn } from '../languages/languages.ts';

type Value = string | number | null;

/** The stored parts of a notification's text. */
export type NotificationText = {
  event: string;
  variant: string;
  params: Readonly<Record<string, Value>>;
};

type Variants = {
  [
    K in MessageKey as K extends `events.${infer E}.${string}.title` ? E : never
  ]: K extends `events.${string}.${infer V}.title` ? V : never;
};
/** Other variants an event has than the plain one; `own` is what the person reads whom it is about. */
export type VariantOf<E extends NotificationEvent> = E extends keyof Variants ? Variants[E] : never;

type NamesIn<K> = K extends MessageKey ? keyof MessageParameters<Value>[K] : never;
/** The names in title and body, by event or by event and variant. */
type Names = {
  [K in MessageKey as K extends `events.${infer G}.${'title' | 'body'}` ? G : never]: NamesIn<K>;
};
/** What the date of a notification says today, worked out when it is read: its tense and the days between the two. */
type Worked = 'when' | 'days';
type NamesOf<G extends string> = G extends keyof Names ? Exclude<Names[G], Worked> : never;

/** What the texts of an event need: everything of the plain text, and what its variants use beside that. */
export type ParamsOf<E extends NotificationEvent> = { [N in NamesOf<E>]: Value } & {
  [N in NamesOf<`${E}.${VariantOf<E>}`>]?: Value;
};

/** The group of messages that holds the texts of a variant, else those that all read; undefined for no event. */
const groupOf = (event: string, variant: string): string | undefined =>
  [`events.${event}.${variant}`, `events.${event}`].find((group) => isMessage(`${group}.title`));

const titleIn = (group: string) => `${group}.title` as MessageKey;
const bodyIn = (group: string) => `${group}.body` as MessageKey;

/** The names of what stands in the texts that all read of an event. */
export const placesOf = (event: NotificationEvent): string[] =>
  [titleIn, bodyIn].flatMap((of) => placesIn('en', of(`events.${event}`)));

const isDay = (value: Value | undefined) => !Number.isNaN(Date.parse(String(value)));

function parameterOf(language: LanguageId, name: string, value: Value): Parameter {
  if (name === 'roles')
    return String(value ?? '')
      .split(', ')
      .map((role) => roleNameIn(language, role))
      .join(', ');
  if ((name === 'date' || name === 'until') && isDay(value)) return { date: String(value) };
  return value ?? '';
}

/** Days from a stored day to today, in UTC; negative for a day ahead. */
function daysSince(date: Value | undefined): number {
  if (!isDay(date)) return -1;
  const day = Temporal.PlainDate.from(String(date).slice(0, 10));
  return day.until(Temporal.Now.plainDateISO('UTC'), { largestUnit: 'day' }).days;
}

function workedOut(date: Value | undefined): Record<Worked, string | number> {
  const days = daysSince(date);
  return { when: days > 0 ? 'past' : days === 0 ? 'today' : 'ahead', days: Math.abs(days) };
}

/** A message with those of the stored parameters that it has a place for. */
function filled(language: LanguageId, key: MessageKey, params: NotificationText['params']): Text {
  const given: NotificationText['params'] = { ...params, ...workedOut(params['date']) };
  return {
    key,
    parameters: Object.fromEntries(
      placesIn('en', key).map((name) => [name, parameterOf(language, name, given[name] ?? null)]),
    ),
  };
}

/** A text that says of itself that it is a test. */
export const asTest = (text: Text): Text => ({ key: 'mails.test', parameters: { text } });

/** The title and body of a notification in the reader's language. */
export function wordsFor(
  reader: { locale: string },
  { event, variant, params }: NotificationText,
): { title: string; body: string } {
  const group = groupOf(event, variant);
  if (!group) return { title: event, body: '' };
  const language = languageOf(reader.locale);
  const title = filled(language, titleIn(group), params);
  return {
    title: render(language, variant === 'test' ? asTest(title) : title),
    body: render(language, filled(language, bodyIn(group), params)),
  };
}

/** What a kind of notification is called, which is all that a mail says of it. */
export const kindOf = (event: NotificationEvent): Text => ({ key: `events.${event}.kind` });

const everyVariant: readonly (readonly [event: string, variant: string])[] = [
  ...notificationEvents.flatMap((event) => ['plain', 'own', 'test'].map((variant) => [event, variant] as const)),
  ...messageKeys.flatMap((key) => {
    const [, event, variant] = /^events\.(\w+)\.(\w+)\.title$/.exec(key) ?? [];
    return event && variant ? [[event, variant] as const] : [];
  }),
];

function wordsAround(language: LanguageId, event: string, variant: string): string {
  const group = groupOf(event, variant) ?? '';
  const keys = [titleIn(group), bodyIn(group), ...(variant === 'test' ? (['mails.test'] as const) : [])];
  return fold(keys.map((key) => wordsIn(language, key)).join(' '));
}

/** The variants with a word of a search in the text around their names, as `event.variant`. */
export const variantsWith = (reader: { locale: string }, word: string): string[] => {
  const language = languageOf(reader.locale);
  return everyVariant
    .filter(([event, variant]) => wordsAround(language, event, variant).includes(fold(word)))
    .map((one) => one.join('.'));
};
