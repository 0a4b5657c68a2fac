import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { scrollsSideways } from './accessible.ts';
import { desktop, openPage } from './browser.ts';
import { follow, onEveryPage, recordsOf, settled, signIn } from './demo-pages.ts';
import { stage } from './journey.ts';
import { pseudo, speakPseudo, type PseudoLocale } from './pseudo.ts';
import { startDemo } from './service.ts';
import { still } from './still.ts';
import { listenForUntranslated } from './untranslated.ts';

const { service: demo, browser } = await stage(startDemo);
const ids = await recordsOf(browser, demo);

test('words of a message change, and nothing of what ICU reads', () => {
  expect(pseudo('Hello, {name}')).toBe('⟦Ĥéļļö, {name}~~~⟧');
  expect(pseudo('{count, plural, one {# person} other {# people}}')).toMatch(
    /^⟦\{count, ?plural, ?one ?\{# þéŕšöñ\} ?other ?\{# þéöþļé\}\}~*⟧$/,
  );
});

const phone = { width: 320, height: 780 };

const expectToFit = async (page: Page, name: string) =>
  expect.soft(await scrollsSideways(page), `${name} scrolls sideways at 320`).toBe(false);

/** Walks through every screen in a language, from the sign-in on. */
async function walk(page: Page, locale: PseudoLocale, look: (name: string) => Promise<void>): Promise<void> {
  await speakPseudo(page, locale);
  await page.goto('/login');
  await settled(page);
  await look(`${locale} signIn`);
  await signIn(page, demo);
  await onEveryPage(page, ids, (name) => look(`${locale} ${name}`), { go: follow });
  expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar-XB' ? 'rtl' : 'ltr');
}

test('every screen is translated, and fits a phone with words longer than those of any language', async () => {
  const { page, problems } = await openPage(browser, demo.address);
  const untranslated = listenForUntranslated(page);
  await walk(page, 'en-XA', async (name) => {
    expect.soft(await untranslated(), name).toEqual([]);
    await page.setViewportSize(phone);
    await still(page);
    await expectToFit(page, name);
    expect.soft(await untranslated(), `${name} at 320`).toEqual([]);
    await page.setViewportSize(desktop);
  });
  expect(problems).toEqual([]);
  await page.context().close();
}, 400_000);

test('every screen fits a phone from right to left', async () => {
  const { page, problems } = await openPage(browser, demo.address, { viewport: phone });
  await walk(page, 'ar-XB', (name) => expectToFit(page, name));
  expect(problems).toEqual([]);
  await page.context().close();
}, 400_000);

test('German: the language is chosen before signing in, and messages of the service follow it', async () => {
  const { page, problems } = await openPage(browser, demo.address);
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  await page.goto('/login');
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await page.getByText('„E-Mail“ ist erforderlich.').waitFor();
  loaded.length = 0;
  await page.reload();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  // the texts of one language and of this screen only, fetched once though the first were asked for ahead
  const texts = loaded.flatMap((url) => /\/assets\/(\w+\/[\w-]+)-[\w-]{8}\.js$/.exec(url)?.[1] ?? []);
  expect(texts).toEqual(['de/base', 'de/sign-in']);
  await signIn(page, demo);
  await page.getByRole('heading', { name: /^Guten Tag/ }).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});

test('a browser in German gets German at its first visit', async () => {
  const context = await browser.newContext({ baseURL: demo.address, locale: 'de-AT' });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await context.close();
});
