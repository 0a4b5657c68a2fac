import type { Page } from 'playwright-core';

/** Requests of a page that have no answer yet. */
const onTheWay = new WeakMap<Page, Set<unknown>>();

/** Tracks the pending requests of a page. The event stream never ends and does not count. */
export function watchRequests(page: Page): void {
  const open = new Set<unknown>();
  onTheWay.set(page, open);
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request);
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  // requests of the document that the page leaves may end without an event
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) open.clear();
  });
}

/** Waits, for at most two seconds, until a page has no pending requests: their answers may move its content. */
export async function answered(page: Page): Promise<void> {
  for (let looks = 0; looks < 40 && (onTheWay.get(page)?.size ?? 0) > 0; looks += 1) await page.waitForTimeout(50);
}

/** Waits until changes are drawn: finite animations have ended, and two frames have passed. */
export const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => void requestAnimationFrame(resolve));
    await frame();
    const passing = document
      .getAnimations()
      .filter(
        ({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
      );
    await Promise.all(passing.map(({ finished }) => finished.catch(() => undefined)));
    await frame();
  });

/** Waits until the document has not changed for a moment; gives up on one that keeps changing. */
const resting = (page: Page): Promise<void> =>
  page.evaluate(
    ({ moment, most }) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(end, moment);
        const last = setTimeout(end, most);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(end, moment);
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        function end() {
          observer.disconnect();
          clearTimeout(last);
          resolve();
        }
      }),
    { moment: 60, most: 3_000 },
  );

/** Waits until a page has no pending requests and no placeholders, has stopped changing and is drawn. */
export async function still(page: Page): Promise<void> {
  const open = onTheWay.get(page);
  const isBusy = () => (open?.size ?? 0) > 0;
  for (let looks = 0; looks < 50; looks += 1) {
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root, [aria-busy=true]'));
    await resting(page);
    if (!isBusy()) break;
  }
  await drawn(page);
}
