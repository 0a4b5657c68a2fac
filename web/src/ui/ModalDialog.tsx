import { Modal, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { DialogProps } from './dialog-props.ts';
import { useEscape } from './use-escape.ts';
import { useOpenedAfterMount } from './use-opened-after-mount.ts';

/** The window of a dialog. */
export function ModalDialog({ opened, children, ...props }: DialogProps) {
  const t = useTranslations('dialog');
  const isShown = useOpenedAfterMount(opened);
  useEscape(isShown, props.onClose);
  return (
    <Modal {...props} opened={isShown} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Modal>
  );
}
