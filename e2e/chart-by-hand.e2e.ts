import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPage } from './browser.ts';
import { settled, signIn } from './demo-pages.ts';
import { stage } from './journey.ts';
import { clickAt, drag, pointOf, swipe, tapAt } from './pointer.ts';
import { startDemo } from './service.ts';

/** The organisation chart by mouse and by finger: at points of the screen, not through its elements. */

const { service: demo, browser } = await stage(startDemo);

const faces = (page: Page) => page.locator('[data-card] > button:first-child');
const drawer = (page: Page) => page.getByRole('dialog', { name: 'Person' });
const pill = (page: Page) => page.locator('[data-card] > button[aria-expanded=false]');

/** A point of the canvas without a card. */
const clear = (page: Page) =>
  page.evaluate(() => {
    const area = document.querySelector('.react-flow__pane')?.getBoundingClientRect();
    if (!area) throw new Error('There is no canvas');
    for (let y = area.bottom - 130; y > area.top; y -= 20)
      for (let x = area.left + 90; x < area.right - 260; x += 20)
        if (document.elementFromPoint(x, y)?.classList.contains('react-flow__pane')) return { x, y };
    throw new Error('Cards are everywhere');
  });

const boxOf = async (page: Page) => {
  const box = await faces(page).first().boundingBox();
  if (!box) throw new Error('There is no card');
  return box;
};
const left = async (page: Page) => Math.round((await boxOf(page)).x);
const width = async (page: Page) => Math.round((await boxOf(page)).width);

async function openChart(page: Page): Promise<void> {
  await signIn(page, demo);
  await page.goto('/org-chart?view=chart');
  await settled(page);
  await faces(page).first().waitFor();
}

describe('with a mouse', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    ({ page, problems } = await openPage(browser, demo.address));
    await openChart(page);
  });

  test('the chart is drawn where it stays, so that an early press meets its card', async () => {
    await page.addInitScript(() => {
      const places: string[] = [];
      Object.assign(globalThis, { places });
      const look = () => {
        const card = document.querySelector('[data-card] > button:first-child');
        const { x, width } = card?.getBoundingClientRect() ?? { x: 0, width: 0 };
        const place = `${Math.round(x)} ${Math.round(width)}`;
        if (card && !places.includes(place)) places.push(place);
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    for (const address of ['/org-chart?view=chart&focus=20', '/org-chart?view=chart']) {
      await page.goto(address);
      await faces(page).first().waitFor();
      await settled(page);
      expect(await page.evaluate('places'), address).toHaveLength(1);
    }
  });

  test('a card opens what it stands for, and what is below it', async () => {
    await clickAt(faces(page).first());
    await drawer(page).waitFor();
    await clickAt(drawer(page).getByRole('button', { name: 'Close' }));
    await drawer(page).waitFor({ state: 'detached' });
    const before = await faces(page).count();
    await clickAt(pill(page).first());
    await expect.poll(() => faces(page).count()).toBeGreaterThan(before);
    const shown = await faces(page).count();
    await clickAt(page.locator('[data-card] > button[aria-expanded=true]').first());
    await expect.poll(() => faces(page).count()).toBeLessThan(shown);
    await clickAt(pill(page).first());
    await expect.poll(() => faces(page).count()).toBe(shown);
  });

  test('dragging moves the chart, also from a card, and opens nothing', async () => {
    const from = await clear(page);
    const before = await left(page);
    await drag(page, from, { x: from.x + 120, y: from.y - 30 });
    await expect.poll(() => left(page)).toBe(before + 120);
    const onCard = await pointOf(faces(page).first());
    await drag(page, onCard, { x: onCard.x - 120, y: onCard.y + 30 });
    await expect.poll(() => left(page)).toBe(before);
    await page.waitForTimeout(300);
    expect(await drawer(page).count()).toBe(0);
  });

  test('the wheel zooms where the mouse is, and so does a pinch on its pad', async () => {
    const point = await pointOf(faces(page).first());
    const before = await width(page);
    await page.mouse.move(point.x, point.y);
    await page.mouse.wheel(0, 300);
    await expect.poll(() => width(page)).toBeLessThan(before);
    const small = await width(page);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => width(page)).toBeGreaterThan(small);
    const middle = await pointOf(faces(page).first());
    expect([Math.abs(middle.x - point.x) < 3, Math.abs(middle.y - point.y) < 3]).toEqual([true, true]);
    const large = await width(page);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 40);
    await page.keyboard.up('Control');
    await expect.poll(() => width(page)).toBeLessThan(large);
    expect(await page.evaluate('visualViewport.scale')).toBe(1);
  });

  test('no page had an error, broke the content security policy or left the service', () => {
    expect(problems).toEqual([]);
  });
});

describe('with fingers', () => {
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    ({ page, problems } = await openPage(browser, demo.address, phone));
    await openChart(page);
  });

  test('one finger opens a card and what is below it', async () => {
    await tapAt(faces(page).first());
    await drawer(page).waitFor();
    await tapAt(drawer(page).getByRole('button', { name: 'Close' }));
    await drawer(page).waitFor({ state: 'detached' });
    const before = await page.locator('[data-card] > button[aria-expanded=true]').count();
    await tapAt(page.locator('[data-card] > button[aria-expanded=true]').first());
    await expect.poll(() => page.locator('[data-card] > button[aria-expanded=true]').count()).toBeLessThan(before);
    await tapAt(pill(page).first());
    await expect.poll(() => page.locator('[data-card] > button[aria-expanded=true]').count()).toBe(before);
  });

  test('one finger moves the chart, two make it larger, and the page stays as it is', async () => {
    const touch = await page.context().newCDPSession(page);
    const { x, y } = await pointOf(faces(page).first());
    const before = await left(page);
    await swipe(touch, [{ from: { x, y }, to: { x: x + 60, y: y + 40 } }]);
    await expect.poll(() => left(page)).toBeGreaterThan(before + 40);
    const size = await width(page);
    const middle = await pointOf(faces(page).first());
    const apart = (by: number) => [
      { x: middle.x - by, y: middle.y },
      { x: middle.x + by, y: middle.y },
    ];
    const [[a, b], [c, d]] = [apart(30), apart(60)] as [{ x: number; y: number }[], { x: number; y: number }[]];
    if (!a || !b || !c || !d) throw new Error('Two fingers');
    await swipe(touch, [
      { from: a, to: c },
      { from: b, to: d },
    ]);
    await expect.poll(() => width(page)).toBeGreaterThan(size * 1.3);
    expect(await page.evaluate('visualViewport.scale')).toBe(1);
    expect(await drawer(page).count()).toBe(0);
  });

  test('no page had an error, broke the content security policy or left the service', () => {
    expect(problems).toEqual([]);
  });
});
