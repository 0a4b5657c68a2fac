import { Textarea } from '@mantine/core';
import { signInBlocks } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useToast } from '../../../ui/toasts.tsx';
import { StepDialog } from '../lifecycle/StepDialog.tsx';
import { useStep } from '../lifecycle/use-step.ts';
import type { StepProps } from '../lifecycle/WithReason.tsx';

/** Switches the sign-in of a person off by hand, with the reason. */
export function SwitchSignInOff({ employee, onClose }: StepProps) {
  const t = useTranslations('steps');
  const toast = useToast();
  const state = useStep('sign-in-block', signInBlocks.block, employee);
  const name = employee.display_name;
  const { onChange, ...field } = state.field('reason');
  return (
    <StepDialog
      title={t('sign-in-block.title', { name })}
      consequences={(['then', 'later'] as const).map((one) => t(`sign-in-block.${one}`, { name }))}
      action={t('sign-in-block.action')}
      danger
      error={state.error}
      fields={['reason']}
      isPending={state.isPending}
      onClose={onClose}
      onSubmit={() =>
        state.send({ reason: state.text('reason') }, () => {
          toast({ text: t('sign-in-block.done', { name }) });
          onClose();
        })
      }
    >
      <Textarea
        {...field}
        label={t('reason')}
        description={t('sign-in-block.hint', { name })}
        required
        rows={3}
        maxLength={500}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </StepDialog>
  );
}
