import { Group, NativeSelect } from '@mantine/core';
import { cycleStatuses, cycleTypes, entities } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { DayFilter } from '../../ui/DayFilter.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { FilterSheet } from '../../ui/FilterSheet.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { CyclesSearch } from './search.ts';

export type Change = { [K in keyof CyclesSearch]?: CyclesSearch[K] | undefined };
type Props = { search: CyclesSearch; onChange: (change: Change) => void };

/** The filters of the cycle list; most of them are in a sheet. */
export function CycleFilters(props: Props) {
  const { search, onChange } = props;
  const t = useTranslations('kpiCycles');
  const states = ['all', ...cycleStatuses] as const;
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <FilterSheet count={inSheet.filter((name) => name in search).length}>
        <Fields {...props} />
      </FilterSheet>
      <Pills
        label={t('state')}
        options={states.map((value) => ({ value, label: t(value === 'all' ? 'all' : `status.${value}`) }))}
        value={search.status ?? 'all'}
        onChange={(value) => onChange({ status: value === 'all' ? undefined : value })}
      />
    </Filters>
  );
}

function Fields({ search, onChange }: Props) {
  const t = useTranslations('kpiCycles');
  const { can } = useSession();
  return (
    <>
      {can('entities.view') && (
        <RecordSelect
          label={t('field.entity_id')}
          list={entities.list}
          one={entities.get}
          value={search.entity_id}
          onChange={(entity_id) => onChange({ entity_id })}
        />
      )}
      <NativeSelect
        w={140}
        aria-label={t('field.type')}
        value={search.type ?? ''}
        data={[
          { value: '', label: t('everyType') },
          ...cycleTypes.map((value) => ({ value, label: t(`type.${value}`) })),
        ]}
        onChange={(event) => onChange({ type: cycleTypes.find((one) => one === event.currentTarget.value) })}
      />
      <StartFilter search={search} onChange={onChange} />
    </>
  );
}

function StartFilter({ search, onChange }: Props) {
  const t = useTranslations('kpiCycles');
  return (
    <Group gap={8} wrap="nowrap" fz="sm">
      <span className="muted">{t('starts')}</span>
      <DayFilter
        label={t('startsFrom')}
        labelled={false}
        value={search.start_from}
        onChange={(day) => onChange({ start_from: day })}
      />
      <span aria-hidden>–</span>
      <DayFilter
        label={t('startsTo')}
        labelled={false}
        value={search.start_to}
        onChange={(day) => onChange({ start_to: day })}
      />
    </Group>
  );
}

const inSheet = ['entity_id', 'type', 'start_from', 'start_to'] as const;
