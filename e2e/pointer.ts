import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { answered } from './still.ts';

export type Point = { x: number; y: number };

/**
 * The middle of an element on the screen, where a pointer reaches it; otherwise the failure names what covers the
 * element. Waits while a button is disabled, as while its dialog loads, and while the page moves.
 */
export async function pointOf(target: Locator): Promise<Point> {
  let point: Point = { x: 0, y: 0 };
  const met = async () => {
    // while the page settles, the element may be rendered again or move, so its position is read each time
    await target.scrollIntoViewIfNeeded().catch(() => undefined);
    const box = await target.boundingBox();
    if (!box) return 'not on the screen';
    const before = point;
    point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    if (before.x !== point.x || before.y !== point.y) return 'moving';
    return target.evaluate((element, { x, y }) => {
      if (element.matches(':disabled')) return 'disabled';
      const hit = document.elementFromPoint(x, y);
      return hit && element.contains(hit) ? 'itself' : (hit?.outerHTML.slice(0, 200) ?? 'nothing');
    }, point);
  };
  await answered(target.page());
  await expect.poll(met, { timeout: 15_000, interval: 20 }).toBe('itself');
  return point;
}

/** Clicks at the position of the element, as a hand does: no event is sent to the element itself. */
export async function clickAt(target: Locator): Promise<void> {
  const { x, y } = await pointOf(target);
  await target.page().mouse.click(x, y);
}

/** Puts a finger on the element and lifts it again; the page needs a touch screen. */
export async function tapAt(target: Locator): Promise<void> {
  const { x, y } = await pointOf(target);
  await target.page().touchscreen.tap(x, y);
}

/** Moves the mouse with its button held. */
export async function drag(page: Page, from: Point, to: Point): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Moves fingers over the screen in small steps, each from its start to its end. */
export async function swipe(touch: CDPSession, fingers: readonly { from: Point; to: Point }[]): Promise<void> {
  const steps = 8;
  const at = (step: number) =>
    fingers.map(({ from, to }, id) => ({
      id,
      x: from.x + ((to.x - from.x) * step) / steps,
      y: from.y + ((to.y - from.y) * step) / steps,
    }));
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
  for (let step = 1; step <= steps; step += 1)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step) });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
