import { useEffect, useEffectEvent } from 'react';
import { hasModifier } from './has-modifier.ts';
import { useSingleKeys } from './single-keys.ts';

const steps: Record<string, number> = { j: 1, k: -1 };

/** The match of `selector` before or after the focused one; from elsewhere, the last or the first one. */
function neighbour(selector: string, step: number): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = rows.findIndex((row) => row === document.activeElement);
  if (at < 0) return step > 0 ? rows[0] : rows.at(-1);
  return rows[at + step];
}

/**
 * J and K move down and up through the matches of `selector`; Enter opens the focused one, E finishes it if possible.
 */
export function useRowsByKey(selector: string): void {
  const [enabled] = useSingleKeys();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.repeat || hasModifier(event)) return;
    if (!(target instanceof HTMLElement) || target.closest('input, textarea, [role=dialog]')) return;
    if (key === 'e') return target.closest('li')?.querySelector<HTMLElement>('[data-finish]')?.click();
    const step = steps[key];
    const next = step && neighbour(selector, step);
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
