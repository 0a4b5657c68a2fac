import { useTranslations } from 'use-intl';
import { StepList } from '../../ui/StepList.tsx';

const steps = ['upload', 'columns', 'check', 'import'] as const;
export type ImportStep = (typeof steps)[number];

/** How far an import is. */
export function Steps({ at, done = false }: { at: ImportStep; done?: boolean }) {
  const t = useTranslations('imports.step');
  return (
    <StepList
      label={t('label')}
      steps={steps.map((key) => ({ key, label: t(key) }))}
      at={at}
      done={done}
      doneLabel={t('done')}
    />
  );
}
