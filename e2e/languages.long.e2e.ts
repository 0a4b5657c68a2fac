import { expect, test } from 'vitest';
import { scrollsSideways } from './accessible.ts';
import { desktop, openPage } from './browser.ts';
import { follow, onEveryPage, recordsOf, settled, signIn } from './demo-pages.ts';
import { stage } from './journey.ts';
import { clickAt } from './pointer.ts';
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

/** Opens every screen in a language, from the sign-in page on, and checks each in these sizes. */
async function expectTranslated(locale: PseudoLocale, sizes: readonly (typeof phone)[]): Promise<void> {
  const { page, problems } = await openPage(browser, demo.address, { viewport: phone });
  const untranslated = listenForUntranslated(page);
  await speakPseudo(page, locale);
  const look = async (name: string) => {
    for (const size of sizes) {
      const place = `${locale} ${name} at ${size.width}`;
      await page.setViewportSize(size);
      await still(page);
      expect.soft(await scrollsSideways(page), `${place} scrolls sideways`).toBe(false);
      expect.soft(await untranslated(), place).toEqual([]);
    }
  };
  for (const [name, address] of [
    ['forgot', '/forgot-password'],
    ['signIn', '/login'],
  ] as const) {
    await page.goto(address);
    await settled(page);
    await look(name);
  }
  await signIn(page, demo);
  await onEveryPage(page, ids, look, { go: follow });
  expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar-XB' ? 'rtl' : 'ltr');
  expect(problems).toEqual([]);
  await page.context().close();
}

test('every screen is translated, and fits with words longer than those of any language', async () => {
  await expectTranslated('en-XA', [desktop, phone]);
}, 400_000);

// for changes of the layout: CONTRIBUTING.md has the command
test.runIf(process.env['EVERY_LOOK'] === 'on')(
  'every screen fits a phone from right to left',
  async () => {
    await expectTranslated('ar-XB', [phone]);
  },
  400_000,
);

test('German: the language is chosen before signing in, and messages of the service follow it', async () => {
  const { page, problems } = await openPage(browser, demo.address);
  const loaded: string[] = [];
  page.on('request', (request) => void loaded.push(request.url()));
  await page.goto('/login');
  await clickAt(page.getByRole('button', { name: 'Deutsch' }));
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await page.getByText('„E-Mail“ ist erforderlich.').waitFor();
  loaded.length = 0;
  await page.reload();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  // only the texts of one language and of this screen, each fetched once although the first are preloaded
  const texts = loaded.flatMap((url) => /\/assets\/(\w+\/[\w-]+)-[\w-]{7}\.js$/.exec(url)?.[1] ?? []);
  // the texts of the passkey button may load later
  expect(texts.filter((name) => name !== 'de/passkeys')).toEqual(['de/base', 'de/sign-in']);
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
