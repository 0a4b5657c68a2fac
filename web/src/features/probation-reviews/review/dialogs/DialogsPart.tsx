import type { ProbationReview } from '@tenure/contract';
import { useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { paths } from '../../../../paths.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { lazyPart } from '../../../../ui/lazy-part.ts';
import { useToast } from '../../../../ui/toasts.tsx';
import { useLastShown } from '../../../../ui/use-last-shown.ts';
import type { ProbationAction } from '../../search.ts';
import { AcknowledgeForm } from './AcknowledgeForm.tsx';
import { DatesForm } from './DatesForm.tsx';
import { DecideForm } from './DecideForm.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { RevertForm } from './RevertForm.tsx';
import { ReviewerForm } from './ReviewerForm.tsx';
import { ShareForm } from './ShareForm.tsx';
import { SignForm } from './SignForm.tsx';
import { useOpenDialog, type OpenDialog } from './use-open-dialog.ts';
import type { StepProps } from './use-step.ts';
import { useDialogTexts } from './use-dialog-texts.ts';

const RecordAcknowledgementForm = lazyPart(
  () => import('./RecordAcknowledgementForm.tsx'),
  'RecordAcknowledgementForm',
);

type Props = { review: ProbationReview; action: ProbationAction | undefined; onClose: () => void };

const wide: readonly ProbationAction[] = ['submit', 'approve', 'acknowledge', 'signatures'];

/** The dialog of a step, if the step is allowed. */
export function DialogsPart({ review, action, onClose }: Props) {
  const t = useTranslations('probationSteps');
  const openDialog = useOpenDialog(review, action);
  const texts = useDialogTexts(review.id);
  const shown = useLastShown(openDialog);
  if (!shown) return null;
  return (
    <Dialog
      opened={openDialog !== undefined}
      onClose={onClose}
      title={t(`title.${shown.action}`, { name: review.employee.name })}
      size={wide.includes(shown.action) ? 'lg' : 'md'}
    >
      <Content {...shown} texts={texts.of(shown.action)} onClose={onClose} onDone={() => texts.clear(shown.action)} />
    </Dialog>
  );
}

type ContentProps = OpenDialog & StepProps;

function Content({ action, onDone, ...given }: ContentProps) {
  const t = useTranslations('probationSteps');
  const toast = useToast();
  const navigate = useNavigate();
  const finish = () => {
    onDone();
    toast({ text: t(`done.${action}`) });
    if (action === 'delete') void navigate({ to: paths.probation });
    else given.onClose();
  };
  const props = { ...given, onDone: finish };
  switch (action) {
    case 'submit':
    case 'signatures':
      return <SignForm {...props} action={action} />;
    case 'approve':
      return <DecideForm {...props} />;
    case 'share':
      return <ShareForm {...props} />;
    case 'acknowledge':
      return <AcknowledgeForm {...props} />;
    case 'record-acknowledgement':
      return (
        <Suspense fallback={null}>
          <RecordAcknowledgementForm {...props} />
        </Suspense>
      );
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
