import { vi } from 'vitest';

/** Gives all elements a size, since a virtual list renders no rows without one. */
export function stubElementSizes(): void {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(900);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1_200);
  Element.prototype.scrollTo = () => {};
}
