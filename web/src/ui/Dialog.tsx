import { Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode };
type DialogProps = Props & { size?: 'md' | 'lg' | 'xl'; returnFocus?: boolean };

/** A question in the middle of the screen; Escape and a click beside it leave everything as it was. */
export function Dialog({ children, ...props }: DialogProps) {
  const t = useTranslations('dialog');
  return (
    <Modal {...props} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Modal>
  );
}

/** A form in a dialog. The service checks the fields, so the browser does not. */
export const DialogForm = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    <Stack gap={14}>{children}</Stack>
  </form>
);

/** The buttons a dialog ends with. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap={8}>
    {children}
  </Group>
);
