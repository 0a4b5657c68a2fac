import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Page } from 'playwright-core';

/**
 * Two made-up languages that show what a translation would break: `en-XA` is English with accents, a third longer and
 * in brackets; `ar-XB` is the same from right to left. The browser gets them in place of the English texts, so that the
 * application is the one that ships.
 */
export const pseudoLocales = ['en-XA', 'ar-XB'] as const;
type PseudoLocale = (typeof pseudoLocales)[number];

const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'áƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŔŠŢÛṼŴẊÝŽ';
const letters = new Map(plain.split('').map((letter, index) => [letter, accented.charAt(index)]));

const accents = (text: string) => text.replaceAll(/[A-Za-z]/g, (letter) => letters.get(letter) ?? letter);

/** Changes the words of a message and leaves what ICU reads alone: names, plural forms, formats. */
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

/** A message in the made-up language. */
export function pseudo(message: string): string {
  const longer = '~'.repeat(Math.ceil(message.replaceAll(/\{[^}]*\}?/g, '').length * 0.3));
  return `⟦${printAST(changeWords(parse(message)))}${longer}⟧`;
}

type Texts = { [key: string]: string | Texts };

const pseudoTexts = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? pseudo(text) : pseudoTexts(text)]),
  );

function englishTexts(): Texts {
  const folder = join(import.meta.dirname, '../web/src/locales/en');
  const parts = globSync('*.json', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
  return Object.assign({}, ...parts.map((part) => JSON.parse(part) as Texts)) as Texts;
}

/** Lets a page speak a made-up language from its next load on. */
export async function speakPseudo(page: Page, locale: PseudoLocale): Promise<void> {
  const texts = JSON.stringify(pseudoTexts(englishTexts()));
  await page.route(/\/assets\/en-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export const en = ${texts};` }),
  );
  await page.route('**/boot.js', async (route) => {
    const response = await route.fetch();
    const direction = locale === 'ar-XB' ? 'rtl' : 'ltr';
    const choice = `\nObject.assign(document.documentElement, { lang: '${locale}', dir: '${direction}' });`;
    await route.fulfill({ response, body: (await response.text()) + choice });
  });
}
