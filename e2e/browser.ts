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
  // A page lives for seconds, so optimising its code costs more than it saves.
  '--js-flags=--no-turbofan --no-maglev',
];

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: chromiumFlags });

/** The size of a window unless a test asks for another. */
export const desktop = { width: 1_440, height: 900 };

/** Refusals that the journeys provoke; a browser reports each as a console error. */
const provoked = /the server responded with a status of (401|404|422)/;

/**
 * A page in a browser context of its own. `problems` collects what a healthy page never causes: uncaught errors,
 * console errors, violations of the content security policy, and requests to other origins.
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
    // the first size that looks are checked in, since a new layout takes long
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
    // blob URLs stay inside the browser
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
