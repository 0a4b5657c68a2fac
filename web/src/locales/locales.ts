import type { Messages } from './en.ts';

/** Every language on offer, in its own name. `format` decides how dates and numbers are written. */
export const locales = [
  { id: 'en', name: 'English', format: 'en-GB', load: () => import('./en.ts').then(({ en }) => en) },
  { id: 'de', name: 'Deutsch', format: 'de-DE', load: () => import('./de.ts').then(({ de }) => de) },
] as const satisfies readonly { id: string; name: string; format: string; load: () => Promise<Messages> }[];

export type LocaleId = (typeof locales)[number]['id'];

/** A language with its texts. */
export type Language = { id: LocaleId; format: string; messages: Messages };

/** The language on offer for a BCP 47 tag, `de-AT` being German; undefined for others. */
export const offered = (tag: string): LocaleId | undefined =>
  locales.find(({ id }) => id === tag.split('-')[0]?.toLowerCase())?.id;

/** Loads the texts of a language; without one, of the language boot.js chose before the first paint. */
export async function loadLanguage(id = offered(document.documentElement.lang)): Promise<Language> {
  const locale = locales.find((one) => one.id === id) ?? locales[0];
  return { id: locale.id, format: locale.format, messages: await locale.load() };
}

const key = 'tenure.locale';

/** The language somebody chose on this device, if anybody did. */
export function storedChoice(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Remembers a choice for boot.js; without storage it lasts as long as the page. */
export function storeChoice(id: LocaleId): void {
  try {
    localStorage.setItem(key, id);
  } catch {
    // a browser that keeps nothing asks the profile again next time
  }
}
