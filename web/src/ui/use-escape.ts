import { useEffect, useEffectEvent } from 'react';

type Layer = { close: () => void };

/** Open dialogs and drawers, the one in front last. */
const layers: Layer[] = [];

/** Closes the layer in front, unless the key belongs to an input method or to an open list or menu. */
function onKeyDown({ key, isComposing, target }: KeyboardEvent): void {
  const isTaken = target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
  if (key === 'Escape' && !isComposing && !isTaken) layers.at(-1)?.close();
}

/**
 * Escape closes the open layer that is in front. The component library would close all layers with one key; the theme
 * turns that off.
 */
export function useEscape(opened: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!opened) return undefined;
    const layer = { close: () => close() };
    if (layers.push(layer) === 1) addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      layers.splice(layers.indexOf(layer), 1);
      if (layers.length === 0) removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, [opened]);
}
