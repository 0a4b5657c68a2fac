import { useTranslations } from 'use-intl';
import { StepList } from '../../ui/StepList.tsx';
import { files, useImportKind } from './kinds.ts';

const steps = ['upload', 'columns', 'check', 'import'] as const;
export type ImportStep = (typeof steps)[number];

/** The steps of an import and the current one. */
export function Steps({ at, done = false }: { at: ImportStep; done?: boolean }) {
  const t = useTranslations('imports.step');
  // an archive has no columns to match
  const hasColumns = useImportKind() !== files;
  const shown = steps.filter((step) => hasColumns || step !== 'columns');
  return (
    <StepList
      label={t('label')}
      steps={shown.map((key) => ({ key, label: t(key) }))}
      at={at}
      done={done}
      doneLabel={t('done')}
    />
  );
}
