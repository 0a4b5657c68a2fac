import { attachments, type Attachment } from '@tenure/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/call.ts';
import { defer, flush, cancelDeferred } from '../../../ui/deferred.ts';
import { useToast } from '../../../ui/toasts.tsx';

/** The key of a deletion that can still be undone. */
export const deletionOf = ({ id }: Pick<Attachment, 'id'>): string => `attachment.${id}`;

/** Deletes a file once the time to undo is over, since a deleted file cannot be restored. */
export function useDelete(): (file: Attachment) => void {
  const t = useTranslations('personDocuments');
  const toast = useToast();
  const queries = useQueryClient();
  return (file) => {
    const name = deletionOf(file);
    const params = { id: file.employee_id, attachmentId: file.id };
    defer(name, async (options) => {
      try {
        await call(attachments.delete, { params }, options);
      } catch {
        toast({ text: t('notDeleted', { name: file.title }) });
      }
      await queries.invalidateQueries({ queryKey: [attachments.list.path] });
    });
    toast({
      text: t('deleted', { name: file.title }),
      undo: () => cancelDeferred(name),
      onGone: () => void flush(name),
    });
  };
}
