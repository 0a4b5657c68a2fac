import type { KpiEvaluation } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { useToast } from '../../../../ui/toasts.tsx';
import { useLastShown } from '../../../../ui/use-last-shown.ts';
import type { Texts } from '../../../../ui/versions.ts';
import { availableActions } from '../Header.tsx';
import type { EvaluationAction } from '../search.ts';
import { DecideForm } from './DecideForm.tsx';
import { ReasonForm } from './ReasonForm.tsx';
import { ResolveForm } from './ResolveForm.tsx';
import { ReviewerForm } from './ReviewerForm.tsx';
import { SubmitForm } from './SubmitForm.tsx';

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
  if (!shown) return null;
  return (
    <Dialog
      opened={open !== undefined}
      onClose={onClose}
      title={t(`title.${shown.action}`, { name: evaluation.employee.name, stage: evaluation.status })}
      size={shown.action === 'resolve-dispute' ? 'lg' : 'md'}
    >
      <Content evaluation={evaluation} values={values} action={shown.action} onClose={onClose} />
    </Dialog>
  );
}

function Content({ evaluation, values, action, onClose }: Props & { action: EvaluationAction }) {
  const t = useTranslations('kpiEvaluationDialogs');
  const toast = useToast();
  const onDone = () => {
    onClose();
    toast({ text: t(`done.${action}`) });
  };
  const props = { evaluation, onDone, onClose };
  switch (action) {
    case 'self-assessment':
    case 'manager-review':
    case 'hr-review':
      return <SubmitForm {...props} action={action} values={values} />;
    case 'extension-decision':
      return <DecideForm {...props} />;
    case 'reviewer':
      return <ReviewerForm {...props} />;
    case 'resolve-dispute':
      return <ResolveForm {...props} />;
    default:
      return <ReasonForm {...props} action={action} />;
  }
}
