import { employeePasswords } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useToast } from '../../../ui/toasts.tsx';
import { Reason, StepDialog } from '../lifecycle/StepDialog.tsx';
import { useStep } from '../lifecycle/use-step.ts';
import type { StepProps } from '../lifecycle/WithReason.tsx';

/** Removes the second factor of a person who lost it. */
export function ResetSecondFactor({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('second-factor', employeePasswords.resetSecondFactor, employee);
  const name = employee.display_name;
  const consequences = (['then', 'later', 'check'] as const).map((one) => t(`second-factor.${one}`, { name }));
  return (
    <StepDialog
      title={t('second-factor.title', { name })}
      consequences={consequences}
      action={t('second-factor.action')}
      danger
      error={state.error}
      fields={['reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ reason: state.text('reason') }, () => {
          toast({ text: t('second-factor.done', { name }) });
          onClose();
        })
      }
    >
      <Reason {...state.field('reason')} />
    </StepDialog>
  );
}
