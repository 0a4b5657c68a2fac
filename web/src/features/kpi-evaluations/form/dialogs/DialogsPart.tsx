import type { KpiEvaluation } from '@tenure/contract';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { lazyPart } from '../../../../ui/lazy-part.ts';
import { useToast } from '../../../../ui/toasts.tsx';
import { useLastShown } from '../../../../ui/use-last-shown.ts';
import type { Texts } from '../../../../ui/versions.ts';
import { useKeptTexts } from '../../../../workflow/use-kept-texts.ts';
import { availableActions } from '../Header.tsx';
import type { EvaluationAction } from '../search.ts';
import { askerOf, DecideForm } from './DecideForm.tsx';
import { ExtendForm } from './ExtendForm.tsx';
import { FormerDraftForm } from './FormerDraftForm.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { ResolvePanel } from './ResolvePanel.tsx';
import { ReviewerForm } from './ReviewerForm.tsx';
import { SubmitForm } from './SubmitForm.tsx';
import type { StepProps } from './use-step.ts';

const RecordAnswerForm = lazyPart(() => import('./RecordAnswerForm.tsx'), 'RecordAnswerForm');

type Props = {
  evaluation: KpiEvaluation;
  /** The form values, all saved. */
  values: Texts;
  action: EvaluationAction | undefined;
  onClose: () => void;
};

/** The dialog of a step, if the step is allowed. */
export function DialogsPart({ evaluation, values, action, onClose }: Props) {
  const t = useTranslations('kpiEvaluationDialogs');
  const open = action !== undefined && availableActions(evaluation).includes(action) ? action : undefined;
  const shown = useLastShown(open && { action: open });
  const all = useKeptTexts<EvaluationAction>(`evaluation.${evaluation.id}.steps`);
  const toast = useToast();
  if (!shown) return null;
  const { action: step } = shown;
  const onDone = () => {
    onClose();
    all.clear(step);
    toast({ text: t(`done.${step}`) });
  };
  const frame = {
    opened: open !== undefined,
    onClose,
    title: t(`title.${step}`, {
      name: step === 'extension-decision' ? askerOf(evaluation) : evaluation.employee.name,
      stage: evaluation.status,
    }),
  };
  const props = { evaluation, texts: all.of(step), onDone, onClose };
  return step === 'resolve-dispute' ? (
    <ResolvePanel {...frame} {...props} />
  ) : (
    <Dialog {...frame} size="md">
      <Content {...props} values={values} action={step} />
    </Dialog>
  );
}

type ContentProps = StepProps & { values: Texts; action: Exclude<EvaluationAction, 'resolve-dispute'> };

function Content({ action, values, ...props }: ContentProps) {
  switch (action) {
    case 'self-assessment':
    case 'manager-review':
    case 'hr-review':
      return <SubmitForm {...props} action={action} values={values} />;
    case 'extension-decision':
      return <DecideForm {...props} />;
    case 'extend':
      return <ExtendForm {...props} />;
    case 'former-draft':
      return <FormerDraftForm {...props} />;
    case 'record-answer':
      return (
        <Suspense fallback={null}>
          <RecordAnswerForm {...props} />
        </Suspense>
      );
    case 'reviewer':
      return <ReviewerForm {...props} />;
    default:
      return <ReasonForm {...props} action={action} />;
  }
}
