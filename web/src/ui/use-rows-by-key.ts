import { useEffect, useEffectEvent } from 'react';
import { useSingleKeys } from './single-keys.ts';

const steps: Record<string, number> = { j: 1, k: -1 };

/**
 * J and K move down and up through the matches of `selector`; Enter opens the focused one, E finishes it if possible.
 */
export function useRowsByKey(selector: string): void {
  const [enabled] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const step = steps[event.key];
    const busy = event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey;
    if (
      (!step && event.key !== 'e') ||
      busy ||
      !(event.target instanceof HTMLElement) ||
      event.target.closest('input, textarea, [role=dialog]')
    )
      return;
    if (!step) return event.target.closest('li')?.querySelector<HTMLElement>('[data-finish]')?.click();
    const rows = [...document.querySelectorAll<HTMLElement>(selector)];
    const at = rows.findIndex((row) => row === document.activeElement);
    const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  });
  useEffect(() => {
    if (!enabled) return undefined;
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [enabled]);
}
