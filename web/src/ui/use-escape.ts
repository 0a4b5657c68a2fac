import { useEffect, useEffectEvent } from 'react';

/** The close functions of the open dialogs and drawers; the front one is last. */
const layers = new Set<() => void>();

addEventListener(
  'keydown',
  ({ key, isComposing, target }) => {
    // an input method, or an open list or menu, handles the key
    const isTaken = isComposing || (target as Partial<Element>).matches?.('[data-mantine-stop-propagation=true]');
    if (key === 'Escape' && !isTaken) [...layers].at(-1)?.();
  },
  true,
);

/**
 * Escape closes only the front layer. The component library would close all layers at once, which the theme turns off.
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
