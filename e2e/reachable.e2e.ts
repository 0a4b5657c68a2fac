import { afterAll, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { clickAt } from './pointer.ts';
import { coveredControls } from './reachable.ts';

const browser = await openBrowser();
afterAll(() => browser.close());

test('a control that a pointer does not meet is found, and no other', async () => {
  const page = await browser.newPage({ viewport: { width: 800, height: 400 } });
  await page.setContent(`
    <button id="free">Free</button>
    <button id="off" disabled>Off</button>
    <button id="dead" style="pointer-events: none">Dead</button>
    <label style="position: relative">Named<input id="switch" type="checkbox" style="pointer-events: none"></label>
    <div style="position: relative; width: 90px">
      <a id="under" href="#">Under</a>
      <div style="position: absolute; inset: 0"></div>
    </div>
    <div style="overflow: hidden; width: 50px; position: relative; height: 20px">
      <button id="beside" style="position: absolute; left: 80px">Beside</button>
    </div>
    <div style="height: 900px"></div>
    <button id="below">Below</button>
    <button id="last" style="opacity: 0">Unseen</button>
    <footer style="position: sticky; bottom: 0; height: 60px; background: white"></footer>`);
  const found = (await coveredControls(page)).map((control) => /id="(\w+)"/.exec(control)?.[1]);
  expect(found).toEqual(['dead', 'under']);
  await clickAt(page.locator('#free'));
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      '<div aria-modal="true" role="dialog"><button>In front</button></div>',
    );
  });
  expect(await coveredControls(page)).toEqual([]);
});

test('a click waits for a button that is off at first', async () => {
  const page = await browser.newPage();
  await page.setContent(`
    <button disabled onclick="this.textContent = 'Sent'">Send</button>
    <script>setTimeout(() => document.querySelector('button').removeAttribute('disabled'), 500)</script>`);
  await clickAt(page.locator('button'));
  expect(await page.locator('button').textContent()).toBe('Sent');
});
