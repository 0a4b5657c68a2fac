import { Suspense } from 'react';
import { lazyPart } from './lazy-part.ts';
import type { SheetProps } from './sheet-props.ts';
import { useWasOpened } from './use-was-opened.ts';

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
