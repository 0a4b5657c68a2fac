import { announcements, type Announcement } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load, useSend } from '../../api/query.ts';
import { ConfirmDelete } from '../../ui/ConfirmDelete.tsx';
import { RecordDialog } from '../../ui/RecordDialog.tsx';
import { useToast } from '../../ui/toasts.tsx';
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
  const opened = dialog === 'add' || id !== undefined ? dialog : undefined;
  const read = useQuery({
    ...load(announcements.get, { params: { id: id ?? 0 } }),
    enabled: opened !== undefined && opened !== 'add',
  });
  return (
    <RecordDialog
      dialog={opened}
      read={read}
      title={(shown, announcement) => t(`dialog.${shown}`, { name: announcement?.title ?? '' })}
      onClose={() => onDialog(undefined)}
    >
      {(shown, announcement) => <Content dialog={shown} announcement={announcement} onDialog={onDialog} />}
    </RecordDialog>
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
    <ConfirmDelete
      send={send}
      keep={t('cancel')}
      confirm={t('delete')}
      onConfirm={() => send.mutate({ params: { id } }, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {t(`deleteText.${state}`)}
    </ConfirmDelete>
  );
}
