import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls a row of tabs or pills sideways so that the selected one is visible, even if the address selected it. */
export function useTabInView<Row extends HTMLElement = HTMLDivElement>(
  chosen: string | undefined,
): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    const tab = row.current
      ?.querySelector('[role=tab][aria-selected=true], [aria-pressed=true]')
      ?.getBoundingClientRect();
    if (!row.current || !tab) return;
    const pane = row.current.getBoundingClientRect();
    row.current.scrollLeft += Math.max(0, tab.right - pane.right) + Math.min(0, tab.left - pane.left);
    // oxlint-disable-next-line react/exhaustive-deps -- the selected tab is read from the page
  }, [chosen]);
  return row;
}
