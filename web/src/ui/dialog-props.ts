import type { ReactNode } from 'react';

export type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: 'md' | 'lg' | 'xl';
  returnFocus?: boolean;
  /** The dialog shows content that cannot be shown again, so a click outside does not close it. */
  showsOnce?: boolean;
  /** Above other dialogs, which are at 200. */
  zIndex?: number;
};
