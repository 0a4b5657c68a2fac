import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { kpiEvaluations } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';

type Props = {
  cycleId: number | undefined;
  /** 0 for evaluations without a reviewer. */
  value: number | undefined;
  onChange: (id: number | undefined) => void;
};

/** The filter by reviewer. The service searches: in a large group there are more reviewers than a list can show. */
export function ReviewerFilter({ cycleId, value, onChange }: Props) {
  const t = useTranslations('evaluations');
  const picker = useTranslations('personPicker');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const query = {
    ...(cycleId !== undefined && { cycle_id: [cycleId] }),
    ...(search !== '' && { reviewer_search: search }),
    ...(value && { reviewer_id: [value] }),
  };
  const found = useQuery({ ...load(kpiEvaluations.filterOptions, { query }), placeholderData: keepPreviousData });
  const reviewers = found.data?.data.reviewers ?? [];
  const isSearching = found.isFetching || search !== typed.trim();
  const none = search === '' || value === 0 ? [{ value: '0', label: t('nobody') }] : [];
  const options = [...none, ...reviewers.map(({ id, name }) => ({ value: String(id), label: name }))];
  return (
    <Select
      clearable
      searchable
      aria-label={t('reviewer')}
      placeholder={t('reviewer')}
      data={options}
      value={value === undefined ? null : String(value)}
      onChange={(id) => onChange(id === null ? undefined : Number(id))}
      // the input contains the selected name; searching for it would hide all other reviewers
      onSearchChange={(text) => setTyped(options.some(({ label }) => label === text) ? '' : text)}
      filter={({ options: shown }) => shown}
      nothingFoundMessage={isSearching ? picker('searching') : picker('nobody')}
    />
  );
}
