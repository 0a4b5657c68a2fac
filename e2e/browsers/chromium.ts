import type { BrowserContextOptions } from 'playwright-core';
import { desktop, openBrowser, openPage } from '../browser.ts';
import type { OpenWindow, Point, Window } from './window.ts';

const keyNames: Record<string, string> = {
  '\uE007': 'Enter',
  '\uE004': 'Tab',
  '\uE00C': 'Escape',
  '\uE010': 'End',
  '\uE003': 'Backspace',
};

async function openChromium(device: BrowserContextOptions, isTouch: boolean): Promise<Window> {
  const browser = await openBrowser();
  const { page } = await openPage(browser, '', device);
  const drag = async ([first, ...others]: readonly Point[]) => {
    await page.mouse.move(first?.x ?? 0, first?.y ?? 0);
    await page.mouse.down();
    for (const { x, y } of others) await page.mouse.move(x, y);
    await page.mouse.up();
  };
  return {
    open: async (address) => void (await page.goto(address)),
    evaluate: (expression) => page.evaluate(expression),
    press: async (points) => {
      const [first] = points;
      if (isTouch && first && points.length === 1) return page.touchscreen.tap(first.x, first.y);
      return drag(points);
    },
    wheel: async ({ x, y }, by) => {
      await page.mouse.move(x, y);
      await page.mouse.wheel(by.x, by.y);
    },
    type: async (text) => {
      for (const character of text)
        await (keyNames[character] ? page.keyboard.press(keyNames[character]) : page.keyboard.type(character));
    },
    choose: (selector, path) => page.locator(selector).setInputFiles(path),
    picture: () => page.screenshot(),
    close: () => browser.close(),
  };
}

/** A Chromium window used with a mouse. */
export const openWithMouse: OpenWindow = (viewport) => openChromium({ viewport }, false);

/** A Chromium window on a phone, used with a finger. */
export const openWithFinger: OpenWindow = (viewport) =>
  openChromium({ viewport, hasTouch: true, isMobile: true }, true);

export const sizes = { desktop, phone: { width: 390, height: 844 } };
