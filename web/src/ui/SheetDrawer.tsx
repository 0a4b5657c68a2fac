import { Drawer, Stack, type DrawerProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SheetProps } from './sheet-props.ts';
import { useEscape } from './use-escape.ts';

/** The drawer of a sheet. It opens after mounting: only then it can return the focus. */
export function SheetDrawer({
  opened,
  children,
  ...props
}: SheetProps & Pick<DrawerProps, 'position' | 'size' | 'styles'>) {
  const t = useTranslations('dialog');
  const [isShown, setShown] = useState(false);
  // oxlint-disable-next-line react/set-state-in-effect -- a drawer remembers the focus only if it was closed before
  useEffect(() => setShown(opened), [opened]);
  useEscape(isShown, props.onClose);
  return (
    <Drawer {...props} opened={isShown} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Drawer>
  );
}
