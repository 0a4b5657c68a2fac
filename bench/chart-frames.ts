import type { Page } from 'playwright-core';

const most = 5_000;
const frame = 1_000 / 60;

/** Expands branches of the chart until it shows this many people, or all; returns how many. */
async function expandTo(page: Page): Promise<number> {
  const people = new Set<number>();
  const reading = new Set<Promise<void>>();
  page.on('response', (response) => {
    if (!response.url().includes('/api/org-chart')) return;
    const one = response
      .json()
      .then(({ data }: { data: { nodes: Node[] } }) => addPeople(data.nodes, people))
      .catch(() => undefined)
      .finally(() => reading.delete(one));
    reading.add(one);
  });
  await page.goto('/org-chart');
  await page.locator('.react-flow__node').first().waitFor();
  for (let before = -1; before < people.size && people.size < most;) {
    before = people.size;
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    await page.waitForTimeout(400);
    while (await openSeen(page)) await Promise.all(reading);
    for (let move = 0; move < 24 && people.size < most; move += 1) {
      await drag(page, { right: move < 8 ? 900 : -900, down: 0 });
      while (await openSeen(page)) await Promise.all(reading);
    }
  }
  return people.size;
}

/** Expands every branch that is drawn; returns false if there was none. */
async function openSeen(page: Page): Promise<boolean> {
  const count = await page.evaluate(() => {
    const closed = document.querySelectorAll<HTMLElement>('[data-card] button[aria-expanded=false]');
    for (const one of closed) one.click();
    return closed.length;
  });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => !document.querySelector('[data-card] button[aria-busy=true]'));
  return count > 0;
}

type Node = { type: string; id: number; children?: Node[] };

function addPeople(nodes: readonly Node[], people: Set<number>): void {
  for (const { type, id, children = [] } of nodes) {
    if (type === 'employee') people.add(id);
    addPeople(children, people);
  }
}

/** Drags the chart by a number of pixels in 40 steps, holding it in its middle, where there is no button and no map. */
async function drag(page: Page, { right, down }: { right: number; down: number }): Promise<void> {
  const canvas = await page.locator('.react-flow').boundingBox();
  if (!canvas) throw new Error('no chart');
  const [x, y] = [canvas.x + (canvas.width - right) / 2, canvas.y + (canvas.height - down) / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 40; step += 1) {
    await page.mouse.move(x + (right * step) / 40, y + (down * step) / 40);
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
}

/** The position of the card closest to the middle of the canvas. */
const middleCard = (page: Page): Promise<[number, number]> =>
  page.evaluate(() => {
    const place = (of: Element): [number, number] => {
      const { left, top, width, height } = of.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    };
    const canvas = document.querySelector('.react-flow');
    if (!canvas) throw new Error('no chart');
    const [x, y] = place(canvas);
    const away = (of: Element) => Math.hypot(place(of)[0] - x, place(of)[1] - y);
    const cards = [...document.querySelectorAll('[data-card]')].sort((a, b) => away(a) - away(b));
    return cards[0] ? place(cards[0]) : [x, y];
  });

async function dragAbout(page: Page): Promise<void> {
  await drag(page, { right: -380, down: 160 });
  await drag(page, { right: 300, down: -120 });
  await drag(page, { right: -160, down: 40 });
}

/**
 * Drags the whole chart around, zooms in with the wheel until cards are readable, and drags it again, like a user;
 * returns the duration of every frame.
 */
async function moveAbout(page: Page): Promise<number[]> {
  await page.getByRole('button', { name: 'Fit to screen' }).click();
  await page.waitForTimeout(400);
  await page.evaluate(`window.frames_ = []; window.moving = true;
    (function next(before) { requestAnimationFrame((now) => {
      if (before !== undefined) window.frames_.push(now - before);
      if (window.moving) next(now); }); })();`);
  await dragAbout(page);
  await page.mouse.move(...(await middleCard(page)));
  for (const wheel of [...Array<number>(15).fill(60), ...Array<number>(25).fill(-60)]) {
    await page.mouse.wheel(0, wheel);
    await page.waitForTimeout(16);
  }
  await dragAbout(page);
  return page.evaluate('window.moving = false, window.frames_');
}

export type Frames = { people: number; share: number; longest: number };

/**
 * How smoothly the chart moves with 5,000 people expanded: the share of frames that the browser missed
 * (percent of those that a display of 60 Hz shows), and the longest frame in milliseconds.
 */
export async function chartFrames(page: Page): Promise<Frames> {
  const people = await expandTo(page);
  const frames = await moveAbout(page);
  const missed = frames.reduce((sum, length) => sum + Math.max(0, Math.round(length / frame) - 1), 0);
  return { people, share: (100 * missed) / (frames.length + missed), longest: Math.max(...frames) };
}
