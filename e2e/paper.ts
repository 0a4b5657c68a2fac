import type { Page } from 'playwright-core';
import { extractText, getDocumentProxy } from 'unpdf';
import { expect } from 'vitest';

/**
 * Prints a page in the dark colour scheme and expects what every printed record needs: light colours, no navigation, no
 * buttons, numbered pages, and a footer with who printed it. Returns the printed text.
 */
export async function printed(page: Page): Promise<string> {
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  await page.locator('[data-printed]').waitFor({ state: 'attached' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(scheme).toBe('dark');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect.poll(scheme).toBe('light');
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.locator('main button:not([data-paper]):visible').count()).toBe(0);
  expect(await page.locator('main a[download]:visible').count()).toBe(0);
  const paper = await page.pdf({ preferCSSPageSize: true });
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect.poll(scheme).toBe('dark');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(paper)), { mergePages: true });
  const said = text.replaceAll(/\s+/g, ' ');
  expect(said).toContain(`${totalPages} / ${totalPages}`);
  expect(said).toMatch(/Printed by .+ on \d+ \w+ \d{4}, \d\d:\d\d\./);
  return said;
}
