import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeEach } from 'vitest';
import { openBrowser, openPage } from './browser.ts';

type Started = { address: string; stop: () => Promise<void> };

const pictures = join(import.meta.dirname, '../test-results');

/** A service and a browser for the tests of a file; both stop after its last test. */
export async function stage<Service extends Started>(
  start: () => Promise<Service>,
): Promise<{ service: Service; browser: Browser }> {
  const [service, browser] = await Promise.all([start(), openBrowser()]);
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });
  return { service, browser };
}

/**
 * Turns the tests of a file into the steps of one story. The first failure leaves a screenshot of every open page as
 * `test-results/<name>-failed-<n>.png`, and the tests after it are skipped.
 */
export function stepwise(name: string, browser: Browser): void {
  let broken = false;
  beforeEach(({ onTestFailed, skip }) => {
    skip(broken, 'an earlier step failed');
    onTestFailed(async () => {
      broken = true;
      const pages = browser.contexts().flatMap((context) => context.pages());
      for (const [n, page] of pages.entries())
        await page.screenshot({ path: join(pictures, `${name}-failed-${n + 1}.png`) });
    });
  });
}

/**
 * A file whose tests are the steps of one story (see `stepwise`) on one page. `problems` collects what a healthy page
 * never causes (see `openPage`); the last step expects it to be empty.
 */
export async function journey<Service extends Started>(
  name: string,
  start: () => Promise<Service>,
): Promise<{ service: Service; browser: Browser; page: Page; problems: string[] }> {
  const { service, browser } = await stage(start);
  stepwise(name, browser);
  return { service, browser, ...(await openPage(browser, service.address)) };
}
