/** What has the focus goes away: the next row of those `selector` finds gets it, else the one before, else the page. */
export function focusBeside(from: HTMLElement, selector: string): void {
  const rows = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = rows.findIndex((row) => row.closest('li') === from.closest('li'));
  (rows[at + 1] ?? rows[at - 1] ?? document.querySelector<HTMLElement>('main'))?.focus();
}
