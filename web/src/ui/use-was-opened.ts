import { useState } from 'react';

/** A dialog or sheet is loaded when it is first opened, and stays mounted for its closing animation. */
export function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened || opened;
}
