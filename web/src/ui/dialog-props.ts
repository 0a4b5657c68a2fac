import type { ReactNode } from 'react';

export type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: 'md' | 'lg' | 'xl';
  returnFocus?: boolean;
  /** It shows what cannot be shown again: a click outside does not close it. */
  showsOnce?: boolean;
  /** Above other dialogs, which are at 200. */
  zIndex?: number;
};
