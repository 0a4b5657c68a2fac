import { departments, type Department } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { DeleteDepartment } from './DeleteDepartment.tsx';
import { DepartmentForm, type Saved } from './DepartmentForm.tsx';
import { HeadForm } from './HeadForm.tsx';
import { MoveForm } from './MoveForm.tsx';
import type { DialogName } from './search.ts';

type Props = {
  dialog: DialogName | undefined;
  /** The department of the dialog; for a new department, its parent. */
  department: Department | undefined;
  entityId: number | undefined;
  onClose: () => void;
  onDeleted: () => void;
  onDeactivate: (department: Department) => void;
};

/** The dialogs of the department pages. */
export function DepartmentDialogs({ dialog, department, entityId, ...props }: Props) {
  const t = useTranslations('departments');
  const opened = dialog !== undefined && entityId !== undefined && (dialog === 'add' || department !== undefined);
  const shown = useLastShown(opened ? { dialog, department, entityId } : undefined);
  if (!shown) return null;
  const name = shown.department?.name ?? '';
  const title = shown.dialog === 'add' && name === '' ? t('dialog.addAtTop') : t(`dialog.${shown.dialog}`, { name });
  return (
    <Dialog opened={opened} onClose={props.onClose} title={title}>
      <Content {...props} {...shown} />
    </Dialog>
  );
}

type ContentProps = Omit<Props, 'dialog' | 'entityId'> & { dialog: DialogName; entityId: number };

function Content(props: ContentProps) {
  const t = useTranslations('departments');
  const { dialog, department, entityId, onClose } = props;
  const done = useDone(onClose);
  const stored = (text: 'created' | 'saved') => ({
    onSaved: ({ department: { name }, warnings }: Saved) => done(t(text, { name }), warnings),
    onClose,
  });
  if (dialog === 'add') return <DepartmentForm entityId={entityId} parent={department?.id} {...stored('created')} />;
  if (!department) return null;
  if (dialog === 'edit')
    return <DepartmentForm department={department} entityId={department.entity_id} {...stored('saved')} />;
  return <Step {...props} dialog={dialog} department={department} done={done} />;
}

type StepProps = Omit<ContentProps, 'dialog' | 'department'> & {
  dialog: Exclude<DialogName, 'add' | 'edit'>;
  department: Department;
  done: ReturnType<typeof useDone>;
};

/** The dialogs that change more than fields. */
function Step({ dialog, department, done, onClose, onDeleted, onDeactivate }: StepProps) {
  const t = useTranslations('departments');
  const headText = useHeadText();
  const moveBack = useMoveBack();
  const shared = { department, onClose };
  const moved = (to: Department) => done(t('moved', { name: to.name }), [], moveBack(department, to));
  const deleted = () => {
    done(t('deleted', { name: department.name }));
    onDeleted();
  };
  const deactivate = () => {
    onClose();
    onDeactivate(department);
  };
  switch (dialog) {
    case 'move':
      return <MoveForm {...shared} onMoved={moved} />;
    case 'manager':
    case 'lead':
      return (
        <HeadForm
          {...shared}
          kind={dialog}
          onSaved={(person, warnings) => done(headText(dialog, person, department), warnings)}
        />
      );
    case 'delete':
      return <DeleteDepartment {...shared} onDeactivate={deactivate} onDeleted={deleted} />;
  }
}

/** Closes the dialog and shows a confirmation with the advice of the service. */
function useDone(onClose: () => void) {
  const toast = useToast();
  return (text: string, warnings: readonly string[] = [], undo?: () => void) => {
    onClose();
    toast({ text: [text, ...warnings].join(' '), ...(undo && { undo }) });
  };
}

/** The manager or lead of a department after a change, as a sentence. */
function useHeadText() {
  const t = useTranslations('departments');
  return (kind: 'manager' | 'lead', person: string | undefined, { name }: Department) =>
    person === undefined ? t(`unassigned.${kind}`, { name }) : t('assigned', { person, name });
}

/** Undoes a move within a company. A move into another company changed people's records and cannot be undone. */
function useMoveBack() {
  const toast = useToast();
  const { mutateAsync } = useSend(departments.update);
  return (before: Department, { id, entity_id, revision }: Department) => {
    if (before.entity_id !== entity_id) return undefined;
    const body = { parent_id: before.parent_id, revision };
    return () => void mutateAsync({ params: { id }, body }).catch((error: Error) => toast({ text: error.message }));
  };
}
