import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paths } from '../web/src/paths.ts';
import { scrollsSideways } from './accessible.ts';
import { openBrowser, openPage } from './browser.ts';
import { pseudo, pseudoLocales, speakPseudo } from './pseudo.ts';
import { startDemo, type Demo } from './service.ts';
import { listenForUntranslated } from './untranslated.ts';

let demo: Demo;
let browser: Browser;

beforeAll(async () => {
  [demo, browser] = await Promise.all([startDemo(), openBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await demo?.stop();
});

async function signIn(page: Page): Promise<void> {
  await page.goto('/login');
  await page.locator('input[type=email]').fill(demo.email);
  await page.locator('input[type=password]').fill(demo.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/');
}

/** Calls the service as the application would and gives its data. */
const ask = (page: Page, path: string, form?: Record<string, string>) =>
  page.evaluate(
    async ([address, fields]) => {
      const body = fields && new FormData();
      for (const [name, value] of Object.entries(fields ?? {}))
        body?.set(name, name === 'file' ? new File([value], 'people.csv', { type: 'text/csv' }) : value);
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(`/api/${address}`, {
        headers: { Accept: 'application/json', 'X-XSRF-TOKEN': token },
        ...(body && { method: 'POST', body }),
      });
      return ((await answer.json()) as { data: { id: number } & { id: number }[] }).data;
    },
    [path, form] as const,
  );

/** A record to open for every address that names one. */
async function records(page: Page): Promise<Partial<Record<keyof typeof paths, number>>> {
  const file = readFileSync(join(import.meta.dirname, '../server/src/testing/data/employees-107.csv'), 'utf8');
  const [company] = await ask(page, 'entities');
  const rows = { file, dry_run: 'true', defaults: JSON.stringify({ entity_id: company?.id }) };
  return {
    employee: (await ask(page, 'employees'))[0]?.id ?? 0,
    department: (await ask(page, 'departments'))[0]?.id ?? 0,
    company: company?.id ?? 0,
    import: (await ask(page, 'employees/import', rows)).id,
  };
}

async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForTimeout(300);
  await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy=true]'));
}

test('words of a message change, and nothing of what ICU reads', () => {
  expect(pseudo('Hello, {name}')).toBe('⟦Ĥéļļö, {name}~~~⟧');
  expect(pseudo('{count, plural, one {# person} other {# people}}')).toMatch(
    /^⟦\{count, ?plural, ?one ?\{# þéŕšöñ\} ?other ?\{# þéöþļé\}\}~*⟧$/,
  );
});

describe.each(pseudoLocales)('in %s', (locale) => {
  test('every screen is translated and fits a phone', async () => {
    const { page, problems } = await openPage(browser, demo.address);
    const untranslated = listenForUntranslated(page);
    await speakPseudo(page, locale);
    const look = async (name: string) => {
      await settled(page);
      expect.soft(await untranslated(), `${locale} ${name}`).toEqual([]);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 780 });
        await page.waitForTimeout(100);
        expect.soft(await scrollsSideways(page), `${locale} ${name} scrolls sideways at ${width}`).toBe(false);
        expect.soft(await untranslated(), `${locale} ${name} at ${width}`).toEqual([]);
      }
      await page.setViewportSize({ width: 1_280, height: 800 });
    };
    await page.goto('/login');
    await look('signIn');
    await signIn(page);
    const ids = await records(page);
    for (const [name, path] of Object.entries(paths)) {
      if (name === 'signIn') continue;
      const id = ids[name as keyof typeof paths];
      expect(path.includes('$'), `a record for ${name}`).toBe(id !== undefined);
      await page.goto(path.replace(/\$\w+/, String(id)));
      await look(name);
      const tabs = page.getByRole('tab');
      for (let tab = 1; tab < (await tabs.count()); tab += 1) {
        await tabs.nth(tab).click();
        await look(`${name}, tab ${tab}`);
      }
    }
    expect(await page.locator('html').getAttribute('dir')).toBe(locale === 'ar-XB' ? 'rtl' : 'ltr');
    expect(problems).toEqual([]);
    await page.context().close();
  });
});

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
  // the texts of one language only, fetched once though they were asked for ahead
  const texts = loaded.filter((url) => /\/assets\/(en|de)-/.test(url));
  expect(texts.map((url) => url.replace(/.*\/(en|de)-.*/, '$1'))).toEqual(['de']);
  await signIn(page);
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
