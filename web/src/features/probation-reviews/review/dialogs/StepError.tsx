import { useTranslations } from 'use-intl';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import type { Step } from './use-step.ts';

type Props = { step: Pick<Step, 'error' | 'isLate'>; fields: readonly string[] };

/** The error of a step; an outdated one explains how to continue. */
export function StepError({ step: { error, isLate }, fields }: Props) {
  const t = useTranslations('probationSteps');
  return (
    <>
      <ErrorNotice error={error} fields={fields} />
      {isLate && <Notice>{t('late')}</Notice>}
    </>
  );
}
