import { useState } from 'react';

/** The last defined value, so that a dialog keeps its content while it closes. */
export function useLastShown<T extends object>(shown: T | undefined): T | undefined {
  const [last, setLast] = useState(shown);
  const isOther = shown && Object.entries(shown).some(([key, value]) => last?.[key as keyof T] !== value);
  if (isOther) setLast(shown);
  return isOther ? shown : last;
}
