import { Drawer, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SheetProps } from './sheet-props.ts';

/** The drawer of a sheet. It opens after it is mounted: only then it knows where the focus was. */
export function SheetDrawer({
  opened,
  children,
  ...props
}: SheetProps & { position: 'bottom' | 'right'; size: string }) {
  const t = useTranslations('dialog');
  const [isShown, setShown] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- the focus is remembered by a drawer that was closed before
  useEffect(() => setShown(opened), [opened]);
  return (
    <Drawer {...props} opened={isShown} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Drawer>
  );
}
