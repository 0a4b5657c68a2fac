import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Filters } from '../../../ui/Filters.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import type { CycleSearch, TabProps } from '../search.ts';
import { LeftOutList } from './LeftOutList.tsx';
import { NewlyEligibleList } from './NewlyEligibleList.tsx';

/** People who became eligible after publishing, and people whom HR left out. */
export function EligibleTab({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycleEligible');
  const List = search.out ? LeftOutList : NewlyEligibleList;
  return (
    <>
      <Filters belowTabs>
        <SearchField
          label={t('search')}
          value={search.search}
          onChange={(text) => onChange({ search: text } as CycleSearch)}
        />
        <NativeSelect
          aria-label={t('show')}
          value={search.out ? 'out' : 'new'}
          data={[
            { value: 'new', label: t('new') },
            { value: 'out', label: t('out') },
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ out: value === 'out' ? true : undefined } as CycleSearch)
          }
        />
      </Filters>
      <List cycle={cycle} search={search} onChange={onChange} />
    </>
  );
}
