import { Button, Group, Stack, type ButtonProps } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import type { DialogProps } from './dialog-props.ts';
import { useHoldLayout } from './held-layout.ts';
import { lazyPart } from './lazy-part.ts';
import { useWasOpened } from './use-was-opened.ts';

const ModalDialog = lazyPart(() => import('./ModalDialog.tsx'), 'ModalDialog');

/** A modal dialog; Escape and a click outside cancel it. It is loaded when the first one is opened. */
export function Dialog(props: DialogProps) {
  useHoldLayout(props.opened);
  const wasOpened = useWasOpened(props.opened);
  return (
    wasOpened && (
      <Suspense>
        <ModalDialog {...props} />
      </Suspense>
    )
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
