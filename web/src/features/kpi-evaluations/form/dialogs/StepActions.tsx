import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogActions } from '../../../../ui/Dialog.tsx';

type Props = { confirm: string; isPending: boolean; isDestructive?: boolean; onClose: () => void };

/** The buttons of a dialog: cancel and confirm. */
export function StepActions({ confirm, isPending, isDestructive = false, onClose }: Props) {
  const t = useTranslations('kpiEvaluationDialogs');
  return (
    <DialogActions>
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={isPending} {...(isDestructive && { color: 'red' })}>
        {confirm}
      </Button>
    </DialogActions>
  );
}
