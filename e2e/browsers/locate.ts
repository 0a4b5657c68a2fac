/** What a person looks for on the screen: its kind and its name. */
export type Sought = { kind: keyof typeof kinds; name: string; exact: boolean; place: number };

const kinds = {
  button: 'button, [role=button], [role=menuitem]',
  link: 'a[href]',
  field: 'input, textarea, select',
  option: '[role=option], [role=radio], [role=tab], label, [role=switch]',
  heading: 'h1, h2, h3',
  text: 'p, span, td, th, li, div, output, strong, bdi, h1, h2, h3, label, legend, dt, dd',
  canvas: 'canvas',
  card: '[data-card] > button:first-child',
};
export const selectorOf = (kind: Sought['kind']): string => kinds[kind];

export type Found = { x: number; y: number; width: number; height: number; problem?: string };

/**
 * Scrolls to an element and returns its middle. Runs in the page, so it uses nothing from this module. `problem` names
 * the element that covers the middle, if there is one.
 */
export function locate(selector: string, name: string, exact: boolean, place: number): Found | null {
  const clean = (text: string | null | undefined) => (text ?? '').replaceAll(/\s+/g, ' ').trim();
  const named = (ids: string | null) =>
    (ids ?? '').split(' ').map((id) => clean(id ? document.getElementById(id)?.textContent : ''));
  const namesOf = (element: HTMLElement) => [
    clean(element.getAttribute('aria-label')),
    ...named(element.getAttribute('aria-labelledby')),
    ...[...((element as HTMLInputElement).labels ?? [])].map(({ textContent }) => clean(textContent)),
    clean(element.textContent),
    clean(element.getAttribute('placeholder')),
  ];
  const matches = (text: string) => (exact ? text.replace(/ ?\*$/, '') === name : text.includes(name));
  const isShown = (element: HTMLElement) => element.getClientRects().length > 0 && element.checkVisibility();
  const layer = [...document.querySelectorAll<HTMLElement>('[role=dialog]')].findLast(isShown);
  const inside = (element: HTMLElement) =>
    !layer || layer.contains(element) || element.closest('[role=listbox], [role=menu], [data-portal]') !== null;
  const all = [...document.querySelectorAll<HTMLElement>(selector)].filter(
    (element) => isShown(element) && inside(element) && (name === '' || namesOf(element).some(matches)),
  );
  // only the innermost matches: a container has the text of everything inside it
  const found = all.filter((element) => !all.some((other) => other !== element && element.contains(other)));
  const target = found[place];
  if (!target) return null;
  target.scrollIntoView({ block: 'center', inline: 'nearest' });
  const { left, top, width, height } = target.getBoundingClientRect();
  const x = left + width / 2;
  const y = top + height / 2;
  const hit = document.elementFromPoint(x, y);
  const isMet = hit !== null && (target.contains(hit) || hit.closest('label')?.contains(target) === true);
  const over = isMet ? {} : { problem: hit?.outerHTML.slice(0, 160) ?? 'nothing is there' };
  return { x, y, width, height, ...over };
}
