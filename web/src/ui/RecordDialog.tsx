import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { failedWithoutData } from '../api/query.ts';
import { Dialog } from './Dialog.tsx';
import { ErrorState } from './ErrorState.tsx';
import { LoadingLines } from './LoadingLines.tsx';
import { useLastShown } from './use-last-shown.ts';

type Name = 'add' | 'edit' | 'delete';

type Props<Row extends object> = {
  /** Undefined while the dialog is closed. */
  dialog: Name | undefined;
  /** Reads the record; ignored for a new one. */
  read: UseQueryResult<{ data: Row }, ApiError>;
  title: (dialog: Name, row: Row | undefined) => string;
  onClose: () => void;
  /** The content, once the record is read. */
  children: (dialog: Name, row: Row | undefined) => ReactNode;
};

/** A dialog that adds a record, or reads one to edit or delete it. */
export function RecordDialog<Row extends object>({ dialog, read, title, onClose, children }: Props<Row>) {
  const row = dialog === 'add' ? undefined : read.data?.data;
  const shown = useLastShown(dialog && { dialog, row });
  if (!shown) return null;
  const isRead = shown.dialog === 'add' || shown.row !== undefined;
  return (
    <Dialog opened={dialog !== undefined} onClose={onClose} title={title(shown.dialog, shown.row)} size="lg">
      {isRead && children(shown.dialog, shown.row)}
      {!isRead && failedWithoutData(read) && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
      {!isRead && !failedWithoutData(read) && <LoadingLines lines={4} />}
    </Dialog>
  );
}
