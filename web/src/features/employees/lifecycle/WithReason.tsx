import { employees, type Employee } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useToast } from '../../../ui/toasts.tsx';
import { SuccessorField, hasResponsibilities, useResponsibilities } from './SuccessorField.tsx';
import { Reason, StepDialog } from './StepDialog.tsx';
import { useStep } from './use-step.ts';

export type StepProps = { employee: Employee; onClose: () => void };

const endpoints = {
  'withdraw-separation': employees.withdrawSeparation,
  reactivate: employees.reactivate,
  restore: employees.restore,
} as const;

type Props = StepProps & { step: keyof typeof endpoints };

/** The lifecycle steps whose only input is a reason. */
export function WithReason({ step, employee, onClose }: Props) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep(step, endpoints[step], employee);
  const name = employee.display_name;
  return (
    <StepDialog
      title={t(`${step}.title`, { name })}
      consequences={[t(`${step}.then`, { name }), ...(step === 'restore' ? [t('restore.later')] : [])]}
      action={t(`${step}.action`)}
      error={state.error}
      fields={['reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ reason: state.text('reason') }, () => {
          toast({ text: t(`${step}.done`, { name }) });
          onClose();
        })
      }
    >
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}

/** Suspends a person, who can neither work nor sign in until reactivated. */
export function Deactivate({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('deactivate', employees.deactivate, employee);
  const responsibilities = useResponsibilities(employee);
  const name = employee.display_name;
  const heir = state.text('reassign_to');
  return (
    <StepDialog
      title={t('deactivate.title', { name })}
      consequences={[t('deactivate.then', { name }), t('deactivate.later'), ...responsibilities]}
      action={t('deactivate.action')}
      danger
      disabled={hasResponsibilities(employee) && heir === ''}
      error={state.error}
      fields={['reason', 'reassign_to']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ reason: state.text('reason'), ...(heir !== '' && { reassign_to: Number(heir) }) }, () => {
          toast({ text: t('deactivate.done', { name }) });
          onClose();
        })
      }
    >
      <SuccessorField employee={employee} required {...state.field('reassign_to')} />
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}
