import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { ConflictView } from '../../ui/ConflictView.tsx';
import type { CycleForm } from './use-cycle-form.ts';

/** Asks the user to resolve conflicts with a concurrent change. */
export function CycleConflict({ record }: { record: CycleForm }) {
  const t = useTranslations('kpiCycles');
  const show = (name: string, value: string): ReactNode =>
    value === 'true' ? t('on') : name === 'type' ? t(`type.${value as 'custom'}`) : value.replaceAll(';', ' · ');
  return (
    <ConflictView
      differences={record.differences}
      label={(name) => t(`field.${name as 'name'}`)}
      show={show}
      onResolve={record.resolve}
      onCancel={record.backToForm}
      saving={record.isPending}
    />
  );
}
