import { agree } from '../wording.ts';
import { languageNames, languageOf, textsOf } from './texts/languages.ts';

/** The stored parts of a notification's text. */
export type NotificationText = {
  event: string;
  variant: string;
  params: Readonly<Record<string, string | number | null>>;
};

const texts = new Map(languageNames.map((name) => [name, textsOf(languageOf(name).language)]));

/** The texts of a reader's language by `event.variant`. */
export const textsFor = ({ locale }: { locale: string }) => texts.get(languageOf(locale).name) ?? {};

/** A day in the format of a language: `21 Nov 2026`, `21.11.2026`. */
const days = new Map(
  languageNames.map((name) => [
    name,
    new Intl.DateTimeFormat(name === 'en' ? 'en-GB' : name, { dateStyle: 'medium', timeZone: 'UTC' }),
  ]),
);

/** `{count, plural, one {# person takes part} other {# people take part}}`, the syntax of the browser application. */
const plural = /\{(\w+), plural, one \{([^{}]*)\} other \{([^{}]*)\}\}/g;

const inNumber = (template: string, params: NotificationText['params']) =>
  template.replaceAll(plural, (_all, name: string, one: string, several: string) => {
    const count = params[name] ?? 0;
    return agree(Number(count), one, several).replace('#', () => String(count));
  });

/** Fills the {placeholders} of a text; placeholders inside values stay as they are. */
const filled = (template: string, params: NotificationText['params'], language: string) =>
  inNumber(template, params).replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = String(params[name] ?? '');
    const day = name === 'date' ? Date.parse(value) : Number.NaN;
    return Number.isNaN(day) ? value : (days.get(language)?.format(day) ?? value);
  });

/** The title and body of a notification in the reader's language. */
export function wordsFor(
  reader: { locale: string },
  { event, variant, params }: NotificationText,
): { title: string; body: string } {
  const known = textsFor(reader);
  const text = known[`${event}.${variant}`] ?? known[`${event}.plain`] ?? { title: event, body: '' };
  const { name } = languageOf(reader.locale);
  return { title: filled(text.title, params, name), body: filled(text.body, params, name) };
}
