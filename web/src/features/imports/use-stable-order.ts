import { useState } from 'react';

/** The entries of `kept` that still exist, in their order, then the new ones. */
const merged = (kept: readonly string[], wanted: readonly string[]): string[] => [...new Set([...kept, ...wanted])];

/**
 * Keeps an order once it was shown: entries stay in place even if they would now rank lower, and new ones come last.
 * A new `key` starts a new order. An order that is not `ready` is not kept.
 */
export function useStableOrder(key: string, wanted: readonly string[], ready: boolean): readonly string[] {
  const [shown, setShown] = useState<{ key: string; order: readonly string[] }>();
  const order = shown?.key === key ? merged(shown.order, wanted) : [...new Set(wanted)];
  if (ready && (shown?.key !== key || order.length !== shown.order.length)) setShown({ key, order });
  return order;
}
