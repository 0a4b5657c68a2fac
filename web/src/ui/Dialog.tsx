import { Button, Group, Modal, Stack, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useEscape } from './use-escape.ts';

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode };
type DialogProps = Props & {
  size?: 'md' | 'lg' | 'xl';
  returnFocus?: boolean;
  /** Above other dialogs, which are at 200. */
  zIndex?: number;
};

/** A modal dialog; Escape and a click outside cancel it. */
export function Dialog({ children, ...props }: DialogProps) {
  const t = useTranslations('dialog');
  useEscape(props.opened, props.onClose);
  return (
    <Modal {...props} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={14}>{children}</Stack>
    </Modal>
  );
}

/** A form in a dialog. The service validates the fields, so browser validation is off. */
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

/** The buttons of a dialog. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <Group justify="flex-end" gap={8}>
    {children}
  </Group>
);

type FormActionsProps = Pick<ButtonProps, 'color' | 'disabled' | 'loading'> & {
  cancel: string;
  onCancel: () => void;
  submit: string;
};

/** The buttons of a form in a dialog. */
export const FormActions = ({ cancel, onCancel, submit, ...button }: FormActionsProps) => (
  <DialogActions>
    <Button variant="default" onClick={onCancel}>
      {cancel}
    </Button>
    <Button type="submit" {...button}>
      {submit}
    </Button>
  </DialogActions>
);
