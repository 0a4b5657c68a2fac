import { Button } from '@mantine/core';
import { announcements, type Announcement } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load, useSend } from '../../api/query.ts';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LoadingLines } from '../../ui/LoadingLines.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useLastShown } from '../../ui/use-last-shown.ts';
import { AnnouncementForm } from './AnnouncementForm.tsx';
import type { AnnouncementDialog } from './search.ts';

type Props = {
  dialog: AnnouncementDialog | undefined;
  /** The announcement of the dialog; none for a new one. */
  id: number | undefined;
  onDialog: (dialog: AnnouncementDialog | undefined, announcement?: number) => void;
};

/** The dialogs of the announcements: add, edit, delete. */
export function AnnouncementDialogs({ dialog, id, onDialog }: Props) {
  const t = useTranslations('announcements');
  const isNew = dialog === 'add';
  const opened = isNew || (dialog !== undefined && id !== undefined);
  const read = useQuery({
    ...load(announcements.get, { params: { id: id ?? 0 } }),
    enabled: opened && !isNew,
  });
  const announcement = isNew ? undefined : read.data?.data;
  const shown = useLastShown(opened ? { dialog, announcement } : undefined);
  if (!shown) return null;
  return (
    <Dialog
      opened={opened}
      onClose={() => onDialog(undefined)}
      title={t(`dialog.${shown.dialog}`, { name: shown.announcement?.title ?? '' })}
      size="lg"
    >
      {shown.dialog !== 'add' && !shown.announcement ? (
        failedWithoutData(read) ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : (
          <LoadingLines lines={4} />
        )
      ) : (
        <Content dialog={shown.dialog} announcement={shown.announcement} onDialog={onDialog} />
      )}
    </Dialog>
  );
}

type ContentProps = Pick<Props, 'onDialog'> & { dialog: AnnouncementDialog; announcement: Announcement | undefined };

function Content({ dialog, announcement, onDialog }: ContentProps) {
  const t = useTranslations('announcements');
  const toast = useToast();
  const done = (text: 'created' | 'saved' | 'deleted', name: string) => {
    onDialog(undefined);
    toast({ text: t(text, { name }) });
  };
  if (dialog === 'delete' && announcement)
    return (
      <Delete
        announcement={announcement}
        onDeleted={() => done('deleted', announcement.title)}
        onClose={() => onDialog(undefined)}
      />
    );
  return (
    <AnnouncementForm
      key={announcement?.id ?? 0}
      announcement={announcement}
      onSaved={({ title }) => done(announcement ? 'saved' : 'created', title)}
      onDelete={announcement && (() => onDialog('delete', announcement.id))}
      onClose={() => onDialog(undefined)}
    />
  );
}

type DeleteProps = { announcement: Announcement; onDeleted: () => void; onClose: () => void };

function Delete({ announcement: { id, state }, onDeleted, onClose }: DeleteProps) {
  const t = useTranslations('announcements');
  const send = useSend(announcements.delete);
  return (
    <>
      <ErrorNotice error={send.error} />
      <p>{t(`deleteText.${state}`)}</p>
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
