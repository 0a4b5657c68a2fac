import { Suspense, useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { SheetProps } from './sheet-props.ts';

const SheetDrawer = lazyPart(() => import('./SheetDrawer.tsx'), 'SheetDrawer');

/** What a phone shows from below instead of a row of controls. */
export const BottomSheet = (props: SheetProps) =>
  useWasOpened(props.opened) && (
    <Suspense>
      <SheetDrawer {...props} position="bottom" size="20rem" />
    </Suspense>
  );

/** Details beside the page they belong to. */
export const SideSheet = (props: SheetProps) =>
  useWasOpened(props.opened) && (
    <Suspense>
      <SheetDrawer {...props} position="right" size="26rem" />
    </Suspense>
  );

/** A sheet is loaded when it is first opened, and stays so that it closes in its own time. */
function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened || opened;
}
