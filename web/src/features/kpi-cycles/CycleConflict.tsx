import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Day } from '../../ui/Dates.tsx';
import { PersonPicker } from '../../ui/PersonPicker.tsx';
import { RecordConflict } from '../../ui/RecordConflict.tsx';
import type { CycleForm } from './use-cycle-form.ts';

/** Asks the user to resolve conflicts with a concurrent change. */
export function CycleConflict({ record }: { record: CycleForm }) {
  const t = useTranslations('kpiCycles');
  const label = (name: string) => t(`field.${name as 'name'}`);
  const show = (name: string, value: string): ReactNode => {
    if (name === 'type') return t(`type.${value as 'custom'}`);
    if (name === 'owner_id')
      return <PersonPicker label={label(name)} labelled={false} value={Number(value)} onChange={() => {}} disabled />;
    if (/_(date|on)$/.test(name)) return <Day value={value} />;
    return value.replaceAll(';', ' · ');
  };
  return <RecordConflict record={record} label={label} show={show} />;
}
