import { locales as found } from 'virtual:languages';
import type { Base, Messages, Part, Parts } from './texts.gen.ts';
import { secondTry } from './second-try.ts';

export type LocaleId = string;
type Available = {
  id: LocaleId;
  /** In its own language. */
  name: string;
  /** The locale of dates and numbers. */
  format: string;
  direction: 'ltr' | 'rtl';
  load: () => Promise<{ base: Base; parts: { [P in Part]: () => Promise<{ default: Parts[P] }> } }>;
};

/** The available languages; English, the default, comes first. */
export const locales = found as readonly [Available, ...Available[]];

/** A language with the texts loaded so far: the base and the parts that screens needed. */
export type Language = { id: LocaleId; format: string; messages: Messages };

/** The available language of a BCP 47 tag, such as German for `de-AT`; undefined if there is none. */
export const matchLocale = (tag: string): LocaleId | undefined =>
  locales.find(({ id }) => id === tag.split('-')[0]?.toLowerCase())?.id;

const localeOf = (id: LocaleId | undefined) => locales.find((one) => one.id === id) ?? locales[0];

/** The name of a language in itself; the tag if the language is not available. */
export const languageName = (tag: string): string => locales.find(({ id }) => id === matchLocale(tag))?.name ?? tag;

/** Whether a language is written from left to right or from right to left. */
export const directionOf = (id: LocaleId) => localeOf(id).direction;

const needed = new Set<Part>();
let spoken: Language | undefined;

async function textsOf(id: LocaleId, names: readonly Part[]): Promise<object[]> {
  const { parts } = await localeOf(id).load();
  return Promise.all(names.map(async (name) => (await parts[name]()).default));
}

/**
 * Loads a language with all parts needed so far; by default, the language that boot.js chose before the first paint.
 */
export async function loadLanguage(id = matchLocale(document.documentElement.lang)): Promise<Language> {
  const locale = localeOf(id);
  const names = [...needed];
  const [{ base }, texts] = await Promise.all([locale.load(), textsOf(locale.id, names)]);
  if (needed.size > names.length) return loadLanguage(id);
  // The type claims that every part is loaded: a test ensures that each screen names the parts it reads.
  const messages = Object.assign({}, base, ...texts) as Messages;
  spoken = { id: locale.id, format: locale.format, messages };
  return spoken;
}

/**
 * Loads the texts of these parts in the language of the page. They join the messages in use. No component on the
 * screen reads them yet, so no render is needed.
 */
async function needTexts(names: readonly Part[]): Promise<void> {
  const language = spoken;
  const missing = names.filter((name) => !needed.has(name));
  if (language && missing.length > 0) {
    const texts = await textsOf(language.id, missing);
    if (language !== spoken) return needTexts(names);
    Object.assign(language.messages, ...texts);
  }
  for (const name of names) needed.add(name);
}

/** Loads a module together with the texts it reads. */
export async function withTexts<Module>(load: () => Promise<Module>, parts: readonly Part[]): Promise<Module> {
  const [module] = await secondTry(() => Promise.all([load(), needTexts(parts)]));
  return module;
}

const key = 'tenure.locale';

/** The language stored on this device, or null. */
export function storedChoice(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a choice for boot.js; without storage it lasts until the page is closed. */
export function storeChoice(id: LocaleId): void {
  try {
    localStorage.setItem(key, id);
  } catch {
    // a browser without storage reads the profile again next time
  }
}
