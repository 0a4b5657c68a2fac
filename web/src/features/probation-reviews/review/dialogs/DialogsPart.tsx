import type { ProbationReview } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { paths } from '../../../../paths.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useToast } from '../../../../ui/toasts.tsx';
import { useLastShown } from '../../../../ui/use-last-shown.ts';
import type { ProbationAction } from '../../search.ts';
import { offered } from '../offered.ts';
import { AcknowledgeForm } from './AcknowledgeForm.tsx';
import { DatesForm } from './DatesForm.tsx';
import { DecideForm } from './DecideForm.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { RevertForm } from './RevertForm.tsx';
import { ReviewerForm } from './ReviewerForm.tsx';
import { SignForm } from './SignForm.tsx';

type Props = { review: ProbationReview; action: ProbationAction | undefined; onClose: () => void };
export type StepProps = { review: ProbationReview; onDone: () => void; onClose: () => void };

const wide: readonly ProbationAction[] = ['submit', 'approve', 'acknowledge', 'signatures'];

/** What is asked before a step is taken, if it may be taken now. */
export function DialogsPart({ review, action, onClose }: Props) {
  const t = useTranslations('probationSteps');
  const open = action !== undefined && offered(review).includes(action) ? action : undefined;
  const shown = useLastShown(open && { action: open });
  if (!shown) return null;
  return (
    <Dialog
      opened={open !== undefined}
      onClose={onClose}
      title={t(`title.${shown.action}`, { name: review.employee.name })}
      size={wide.includes(shown.action) ? 'lg' : 'md'}
    >
      <Content review={review} action={shown.action} onClose={onClose} />
    </Dialog>
  );
}

function Content({ review, action, onClose }: Props & { action: ProbationAction }) {
  const t = useTranslations('probationSteps');
  const toast = useToast();
  const navigate = useNavigate();
  const onDone = () => {
    toast({ text: t(`done.${action}`) });
    if (action === 'delete') void navigate({ to: paths.probation });
    else onClose();
  };
  const props = { review, onDone, onClose };
  switch (action) {
    case 'submit':
    case 'signatures':
      return <SignForm {...props} action={action} />;
    case 'approve':
      return <DecideForm {...props} />;
    case 'acknowledge':
      return <AcknowledgeForm {...props} />;
    case 'reviewer':
      return <ReviewerForm {...props} />;
    case 'dates':
      return <DatesForm {...props} />;
    case 'revert':
      return <RevertForm {...props} />;
    default:
      return <ReasonForm {...props} action={action} />;
  }
}
