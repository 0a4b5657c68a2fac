import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { DialogActions } from './Dialog.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

type Props = {
  send: { error: ApiError | null; isPending: boolean };
  /** What will be lost. */
  children: ReactNode;
  keep: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
};

/** The question before a deletion, inside a dialog. The cancel button has the focus. */
export const ConfirmDelete = ({ send, children, keep, confirm, onConfirm, onClose }: Props) => (
  <>
    <ErrorNotice error={send.error} />
    <p>{children}</p>
    <DialogActions>
      <Button variant="default" onClick={onClose} data-autofocus>
        {keep}
      </Button>
      <Button color="red" loading={send.isPending} onClick={onConfirm}>
        {confirm}
      </Button>
    </DialogActions>
  </>
);
