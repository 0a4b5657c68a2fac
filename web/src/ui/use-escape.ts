import { useEffect, useEffectEvent } from 'react';

/** Close the open dialogs and drawers; that of the one in front is last. */
const layers = new Set<() => void>();

addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    // an input method, or an open list or menu, takes the key
    const isTaken = isComposing || (target as Partial<Element>).matches?.('[data-mantine-stop-propagation=true]');
    if (key === 'Escape' && !isTaken) [...layers].at(-1)?.();
  },
  true,
);

/**
 * Escape closes the open layer that is in front. The component library would close all layers with one key; the theme
 * turns that off.
 */
export function useEscape(opened: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return undefined;
    const layer = () => close();
    layers.add(layer);
    return () => void layers.delete(layer);
  }, [opened]);
}
