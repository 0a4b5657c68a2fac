import { Suspense, useState } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { SheetProps } from './sheet-props.ts';

const SheetDrawer = lazyPart(() => import('./SheetDrawer.tsx'), 'SheetDrawer');

/** Controls that a phone shows in a sheet from the bottom. */
export const BottomSheet = (props: SheetProps) =>
  useWasOpened(props.opened) && (
    <Suspense>
      <SheetDrawer {...props} position="bottom" size="auto" styles={{ content: { maxHeight: '85dvh' } }} />
    </Suspense>
  );

/** Details beside their page. */
export const SideSheet = (props: SheetProps) =>
  useWasOpened(props.opened) && (
    <Suspense>
      <SheetDrawer {...props} position="right" size="26rem" />
    </Suspense>
  );

/** A sheet is loaded when it is first opened, and stays mounted for its closing animation. */
function useWasOpened(opened: boolean): boolean {
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return wasOpened || opened;
}
