import { Select } from '@mantine/core';
import type { Dashboard } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Filters } from '../../ui/Filters.tsx';
import type { HomeSearch } from './search.ts';

type Props = {
  choices: Dashboard['filters'];
  search: HomeSearch;
  onChange: (patch: { [K in keyof HomeSearch]: HomeSearch[K] | undefined }) => void;
};

/** Are there several companies or cycles to choose from? */
export const hasChoices = ({ entities, cycles }: Dashboard['filters']) => entities.length > 1 || cycles.length > 1;

/** The company and cycle filters of all figures. */
export function Choices({ choices: { entities, cycles }, search, onChange }: Props) {
  const t = useTranslations('home');
  const fields = [
    { name: 'entity_id', label: t('company'), rows: entities, any: t('anyCompany') },
    { name: 'cycle_id', label: t('cycleField'), rows: cycles, any: t('latestCycle') },
  ] as const;
  return (
    <Filters flush>
      {fields
        .filter(({ name, rows }) => rows.length > 1 || search[name] !== undefined)
        .map(({ name, label, rows, any }) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={any}
            clearable
            searchable
            data={rows.map((row) => ({ value: String(row.id), label: row.name }))}
            value={search[name] === undefined ? null : String(search[name])}
            onChange={(id) => onChange({ [name]: id === null ? undefined : Number(id) })}
          />
        ))}
    </Filters>
  );
}
