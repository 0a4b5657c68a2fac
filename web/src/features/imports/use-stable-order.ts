import { useState } from 'react';

/** What is there of `kept` in its order, then the rest. */
const merged = (kept: readonly string[], wanted: readonly string[]): string[] => [...new Set([...kept, ...wanted])];

/**
 * Keeps an order that was once shown: what is no longer wanted first stays where it was, what is new comes last. Another
 * `key` begins anew, and so does what was not `ready` to be shown.
 */
export function useStableOrder(key: string, wanted: readonly string[], ready: boolean): readonly string[] {
  const [shown, setShown] = useState<{ key: string; order: readonly string[] }>();
  const order = shown?.key === key ? merged(shown.order, wanted) : [...new Set(wanted)];
  if (ready && (shown?.key !== key || order.length !== shown.order.length)) setShown({ key, order });
  return order;
}
