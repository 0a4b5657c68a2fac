import { useEffect, useRef } from 'react';

/** Returns the focus to the actions menu after a dialog in the address closes. */
export function useReturnFocus(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const opener = document.activeElement;
    return () => {
      const from = opener instanceof HTMLElement && opener.isConnected && opener !== document.body ? opener : undefined;
      // A menu item is unmounted with its menu; the menu's button still exists.
      (from ?? document.querySelector<HTMLElement>('[data-steps]'))?.focus();
    };
  }, [open]);
}

/** A ref for a button that is replaced by what it opens; it gets the focus back after closing. */
export function useOpenerFocus(open: boolean) {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return opener;
}
