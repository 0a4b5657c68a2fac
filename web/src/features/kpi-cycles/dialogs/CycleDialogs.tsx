import type { KpiCycle } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
import { dialogsFor } from '../CycleHeader.tsx';
import type { CycleDialog } from '../search.ts';
import { CloseForm } from './CloseForm.tsx';
import { DeleteForm } from './DeleteForm.tsx';
import { EditForm } from './EditForm.tsx';
import { PublishForm } from './PublishForm.tsx';
import { RemindForm } from './RemindForm.tsx';
import { ReopenForm } from './ReopenForm.tsx';
import type { DialogProps } from './dialog-props.ts';

type Props = {
  dialog: CycleDialog | undefined;
  cycle: KpiCycle;
  /** The department to remind; all departments if absent. */
  department: number | undefined;
  onClose: () => void;
};

/** The confirmation dialogs of a cycle, each if its action is allowed. */
export function CycleDialogs({ dialog, cycle, department, onClose }: Props) {
  const t = useTranslations('kpiCycles');
  const open = dialog !== undefined && dialogsFor(cycle).includes(dialog) ? dialog : undefined;
  const shown = useLastShown(open ? { dialog: open, department } : undefined);
  if (!shown) return null;
  return (
    <Dialog
      opened={open !== undefined}
      onClose={onClose}
      title={t(`dialog.${shown.dialog}`, { name: cycle.name })}
      size={shown.dialog === 'publish' || shown.dialog === 'edit' ? 'lg' : 'md'}
    >
      <Content {...shown} cycle={cycle} onClose={onClose} />
    </Dialog>
  );
}

type ContentProps = Omit<Props, 'dialog'> & { dialog: CycleDialog };

function Content({ dialog, cycle, department, onClose }: ContentProps) {
  const toast = useToast();
  const navigate = useNavigate();
  const done = (text: string) => {
    onClose();
    toast({ text });
  };
  const props: DialogProps = { cycle, onDone: done, onClose };
  switch (dialog) {
    case 'publish':
      return <PublishForm {...props} />;
    case 'edit':
    case 'owner':
      return <EditForm {...props} only={dialog === 'owner' ? 'owner' : undefined} />;
    case 'remind':
      return <RemindForm cycle={cycle} department={department} onClose={onClose} />;
    case 'close':
      return <CloseForm {...props} />;
    case 'reopen':
      return <ReopenForm {...props} />;
    case 'delete':
      return (
        <DeleteForm
          {...props}
          onDone={(text) => {
            toast({ text });
            void navigate({ to: paths.kpiCycles, ignoreBlocker: true });
          }}
        />
      );
  }
}
