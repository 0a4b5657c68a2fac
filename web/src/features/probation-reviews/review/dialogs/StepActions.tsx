import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogActions, FormActions } from '../../../../ui/Dialog.tsx';
import type { Step } from './use-step.ts';

type Props = {
  confirm: string;
  step: Pick<Step, 'isPending' | 'isLate'>;
  isDestructive?: boolean;
  onClose: () => void;
};

/** The buttons of a dialog: cancel and confirm. An outdated step can only be cancelled. */
export function StepActions({ confirm, step: { isPending, isLate }, isDestructive = false, onClose }: Props) {
  const t = useTranslations('probationSteps');
  if (isLate)
    return (
      <DialogActions>
        <Button onClick={onClose}>{t('lookAgain')}</Button>
      </DialogActions>
    );
  return (
    <FormActions
      cancel={t('cancel')}
      onCancel={onClose}
      submit={confirm}
      loading={isPending}
      {...(isDestructive && { color: 'red' })}
    />
  );
}
