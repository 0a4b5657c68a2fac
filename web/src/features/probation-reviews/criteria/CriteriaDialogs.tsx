import { Button } from '@mantine/core';
import { probationCriteria, type CriteriaSet } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../../api/query.ts';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
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
  const isNew = dialog === 'add';
  const opened = isNew || (dialog !== undefined && id !== undefined);
  const read = useQuery({
    ...load(probationCriteria.get, { params: { id: id ?? 0 } }),
    enabled: opened && !isNew,
  });
  const set = isNew ? undefined : read.data?.data;
  const shown = useLastShown(opened ? { dialog, set } : undefined);
  if (!shown) return null;
  const close = () => onDialog(undefined);
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t(`dialog.${shown.dialog}`, { name: shown.set?.name ?? '' })}
      size="lg"
    >
      {shown.dialog !== 'add' && !shown.set ? (
        failedWithoutData(read) ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <LoadingLines lines={4} />
        )
      ) : (
        <Content dialog={shown.dialog} set={shown.set} onDialog={onDialog} />
      )}
    </Dialog>
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
    <>
      <ErrorNotice error={send.error} />
      <p>{isProposed ? t('deleteText', { company: entity.name }) : t('deleteUnusedText')}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button
          color="red"
          loading={send.isPending}
          onClick={() => send.mutate({ params: { id } }, { onSuccess: onDeleted })}
        >
          {t('delete')}
        </Button>
      </DialogActions>
    </>
  );
}
