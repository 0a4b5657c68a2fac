import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { RunOnly } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { desktop } from './browser.ts';
import { coveredControls } from './reachable.ts';
import { drawn, still } from './still.ts';

const pictures = join(import.meta.dirname, '../test-results/screens');
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const sizes = [
  { name: '1440', ...desktop },
  { name: '390', width: 390, height: 844 },
] as const;
const schemes = ['light', 'dark'] as const;
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules whose result can change with the colour scheme while the content stays the same. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];
const everyRule: RunOnly = { type: 'tag', values: tags };
const coloursAlone: RunOnly = { type: 'rule', values: rulesOfColours };

/** Takes a screenshot for people to look at, if PICTURES is on. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PICTURES'] !== 'on') return;
  await mkdir(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.jpeg`), type: 'jpeg', quality: 85 });
}

async function violations(page: Page, runOnly = everyRule): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  return page.evaluate(async (only) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    // none of these rules reads the style sheets that axe would preload
    const { violations: found } = await injected.run({ runOnly: only, resultTypes: ['violations'], preload: false });
    return found.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`));
  }, runOnly);
}

/** The markup of the page and its visible text. */
const contentOf = (page: Page): Promise<string> => page.evaluate('document.body.outerHTML + document.body.innerText');

/** Is anything wider than the screen? Only what scrolls by keyboard may be: tables, rows of tabs and buttons. */
const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const mayScroll = '[tabindex="0"], [role="tablist"], fieldset, textarea, input, pre';
    return [...document.querySelectorAll('html, body *')].some((element) => {
      if (element.scrollWidth <= element.clientWidth + 1 || element.closest(mayScroll)) return false;
      return element.tagName === 'HTML' || ['auto', 'scroll'].includes(getComputedStyle(element).overflowX);
    });
  });

/** Is anything still wider than the screen after a slow machine had time to lay it out? */
export async function scrollsSideways(page: Page): Promise<boolean> {
  for (let looks = 0; looks < 20; looks += 1) {
    if (!(await isTooWide(page))) return false;
    await page.waitForTimeout(100);
  }
  return true;
}

/** Only panes scroll, not the document around them: a second scrollbar would lead to nothing. */
const scrollsBesideItsPane = (page: Page): Promise<boolean> =>
  page.evaluate(() => (document.scrollingElement?.scrollHeight ?? 0) > innerHeight + 1);

/** Checks the screen as it is, for states that a change of window size would end: an open menu, a sheet. */
export async function expectAccessibleAsIs(page: Page, name: string): Promise<void> {
  await still(page);
  await takePicture(page, name);
  expect.soft(await violations(page), name).toEqual([]);
}

/** Waits until toasts are gone: one can cover a dialog that opens right after it. */
async function confirmationsEnd(page: Page): Promise<void> {
  if ((await page.getByRole('dialog').count()) > 0)
    await page.waitForFunction(() => !document.documentElement.style.getPropertyValue('--toast-room'));
}

type Scheme = (typeof schemes)[number];
type Look = { size: (typeof sizes)[number]; schemes: readonly Scheme[] };
const [large, small] = sizes;

/** Checks the page in these looks: with axe, and whether a pointer reaches every control. */
async function check(page: Page, name: string, looks: readonly Look[]): Promise<void> {
  const before = page.viewportSize();
  for (const { size, schemes: ofSize } of looks) {
    await page.setViewportSize(size);
    await still(page);
    let checked: string | undefined;
    for (const colorScheme of ofSize) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await drawn(page);
      await takePicture(page, `${name}-${size.name}-${colorScheme}`);
      const content = ofSize.length > 1 ? await contentOf(page) : undefined;
      const found = await violations(page, checked !== undefined && content === checked ? coloursAlone : everyRule);
      expect.soft(found, `${name}, ${size.name}, ${colorScheme}`).toEqual([]);
      expect.soft(await scrollsSideways(page), `${name}, ${size.name} scrolls sideways`).toBe(false);
      expect.soft(await scrollsBesideItsPane(page), `${name}, ${size.name} has two scrollbars`).toBe(false);
      checked = content;
    }
    await confirmationsEnd(page);
    expect.soft(await coveredControls(page), `${name}, ${size.name}: controls a pointer does not meet`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
}

/** Checks a page in both colour schemes on a desktop and on a phone. */
export const expectAccessiblePage = (page: Page, name: string): Promise<void> =>
  check(page, name, [
    { size: large, schemes },
    { size: small, schemes },
  ]);

/** Checks a page in two of its four looks: light on a desktop, dark on a phone. */
export const expectAccessible = (page: Page, name: string): Promise<void> =>
  check(page, name, [
    { size: large, schemes: ['light'] },
    { size: small, schemes: ['dark'] },
  ]);
