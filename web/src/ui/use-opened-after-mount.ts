import { useEffect, useState } from 'react';

/** Dialogs and drawers remember where the focus was, to return it, only when they were closed before. */
export function useOpenedAfterMount(opened: boolean): boolean {
  const [isMounted, setMounted] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the first render has to be a closed one
  useEffect(() => setMounted(true), []);
  return opened && isMounted;
}
