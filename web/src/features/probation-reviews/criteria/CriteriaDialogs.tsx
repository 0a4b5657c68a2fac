import { probationCriteria, type CriteriaSet } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../../api/query.ts';
import { ConfirmDelete } from '../../../ui/ConfirmDelete.tsx';
import { RecordDialog } from '../../../ui/RecordDialog.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import type { CriteriaDialog } from '../search.ts';
import { SetForm } from './SetForm.tsx';

type Props = {
  dialog: CriteriaDialog | undefined;
  /** The set of the dialog; none for a new one. */
  id: number | undefined;
  onDialog: (dialog: CriteriaDialog | undefined, set?: number) => void;
};

/** The dialogs of the criteria sets: add, edit, delete. */
export function CriteriaDialogs({ dialog, id, onDialog }: Props) {
  const t = useTranslations('probationCriteria');
  const opened = dialog === 'add' || id !== undefined ? dialog : undefined;
  const read = useQuery({
    ...load(probationCriteria.get, { params: { id: id ?? 0 } }),
    enabled: opened !== undefined && opened !== 'add',
  });
  return (
    <RecordDialog
      dialog={opened}
      read={read}
      title={(shown, set) => t(`dialog.${shown}`, { name: set?.name ?? '' })}
      onClose={() => onDialog(undefined)}
    >
      {(shown, set) => <Content dialog={shown} set={set} onDialog={onDialog} />}
    </RecordDialog>
  );
}

type ContentProps = Pick<Props, 'onDialog'> & { dialog: CriteriaDialog; set: CriteriaSet | undefined };

function Content({ dialog, set, onDialog }: ContentProps) {
  const t = useTranslations('probationCriteria');
  const toast = useToast();
  const done = (text: 'created' | 'saved' | 'deleted', name: string) => {
    onDialog(undefined);
    toast({ text: t(text, { name }) });
  };
  if (dialog === 'delete' && set)
    return <DeleteSet set={set} onDeleted={() => done('deleted', set.name)} onClose={() => onDialog(undefined)} />;
  return (
    <SetForm
      key={set?.id ?? 0}
      set={set}
      onSaved={({ name }) => done(set ? 'saved' : 'created', name)}
      onDelete={set && (() => onDialog('delete', set.id))}
      onClose={() => onDialog(undefined)}
    />
  );
}

type DeleteProps = { set: CriteriaSet; onDeleted: () => void; onClose: () => void };

function DeleteSet({ set: { id, entity, is_proposed: isProposed }, onDeleted, onClose }: DeleteProps) {
  const t = useTranslations('probationCriteria');
  const send = useSend(probationCriteria.delete);
  return (
    <ConfirmDelete
      send={send}
      keep={t('cancel')}
      confirm={t('delete')}
      onConfirm={() => send.mutate({ params: { id } }, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {isProposed ? t('deleteText', { company: entity.name }) : t('deleteUnusedText')}
    </ConfirmDelete>
  );
}
