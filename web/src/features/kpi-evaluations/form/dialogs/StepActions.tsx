import { useTranslations } from 'use-intl';
import { FormActions } from '../../../../ui/Dialog.tsx';

type Props = { confirm: string; isPending: boolean; isDestructive?: boolean; onClose: () => void };

/** The buttons of a dialog: cancel and confirm. */
export function StepActions({ confirm, isPending, isDestructive = false, onClose }: Props) {
  const t = useTranslations('kpiEvaluationDialogs');
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
