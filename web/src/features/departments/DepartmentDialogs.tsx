import { departments, type Department } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSend } from '../../api/query.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { DeleteDepartment } from './DeleteDepartment.tsx';
import { DepartmentForm } from './DepartmentForm.tsx';
import { HeadForm } from './HeadForm.tsx';
import { MoveForm } from './MoveForm.tsx';
import type { DialogName } from './search.ts';

type Props = {
  dialog: DialogName | undefined;
  /** What the dialog is about; for a new department the one it is to stand below, if any. */
  department: Department | undefined;
  entityId: number | undefined;
  onClose: () => void;
  onDeleted: () => void;
  onDeactivate: (department: Department) => void;
};

/** What can be open over a page about departments. */
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

function Content({ dialog, department, entityId, onClose, onDeleted, onDeactivate }: ContentProps) {
  const t = useTranslations('departments');
  const done = useDone(onClose);
  const headText = useHeadText();
  const moveBack = useMoveBack();
  if (dialog === 'add')
    return (
      <DepartmentForm
        entityId={entityId}
        parent={department?.id}
        onClose={onClose}
        onSaved={({ department: { name }, warnings }) => done(t('created', { name }), warnings)}
      />
    );
  if (!department) return null;
  const shared = { department, onClose };
  switch (dialog) {
    case 'edit':
      return (
        <DepartmentForm
          {...shared}
          entityId={department.entity_id}
          onSaved={({ department: { name }, warnings }) => done(t('saved', { name }), warnings)}
        />
      );
    case 'move':
      return (
        <MoveForm
          {...shared}
          onMoved={(moved) => done(t('moved', { name: moved.name }), [], moveBack(department, moved))}
        />
      );
    case 'manager':
    case 'lead':
      return (
        <HeadForm
          {...shared}
          kind={dialog}
          onSaved={(person, warnings) => done(headText(person, department), warnings)}
        />
      );
    case 'delete':
      return (
        <DeleteDepartment
          {...shared}
          onDeactivate={() => {
            onClose();
            onDeactivate(department);
          }}
          onDeleted={() => {
            done(t('deleted', { name: department.name }));
            onDeleted();
          }}
        />
      );
  }
}

/** Closes the dialog and says what was done, with what the service advises. */
function useDone(onClose: () => void) {
  const toast = useToast();
  return (text: string, warnings: readonly string[] = [], undo?: () => void) => {
    onClose();
    toast({ text: [text, ...warnings].join(' '), ...(undo && { undo }) });
  };
}

/** Who is at the head of a department now, if anybody. */
function useHeadText() {
  const t = useTranslations('departments');
  return (person: string | undefined, { name }: Department) =>
    person === undefined ? t('nobodyNow', { name }) : t('assigned', { person, name });
}

/** Takes a move within a company back; one into another company has changed people's records and stays. */
function useMoveBack() {
  const send = useSend(departments.update);
  return (before: Department, moved: Department) =>
    before.entity_id === moved.entity_id
      ? () => send.mutate({ params: { id: moved.id }, body: { parent_id: before.parent_id, revision: moved.revision } })
      : undefined;
}
