import { Group, Select, Switch } from '@mantine/core';
import { departments, entities, probationOutcomes, probationProblems, probationStatuses } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { DayFilter } from '../../../ui/DayFilter.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { FilterSheet } from '../../../ui/FilterSheet.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { endingFilters, reviewFilters, type ListProps } from '../search.ts';

/** The filters of a probation list. On a phone, most of them are in a bottom sheet. */
export function ProbationFilters(props: ListProps) {
  const { tab, search, onChange } = props;
  const t = useTranslations('probation');
  const names = tab === 'ending' ? endingFilters : reviewFilters;
  return (
    <Filters belowTabs>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <FilterSheet count={names.filter((name) => name !== 'search' && name in search).length}>
        <Fields {...props} />
      </FilterSheet>
    </Filters>
  );
}

function Fields(props: ListProps) {
  const { tab, search, onChange } = props;
  const t = useTranslations('probation');
  const { can } = useSession();
  return (
    <>
      {can('entities.view') && (
        <RecordSelect
          label={t('company')}
          list={entities.list}
          one={entities.get}
          value={search.entity_id}
          onChange={(id) => onChange({ entity_id: id, department_id: undefined })}
        />
      )}
      {can('departments.view') && (
        <RecordSelect
          label={t('department')}
          list={departments.list}
          one={departments.get}
          query={search.entity_id === undefined ? {} : { entity_id: search.entity_id }}
          value={search.department_id}
          onChange={(id) => onChange({ department_id: id })}
        />
      )}
      {tab === 'ending' ? <EndingFields {...props} /> : <ReviewFields {...props} />}
    </>
  );
}

function EndingFields({ search, onChange }: ListProps) {
  const t = useTranslations('probation');
  const spans = [30, 60, 90, 180, 365];
  return (
    <>
      <Select
        aria-label={t('ahead')}
        placeholder={t('ahead')}
        clearable
        data={spans.map((days) => ({ value: String(days), label: t('aheadDays', { days }) }))}
        value={search.days === undefined ? null : String(search.days)}
        onChange={(value) => onChange({ days: value === null ? undefined : Number(value) })}
      />
      <Select
        aria-label={t('problemLabel')}
        placeholder={t('problemLabel')}
        clearable
        data={probationProblems.map((value) => ({ value, label: t(`problem.${value}`) }))}
        value={search.problem ?? null}
        onChange={(value) => onChange({ problem: value ?? undefined })}
      />
    </>
  );
}

function ReviewFields({ tab, search, onChange }: ListProps) {
  const t = useTranslations('probation');
  const states = useTranslations('probationStatus');
  const tOutcome = useTranslations('probationOutcome');
  const outcomes = probationOutcomes.map((value) => ({ value, label: tOutcome(value) }));
  return (
    <>
      {tab === 'all' && (
        <Select
          aria-label={t('status')}
          placeholder={t('status')}
          clearable
          data={probationStatuses.map((value) => ({ value, label: states(value) }))}
          value={search.status ?? null}
          onChange={(value) => onChange({ status: value ?? undefined })}
        />
      )}
      {tab === 'all' && (
        <Select
          aria-label={t('outcome')}
          placeholder={t('outcome')}
          clearable
          data={outcomes}
          value={search.outcome ?? null}
          onChange={(value) => onChange({ outcome: value ?? undefined })}
        />
      )}
      <DueBefore search={search} onChange={onChange} />
      {tab === 'all' && (
        <Switch
          size="sm"
          label={t('withoutReviewer')}
          checked={search.reviewer_id === 0}
          onChange={(event) => onChange({ reviewer_id: event.currentTarget.checked ? 0 : undefined })}
        />
      )}
    </>
  );
}

function DueBefore({ search, onChange }: Pick<ListProps, 'search' | 'onChange'>) {
  const t = useTranslations('probation');
  return (
    <Group component="span" gap={8} fz="0.8125rem">
      <span aria-hidden>{t('dueBefore')}</span>
      <DayFilter
        label={t('dueBefore')}
        labelled={false}
        value={search.due_before}
        onChange={(day) => onChange({ due_before: day })}
      />
    </Group>
  );
}
