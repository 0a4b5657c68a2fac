import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Page } from 'playwright-core';
import { compileTexts, type Texts } from '../web/plugins/compiled-texts.ts';

/**
 * Two pseudo-languages that show what a translation would break: `en-XA` is English with accents, a third longer and in
 * brackets; `ar-XB` is the same from right to left. The browser gets them in place of the English texts, so the tested
 * application is the one that ships.
 */
export type PseudoLocale = 'en-XA' | 'ar-XB';

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';
const letters = new Map(plain.split('').map((letter, index) => [letter, accented.charAt(index)]));

const accents = (text: string) => text.replaceAll(/[A-Za-z]/g, (letter) => letters.get(letter) ?? letter);

/** Changes the words of a message and keeps its ICU syntax: names, plural forms, formats. */
function changeWords(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: accents(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: changeWords(element.children) };
    if (!('options' in element)) return element;
    const options = Object.fromEntries(
      Object.entries(element.options).map(([form, { value }]) => [form, { value: changeWords(value) }]),
    );
    return { ...element, options };
  });
}

/** A message in the pseudo-language. */
export function pseudo(message: string): string {
  const length = Math.ceil(message.replaceAll(/\{[^}]*\}?/g, '').length * 0.3);
  // in words, because no language has endlessly long ones
  const longer = '~~~~~~~~ '.repeat(Math.ceil(length / 8)).slice(0, length + Math.floor((length - 1) / 8));
  return `⟦${printAST(changeWords(parse(message)))}${longer}⟧`;
}

const pseudoTexts = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? pseudo(text) : pseudoTexts(text)]),
  );

const folders = ['../contract/locales/en/browser', '../contract/locales/en'].map((path) =>
  join(import.meta.dirname, path),
);
const filesOfTexts = new Map(
  folders.flatMap((folder) => globSync('*.json', { cwd: folder }).map((file) => [file, join(folder, file)] as const)),
);

const pseudoFiles = new Map<string, string>();
function pseudoFile(file: string): string {
  const known = pseudoFiles.get(file);
  if (known) return known;
  const texts = JSON.parse(readFileSync(filesOfTexts.get(file) ?? file, 'utf8')) as Texts;
  const made = JSON.stringify(compileTexts(pseudoTexts(texts)));
  pseudoFiles.set(file, made);
  return made;
}

/** The script with the texts of a part, or with the base texts of every screen, which also know where the parts are. */
function pseudoScript(part: string, url: string): string {
  if (part !== 'base') return `export default ${pseudoFile(`${part}.json`)};`;
  const all = [...filesOfTexts.keys()].map((file) => `...${pseudoFile(file)}`);
  return `export { parts } from '${url}?original'; export const base = { ${all.join(', ')} };`;
}

/** Shows a page in a pseudo-language from its next load on. */
export async function speakPseudo(page: Page, locale: PseudoLocale): Promise<void> {
  const files = /\/assets\/en\/([\w-]+)-[\w-]{7}\.js$/;
  await page.route(files, (route) => {
    const url = route.request().url();
    const part = files.exec(url)?.[1] ?? '';
    return route.fulfill({ contentType: 'text/javascript', body: pseudoScript(part, url) });
  });
  await page.route('**/boot.js', async (route) => {
    const response = await route.fetch();
    const direction = locale === 'ar-XB' ? 'rtl' : 'ltr';
    const choice = `\nObject.assign(document.documentElement, { lang: '${locale}', dir: '${direction}' });`;
    await route.fulfill({ response, body: (await response.text()) + choice });
  });
}
