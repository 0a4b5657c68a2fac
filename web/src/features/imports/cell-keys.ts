import type { KeyboardEvent } from 'react';

const steps: Record<string, readonly [down: number, right: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Arrow keys move between cells, as in a spreadsheet; Tab keeps its usual behaviour. */
export function moveAmongCells(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement && event.target.dataset['cell'] !== undefined && event.target;
  const row = cell && cell.closest('tr');
  if (!step || !cell || !row) return;
  const [down, right] = step;
  const direction = getComputedStyle(row).direction === 'rtl' ? -right : right;
  const cells = [...row.querySelectorAll<HTMLElement>('[data-cell]')];
  const next =
    down === 0
      ? cells[cells.indexOf(cell) + direction]
      : [...(row.parentElement?.querySelectorAll<HTMLElement>(`[data-cell="${cell.dataset['cell']}"]`) ?? [])].find(
          (_, index, all) => index === all.indexOf(cell) + down,
        );
  if (!next) return;
  event.preventDefault();
  next.focus();
}
