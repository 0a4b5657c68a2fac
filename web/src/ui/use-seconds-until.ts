import { useEffect, useState } from 'react';

/**
 * The whole seconds until an instant (milliseconds since 1970), counted down; a component is mounted for one instant
 * (`key`).
 */
export function useSecondsUntil(until: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((until - now) / 1_000));
}
