import { useEffect, useRef } from 'react';

/** When a dialog that the address opened is gone, the focus returns to where such steps begin. */
export function useReturnFocus(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const opener = document.activeElement;
    return () => {
      const from = opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : undefined;
      // The entry of a menu is gone with its menu; the button of the menu is there.
      (from ?? document.querySelector<HTMLElement>('[data-steps]'))?.focus();
    };
  }, [open]);
}

/** A ref for the button that opens something in its own place: once that is closed, the button has the focus again. */
export function useOpenerFocus(open: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return opener;
}
