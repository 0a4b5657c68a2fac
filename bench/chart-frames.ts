import type { Page } from 'playwright-core';

const most = 5_000;
const frame = 1_000 / 60;

/** Expands branches of a company's chart until it shows this many people, or all; returns how many. */
async function expandTo(page: Page, company: number): Promise<number> {
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
  await page.goto(`/org-chart?entity_id=${company}`);
  await page.locator('.react-flow__node').first().waitFor();
  for (let before = -1; before < people.size && people.size < most;) {
    before = people.size;
    await page.getByRole('button', { name: 'Fit to screen' }).click();
    await page.waitForTimeout(400);
    await page.evaluate(() => {
      const closed = document.querySelectorAll<HTMLElement>('[data-card] button[aria-expanded=false]');
      for (const one of closed) one.click();
    });
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => !document.querySelector('[data-card] button[aria-busy=true]'));
    await Promise.all(reading);
  }
  return people.size;
}

type Node = { type: string; id: number; children?: Node[] };

function addPeople(nodes: readonly Node[], people: Set<number>): void {
  for (const { type, id, children = [] } of nodes) {
    if (type === 'employee') people.add(id);
    addPeople(children, people);
  }
}

/** Drags the chart about, and zooms out and in with the wheel, as a hand would; returns the length of every frame. */
async function moveAbout(page: Page): Promise<number[]> {
  await page.evaluate(`window.frames_ = []; window.moving = true;
    (function next(before) { requestAnimationFrame((now) => {
      if (before !== undefined) window.frames_.push(now - before);
      if (window.moving) next(now); }); })();`);
  const canvas = await page.locator('.react-flow').boundingBox();
  if (!canvas) throw new Error('no chart');
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height - 60];
  for (const [right, down] of [
    [-380, -200],
    [300, 160],
    [-160, 120],
  ] as const) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 40; step += 1) {
      await page.mouse.move(x + (right * step) / 40, y + (down * step) / 40);
      await page.waitForTimeout(8);
    }
    await page.mouse.up();
  }
  for (const wheel of [...Array<number>(15).fill(60), ...Array<number>(15).fill(-60)]) {
    await page.mouse.wheel(0, wheel);
    await page.waitForTimeout(16);
  }
  return page.evaluate('window.moving = false, window.frames_');
}

export type Frames = { people: number; share: number; longest: number };

/**
 * How smoothly the chart of a company moves with its people expanded: the share of frames that the browser missed
 * (percent of those that a display of 60 Hz shows), and the longest frame in milliseconds.
 */
export async function chartFrames(page: Page, company: number): Promise<Frames> {
  const people = await expandTo(page, company);
  const frames = await moveAbout(page);
  const missed = frames.reduce((sum, length) => sum + Math.max(0, Math.round(length / frame) - 1), 0);
  return { people, share: (100 * missed) / (frames.length + missed), longest: Math.max(...frames) };
}
