import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { scrollsSideways } from '../accessible.ts';
import { openPage } from '../browser.ts';
import { settled, signIn } from '../demo-pages.ts';
import { stage, stepwise } from '../journey.ts';
import { swipe, tapAt, type Point } from '../pointer.ts';
import { coveredControls } from '../reachable.ts';
import { startDemo, type Demo } from '../service.ts';
import { drawn, still } from '../still.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** What the on-screen keyboard leaves of the viewport. */
const besideKeys = { width: 390, height: 500 };

type Name = string | RegExp;

/** Fields with such small text that a phone zooms in when one of them is tapped. */
const smallFields = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('input, select, textarea')]
      .filter(
        (field) =>
          !field.matches('[type=checkbox], [type=radio], [type=file], [type=range], [type=color], [type=hidden]'),
      )
      .filter(
        (field) =>
          field.checkVisibility() &&
          !field.matches('[aria-hidden=true]') &&
          Number.parseFloat(getComputedStyle(field).fontSize) < 16,
      )
      .map((field) => field.outerHTML.slice(0, 160)),
  );

/** Taps an element at its position, scrolled away from sticky bars. */
async function tapOn(target: Locator): Promise<void> {
  await target.waitFor();
  const isMet = () =>
    target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      if (hit && element.contains(hit)) return true;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      return false;
    });
  await expect.poll(isMet).toBe(true);
  await tapAt(target);
}

async function expectFit(page: Page, where: string): Promise<void> {
  await still(page);
  expect.soft(await scrollsSideways(page), `${where} scrolls sideways`).toBe(false);
  expect.soft(await page.evaluate('innerWidth'), `${where}: width`).toBe(phone.viewport.width);
  expect.soft(await coveredControls(page), `${where}: covered`).toEqual([]);
  expect.soft(await smallFields(page), `${where}: small fields`).toEqual([]);
}

async function expectFitBesideKeys(page: Page, where: string): Promise<void> {
  await expectFit(page, where);
  await page.setViewportSize(besideKeys);
  await drawn(page);
  expect.soft(await coveredControls(page), `${where}: covered while the keys are shown`).toEqual([]);
  await page.setViewportSize(phone.viewport);
  await drawn(page);
}

/** The finger of a person with a phone, which taps elements at their position on the screen. */
export class Hand {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  heading(name: Name): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name }).first().waitFor();
  }

  button(name: Name, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  dialog(name: Name): Locator {
    return this.page.getByRole('dialog', { name });
  }

  sees(text: Name): Promise<void> {
    return this.page.getByText(text).first().waitFor();
  }

  tap(target: Locator): Promise<void> {
    return tapOn(target.first());
  }

  press(name: Name, within?: Locator): Promise<void> {
    return this.tap(this.button(name, within));
  }

  link(name: Name, within: Page | Locator = this.page): Promise<void> {
    return this.tap(within.getByRole('link', { name, exact: typeof name === 'string' }));
  }

  tab(name: Name): Promise<void> {
    return this.tap(this.page.getByRole('tab', { name }));
  }

  /** Opens a menu and selects one of its entries. */
  async menu(opener: Name, entry: Name): Promise<void> {
    await this.press(opener);
    await this.tap(this.page.getByRole('menuitem', { name: entry }));
  }

  /** Taps a checkbox, a switch or a radio button; by its label if the input has no size of its own. */
  async choose(input: Locator): Promise<void> {
    const target = input.first();
    await target.waitFor({ state: 'attached' });
    const id = await target.getAttribute('id');
    const label = this.page.locator(`label[for="${id}"]`);
    await this.tap((await label.count()) > 0 ? label : target);
  }

  radio(name: Name, within: Page | Locator = this.page): Promise<void> {
    return this.choose(within.getByRole('radio', { name, exact: typeof name === 'string' }));
  }

  /** Taps into a field and replaces its text. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    await field.first().fill(text);
  }

  write(label: Name, text: string, within: Page | Locator = this.page): Promise<void> {
    return this.fill(within.getByLabel(label), text);
  }

  /** Searches for a record in a combobox, and selects it. */
  async pick(label: Name, text: Name, within: Page | Locator = this.page): Promise<void> {
    const field = within.getByRole('combobox', { name: label });
    await this.tap(field);
    if (typeof text === 'string') await field.first().fill(text);
    await this.tap(this.page.getByRole('option', { name: text }));
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.write('Work email', email);
    await this.fill(this.page.getByLabel('Password', { exact: true }), password);
    await this.press('Sign in');
  }

  /** Sets a new password after the first sign-in, or from a link. */
  async savePassword(password: string): Promise<void> {
    await this.fill(this.page.getByLabel('New password', { exact: true }), password);
    await this.write('Confirm new password', password);
    await this.press('Save password');
  }

  async goTo(address: string): Promise<void> {
    await this.page.goto(address);
    await settled(this.page);
  }

  /** Opens a page from the menu behind the button at the top. */
  async open(entry: string): Promise<void> {
    await this.press('Open menu');
    await this.link(entry, this.page.getByRole('navigation', { name: 'Main' }));
    await settled(this.page);
  }

  /** The page is as wide as the phone, no control is covered, and no tap zooms in. */
  fits(where: string): Promise<void> {
    return expectFit(this.page, where);
  }

  /** The dialog in front can be used and closed while the on-screen keyboard covers the lower part. */
  fitsBesideKeys(where: string): Promise<void> {
    return expectFitBesideKeys(this.page, where);
  }

  /** Draws two strokes with a finger, like a signature. */
  async draw(sheet: Locator): Promise<void> {
    await sheet.scrollIntoViewIfNeeded();
    const box = await sheet.boundingBox();
    if (!box) throw new Error('The sheet has no place');
    const touch = await this.page.context().newCDPSession(this.page);
    const at = (x: number, y: number): Point => ({ x: box.x + box.width * x, y: box.y + box.height * y });
    await swipe(touch, [{ from: at(0.1, 0.3), to: at(0.6, 0.7) }]);
    await swipe(touch, [{ from: at(0.5, 0.2), to: at(0.9, 0.6) }]);
    // Chromium may take a tap right after a swipe as its end
    await this.page.waitForTimeout(400);
    await this.tap(this.page.getByRole('dialog').getByRole('heading'));
  }
}

export type Phones<Service> = {
  demo: Service;
  browser: Browser;
  hand: (person?: string) => Promise<Hand>;
  problems: string[];
};

/** A service, and as many phones as the test needs; `problems` collects the problems on all of them. */
export async function phones<Service extends Demo = Demo>(
  name: string,
  start?: () => Promise<Service>,
): Promise<Phones<Service>> {
  const { service: demo, browser } = await stage<Service>(start ?? (startDemo as () => Promise<Service>));
  stepwise(name, browser);
  const problems: string[] = [];
  const hand = async (person?: string) => {
    const { page } = await openPage(browser, demo.address, phone, problems);
    if (person) await signIn(page, demo, `${person}@northwind.example`);
    return new Hand(page);
  };
  return { demo, browser, hand, problems };
}
