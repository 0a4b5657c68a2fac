import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { DialogActions } from '../../../../ui/Dialog.tsx';

type Props = { confirm: string; isPending: boolean; isGrave?: boolean; onClose: () => void };

/** The end of a question: leaves everything as it was, or takes the step. */
export function StepActions({ confirm, isPending, isGrave = false, onClose }: Props) {
  const t = useTranslations('probationSteps');
  return (
    <DialogActions>
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit" loading={isPending} {...(isGrave && { color: 'red' })}>
        {confirm}
      </Button>
    </DialogActions>
  );
}
