const rowOf = (element: HTMLElement) => element.closest('li, tr');

/** Before a focused row is removed: focuses the next match of `selector`, else the previous one, else the page. */
export function focusNeighbour(from: HTMLElement, selector: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = rows.findIndex((row) => rowOf(row) === rowOf(from));
  (rows[at + 1] ?? rows[at - 1] ?? document.querySelector<HTMLElement>('main'))?.focus();
}
