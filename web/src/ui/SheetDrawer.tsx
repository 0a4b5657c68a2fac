import { Drawer, Stack, type DrawerProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { SheetProps } from './sheet-props.ts';
import { useEscape } from './use-escape.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useOpenedAfterMount } from './use-opened-after-mount.ts';

/** The drawer of a sheet. */
export function SheetDrawer({
  opened,
  children,
  ...props
}: SheetProps & Pick<DrawerProps, 'position' | 'size' | 'styles'>) {
  const t = useTranslations('dialog');
  const isShown = useOpenedAfterMount(opened);
  useEscape(isShown, props.onClose);
  useFocusBack();
  return (
    <Drawer {...props} opened={isShown} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Drawer>
  );
}
