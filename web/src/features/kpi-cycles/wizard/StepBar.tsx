import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { FootBar } from '../../../ui/FootBar.tsx';

type Props = {
  onBack?: (() => void) | undefined;
  /** Saves the step and leaves the wizard. Absent in the last step. */
  onLater?: (() => void) | undefined;
  onNext: () => void;
  isPending?: boolean;
  nextLabel?: string | undefined;
};

/** The buttons of a step: back, later, next. */
export function StepBar({ onBack, onLater, onNext, isPending = false, nextLabel }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <FootBar
      actions={
        <>
          {onBack && (
            <Button variant="default" onClick={onBack}>
              {t('back')}
            </Button>
          )}
          {onLater && (
            <Button variant="subtle" onClick={onLater} disabled={isPending}>
              {t('saveLater')}
            </Button>
          )}
          <Button onClick={onNext} loading={isPending}>
            {nextLabel ?? t('next')}
          </Button>
        </>
      }
    />
  );
}
