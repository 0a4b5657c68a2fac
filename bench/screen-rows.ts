import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import type { Page } from 'playwright-core';
import { findChromium } from '../scripts/chromium.ts';
import { chartFrames } from './chart-frames.ts';
import type { Bench } from './bench.ts';
import { boundRow } from './table.ts';
import type { Row } from './table.ts';

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** Records every task on the page that takes longer than 50 ms, as reported by the browser. */
const watchTasks = `window.longTasks = [];
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.longTasks.push(duration)))
    .observe({ type: 'longtask', buffered: false });`;

/** The longest task while a user turns ten pages of the directory. */
async function paging(page: Page): Promise<number> {
  await page.goto('/employees');
  const next = page.getByRole('button', { name: 'Next page' });
  const shown = page.getByText(/^\d+–\d+ of /);
  await next.click();
  await page.evaluate(watchTasks);
  for (let turn = 0; turn < 10; turn += 1) {
    const before = await shown.textContent();
    await next.click();
    await page.waitForFunction((text) => !document.body.textContent.includes(text), before ?? '');
  }
  return page.evaluate('Math.max(0, ...window.longTasks)');
}

/** How long the org chart takes to be drawn once its data has arrived, and the size of that data. */
async function chart(page: Page): Promise<{ drawn: number; bytes: number }> {
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().includes('/api/org-chart')),
    page.goto('/org-chart'),
  ]);
  const body = await answer.body();
  const arrived = performance.now();
  await page.locator('.react-flow__node').first().waitFor();
  return { drawn: performance.now() - arrived, bytes: gzipSync(body).length };
}

/** What users notice in a browser with all people on record. */
export async function screenRows(bench: Bench): Promise<Row[]> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
  try {
    const context = await browser.newContext({ baseURL: bench.base, viewport: { width: 1440, height: 900 } });
    await context.addCookies(
      bench.admin.cookie.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return { name, value, url: bench.base };
      }),
    );
    const page = await context.newPage();
    const longest = await paging(page);
    const { drawn, bytes } = await chart(page);
    const { people, share, longest: frame } = await chartFrames(page);
    return [
      boundRow('longest task while paging the directory', longest, 'ms', 200),
      boundRow('organisation chart drawn after its data', drawn, 'ms', 1_000),
      boundRow('first answer of the organisation chart, gzip', bytes / 1_000, 'kB', 100),
      boundRow(`frames missed while a chart of ${people.toLocaleString('en')} people is moved`, share, '%', 5),
      boundRow('longest frame of that chart', frame, 'ms', 50),
    ];
  } finally {
    await browser.close();
  }
}
