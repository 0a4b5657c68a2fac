import type { UpcomingProbation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { useLastShown } from '../../../ui/use-last-shown.ts';
import { ReviewerForm } from '../review/dialogs/ReviewerForm.tsx';

type Props = { row: UpcomingProbation | undefined; onClose: () => void };

/** Assigns a reviewer from the list. */
export function SetReviewer({ row, onClose }: Props) {
  const t = useTranslations('probationSteps');
  const toast = useToast();
  const shown = useLastShown(row);
  if (!shown?.review) return null;
  const onDone = () => {
    onClose();
    toast({ text: t('done.reviewer') });
  };
  const { employee, reviewer, review } = shown;
  return (
    <Dialog title={t('title.reviewer', { name: employee.name })} opened={row !== undefined} onClose={onClose}>
      <ReviewerForm review={{ id: review.id, employee, reviewer }} onDone={onDone} onClose={onClose} />
    </Dialog>
  );
}
