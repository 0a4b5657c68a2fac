import { attachments, type Attachment } from '@tenure/contract';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useSend } from '../../../api/query.ts';
import { Dialog, DialogForm, FormActions } from '../../../ui/Dialog.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { DetailFields } from './DetailFields.tsx';
import type { Details } from './use-uploads.ts';

type Props = { file: Attachment; onClose: () => void };

const detailsOf = ({ title, category, visibility }: Details): Details => ({ title, category, visibility });

/** Edits the title, category and visibility of a file; the content stays. */
export function EditDocument({ file, onClose }: Props) {
  const t = useTranslations('personDocuments');
  const tEdit = useTranslations('profile.edit');
  const [details, setDetails] = useState(() => detailsOf(file));
  const { save, error, isPending } = useSave(file, onClose);
  return (
    <Dialog title={t('editTitle', { name: file.title })} opened onClose={onClose}>
      <DialogForm onSubmit={() => save(details)}>
        <ErrorNotice error={error} fields={['title', 'category', 'visibility']} />
        <DetailFields
          details={details}
          onChange={(patch) => setDetails((old) => ({ ...old, ...patch }))}
          errors={error?.fieldErrors ?? {}}
        />
        <FormActions cancel={tEdit('cancel')} onCancel={onClose} submit={tEdit('save')} loading={isPending} />
      </DialogForm>
    </Dialog>
  );
}

/** Stores the details of a file and offers to undo it. */
function useSave(file: Attachment, onSaved: () => void) {
  const tEdit = useTranslations('profile.edit');
  const toast = useToast();
  const send = useSend(attachments.update);
  const params = { id: file.employee_id, attachmentId: file.id };
  const onSuccess = ({ data: { revision } }: { data: Attachment }) => {
    const undo = () =>
      void send
        .mutateAsync({ params, body: { ...detailsOf(file), revision } })
        .catch(() => toast({ text: tEdit('notUndone') }));
    onSaved();
    toast({ text: tEdit('saved'), undo });
  };
  const save = (details: Details) =>
    send.mutate({ params, body: { ...details, revision: file.revision } }, { onSuccess });
  return { save, error: send.error, isPending: send.isPending };
}
