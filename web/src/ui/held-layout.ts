import { createContext, use, useCallback, useEffect, useState } from 'react';
import { usePhone } from './use-phone.ts';

type Hold = () => () => void;

/** Holds the layout around a dialog until the dialog is closed. */
export const LayoutHold = createContext<Hold | undefined>(undefined);

/** While a dialog is open, its list does not switch between table and cards, which would unmount the dialog. */
export function useHoldLayout(isOpen: boolean): void {
  const hold = use(LayoutHold);
  useEffect(() => (isOpen ? hold?.() : undefined), [hold, isOpen]);
}

/** Is the window as narrow as a phone's, or was it when the dialog inside was opened? */
export function useHeldPhone(): { phone: boolean; hold: Hold } {
  const now = usePhone();
  const [phone, setPhone] = useState(now);
  const [holds, setHolds] = useState(0);
  if (holds === 0 && phone !== now) setPhone(now);
  const hold = useCallback(() => {
    setHolds((count) => count + 1);
    return () => setHolds((count) => count - 1);
  }, []);
  return { phone, hold };
}
