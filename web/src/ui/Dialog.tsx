import { Drawer, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Dialog.module.css';

type Props = { title: string; opened: boolean; onClose: () => void; children: ReactNode };
type DialogProps = Props & { size?: 'md' | 'lg' | 'xl'; returnFocus?: boolean };

/** A question in the middle of the screen; Escape and a click beside it leave everything as it was. */
export function Dialog({ children, ...props }: DialogProps) {
  const t = useTranslations('dialog');
  return (
    <Modal {...props} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes['content']}>{children}</div>
    </Modal>
  );
}

/** What a phone shows from below instead of a row of controls. */
export function BottomSheet({ children, ...props }: Props) {
  const t = useTranslations('dialog');
  return (
    <Drawer {...props} position="bottom" size="20rem" closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes['content']}>{children}</div>
    </Drawer>
  );
}

/** Details beside the page they belong to. */
export function SideSheet({ children, ...props }: Props) {
  const t = useTranslations('dialog');
  return (
    <Drawer {...props} position="right" size="26rem" closeButtonProps={{ 'aria-label': t('close') }}>
      <div className={classes['content']}>{children}</div>
    </Drawer>
  );
}

/** A form in a dialog. The service checks the fields, so the browser does not. */
export const DialogForm = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    className={classes['content']}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);

/** The buttons a dialog ends with. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={classes['actions']}>{children}</div>
);
