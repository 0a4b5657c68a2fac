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
/** The variants of an event besides the plain one; `own` is for the person concerned. */
export type VariantOf<E extends NotificationEvent> = E extends keyof Variants ? Variants[E] : never;

type NamesIn<K> = K extends MessageKey ? keyof MessageParameters<Value>[K] : never;
/** The placeholders in title and body, by event or by event and variant. */
type Names = {
  [K in MessageKey as K extends `events.${infer G}.${'title' | 'body'}` ? G : never]: NamesIn<K>;
};
/** Derived from the notification's date when it is read: its tense, and the days since or until then. */
type Worked = 'when' | 'days';
type NamesOf<G extends string> = G extends keyof Names ? Exclude<Names[G], Worked> : never;

/** The parameters of an event's texts: all those of the plain text, and the additional ones of its variants. */
export type ParamsOf<E extends NotificationEvent> = { [N in NamesOf<E>]: Value } & {
  [N in NamesOf<`${E}.${VariantOf<E>}`>]?: Value;
};

/** The group of messages with the texts of a variant, else the plain one; undefined for an unknown event. */
const groupOf = (event: string, variant: string): string | undefined =>
  [`events.${event}.${variant}`, `events.${event}`].find((group) => isMessage(`${group}.title`));

const titleIn = (group: string) => `${group}.title` as MessageKey;
const bodyIn = (group: string) => `${group}.body` as MessageKey;

/** The placeholders in an event's plain texts. */
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

/** Days from a stored day to today, in UTC; negative for a future day. */
function daysSince(date: Value | undefined): number {
  if (!isDay(date)) return -1;
  const day = Temporal.PlainDate.from(String(date).slice(0, 10));
  return day.until(Temporal.Now.plainDateISO('UTC'), { largestUnit: 'day' }).days;
}

function workedOut(date: Value | undefined): Record<Worked, string | number> {
  const days = daysSince(date);
  return { when: days > 0 ? 'past' : days === 0 ? 'today' : 'ahead', days: Math.abs(days) };
}

/** A message with the stored parameters that it has placeholders for. */
function filled(language: LanguageId, key: MessageKey, params: NotificationText['params']): Text {
  const given: NotificationText['params'] = { ...params, ...workedOut(params['date']) };
  return {
    key,
    parameters: Object.fromEntries(
      placesIn('en', key).map((name) => [name, parameterOf(language, name, given[name] ?? null)]),
    ),
  };
}

/** Marks a text as a test. */
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

/** The name of a kind of notification, which is all that a mail says about it. */
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

/** The variants whose text, apart from the parameters, contains a word of a search, as `event.variant`. */
export const variantsWith = (reader: { locale: string }, word: string): string[] => {
  const language = languageOf(reader.locale);
  return everyVariant
    .filter(([event, variant]) => wordsAround(language, event, variant).includes(fold(word)))
    .map((one) => one.join('.'));
};
