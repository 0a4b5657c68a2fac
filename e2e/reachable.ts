import type { Page } from 'playwright-core';

/**
 * Controls that a pointer at their middle does not reach: something covers them, or they ignore pointers. Elements
 * without a size of their own (an input behind its label, a link for screen readers) and those that cannot be scrolled
 * into the window (cards outside the window of a chart) are skipped.
 */
export const coveredControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=menuitem]';
    const moved = new Map<Element, [number, number]>();
    for (const parent of document.querySelectorAll('*'))
      if (parent.scrollTop || parent.scrollLeft) moved.set(parent, [parent.scrollLeft, parent.scrollTop]);

    const isOff = (control: Element) =>
      control.matches(':disabled, [aria-disabled=true], [type=hidden]') ||
      control.closest('[inert], [aria-hidden=true]') !== null ||
      !control.checkVisibility({ opacityProperty: true, visibilityProperty: true });

    const isInside = ({ left, right, top, bottom }: DOMRect, x: number, y: number) =>
      x > left && x < right && y > top && y < bottom;

    function isClipped(control: Element, x: number, y: number): boolean {
      if (!isInside(new DOMRect(0, 0, innerWidth, innerHeight), x, y)) return true;
      for (let parent = control.parentElement; parent; parent = parent.parentElement) {
        const clips = getComputedStyle(parent).overflow !== 'visible';
        if (clips && !isInside(parent.getBoundingClientRect(), x, y)) return true;
      }
      return false;
    }

    function isMet(control: Element): boolean {
      const [box] = control.getClientRects();
      if (!box || box.width < 4 || box.height < 4) return true;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      if (isClipped(control, x, y)) return true;
      const met = document.elementFromPoint(x, y);
      return met !== null && (control.contains(met) || met.closest('label')?.control === control);
    }

    const covered: string[] = [];
    // what is behind a dialog is covered on purpose
    const front = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? document;
    for (const control of front.querySelectorAll(controls)) {
      if (isOff(control) || isMet(control)) continue;
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      if (!isMet(control)) covered.push(control.outerHTML.slice(0, 200));
    }
    for (const [parent, [left, top]] of moved) parent.scrollTo({ left, top, behavior: 'instant' });
    return covered;
  });
