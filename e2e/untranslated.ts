import { uploadLimits } from '@tenure/contract';
import type { Page, Response } from 'playwright-core';
import { linked } from '../web/src/features/home/linked.ts';
import { countriesIn } from '../web/src/ui/countries.ts';

/** Visible texts and accessible names on the screen. Times are skipped, since the browser writes them. */
const everyText = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts: string[] = [];
    const skipped = 'script, style, time, [lang]:not(html), [aria-hidden=true] > title';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest(skipped) || !element.checkVisibility()) continue;
      if (node instanceof Text) texts.push(node.data.trim());
      else if (node instanceof Element)
        for (const name of ['aria-label', 'placeholder', 'title', 'alt', 'aria-description'])
          texts.push(node.getAttribute(name) ?? '');
    }
    return texts.concat(document.title);
  });

/** Three plain letters, which no pseudo-language has. */
const plain = /[A-Za-z]{3}/;

/** A value that a person wrote, not one of a fixed list such as `full_time` or `employee.created`. */
const isData = (value: string) => value.length > 1 && (/[^a-z_.-]/.test(value) || /\.(csv|xlsx|pdf|zip)$/.test(value));

/** What people wrote. The cells of a file and units always count, even if they equal a value of a fixed list. */
function dataIn(value: unknown, isFree = false): string[] {
  if (typeof value === 'string') return value !== '' && (isFree || isData(value)) ? piecesOf(value) : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => dataIn(inner, isFree || key === 'cells' || key === 'unit'));
}

const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

/**
 * A text, and the pieces of it that a screen shows: its lines, the text around links and placeholders, the parts of an
 * address that wraps, and the first digits of a hash, which can be letters only.
 */
const piecesOf = (text: string): string[] => {
  if (isHash(text)) return [text, text.slice(0, 8)];
  const pieces = [
    text.split('\n'),
    text.split(/\{\{\w+\}\}|\n/),
    text.split(/(?=@)/),
    linked(text).map((piece) => piece.text),
  ].flat();
  return [text, ...pieces.map((piece) => piece.trim()).filter((piece) => piece.length > 3)];
};

/** Names of months, which the browser writes. */
const months = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 1))).flatMap((day) =>
  (['short', 'long'] as const).map((style) => day.toLocaleDateString('en-GB', { month: style, timeZone: 'UTC' })),
);

/**
 * Collects the answers of the service, and returns the texts on the screen that are neither data nor in the
 * pseudo-language, whose letters all have accents.
 */
export function listenForUntranslated(page: Page) {
  const data = new Set<string>([
    'Tenure',
    'English',
    'Deutsch',
    'Chrome',
    'Linux',
    ...months,
    // the browser writes these too
    ...countriesIn('en-GB').map(({ name }) => name),
    ...uploadLimits.attachment.types,
  ]);
  const reading = new Set<Promise<void>>();
  const read = async (response: Response) => {
    const body: unknown = await response.json().catch(() => null);
    for (const value of dataIn((body as { data?: unknown } | null)?.data)) data.add(value);
  };
  page.on('response', (response) => {
    const isStream = response.request().resourceType() === 'eventsource';
    if (!response.url().includes('/api/') || response.status() !== 200 || isStream) return;
    const one = read(response).finally(() => reading.delete(one));
    reading.add(one);
  });
  return async (): Promise<string[]> => {
    await Promise.all(reading);
    const known = [...data].sort((a, b) => b.length - a.length);
    const left = (text: string) => known.reduce((rest, value) => rest.replaceAll(value, ' '), text);
    const words = [...new Set(await everyText(page))].filter((text) => plain.test(text));
    return words.filter((text) => plain.test(left(text)));
  };
}
