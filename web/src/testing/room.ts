import { vi } from 'vitest';

/** Gives everything on the page a size: a list that shows only what is in view shows nothing without. */
export function giveRoom(): void {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(900);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1_200);
  Element.prototype.scrollTo = () => {};
}
