import type { ConflictProps } from './ConflictDialog.tsx';
import { ConflictView } from './ConflictView.tsx';
import type { RecordForm } from './use-record-form.ts';

type Props = Pick<ConflictProps, 'label' | 'show'> & {
  record: Pick<RecordForm, 'differences' | 'resolve' | 'backToForm' | 'isPending'>;
};

/** The conflict dialog of a record form. */
export const RecordConflict = ({ record, ...texts }: Props) => (
  <ConflictView
    {...texts}
    differences={record.differences}
    onResolve={record.resolve}
    onCancel={record.backToForm}
    saving={record.isPending}
  />
);
