import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { findChromium } from '../scripts/chromium.ts';
import { watchRequests } from './still.ts';

const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page lives for seconds: to optimise its code costs more than it gains.
  '--js-flags=--no-turbofan --no-maglev',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags });

/** The size of a window unless a test asks for another. */
export const desktop = { width: 1_440, height: 900 };

/** Refusals the journeys provoke; a browser reports each as an error of the console. */
const provoked = /the server responded with a status of (401|404|422)/;

/**
 * A page in a context of its own. `problems` collects whatever a healthy page never does: uncaught errors, errors on
 * the console, violations of the content security policy, requests that leave the service.
 */
export async function openPage(
  browser: Browser,
  address: string,
  device: BrowserContextOptions = {},
  problems: string[] = [],
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    baseURL: address,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // the first size that looks are checked in: to lay a page out anew takes long
    viewport: desktop,
    reducedMotion: 'reduce',
    ...device,
  });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  watchRequests(page);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const bad = message.type() === 'error' || message.text().includes('Content Security Policy');
    if (bad && !provoked.test(message.text())) problems.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    // what the browser holds itself goes nowhere
    if (
      !request
        .url()
        .replace(/^blob:/, '')
        .startsWith(address)
    )
      problems.push(`left the service: ${request.url()}`);
  });
  return { page, problems };
}
