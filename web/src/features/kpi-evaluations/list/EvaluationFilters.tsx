import { Select, Switch } from '@mantine/core';
import { entities, kpiEvaluations, performanceFlags } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { FilterSheet } from '../../../ui/FilterSheet.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { evaluationFilters, type EvaluationsSearch } from '../search.ts';
import { ReviewerFilter } from './ReviewerFilter.tsx';

export type Change = { [K in keyof EvaluationsSearch]?: EvaluationsSearch[K] | undefined };
type Props = { search: EvaluationsSearch; onChange: (change: Change) => void };

/** The filters of the evaluation list. On a phone, most of them are in a bottom sheet. */
export function EvaluationFilters(props: Props) {
  const { search, onChange } = props;
  const t = useTranslations('evaluations');
  return (
    <Filters belowTabs>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <FilterSheet count={evaluationFilters.filter((name) => name !== 'search' && name in search).length}>
        <Fields {...props} />
      </FilterSheet>
    </Filters>
  );
}

type Named = { id: number; name: string };
const choices = (rows: readonly Named[]) => rows.map(({ id, name }) => ({ value: String(id), label: name }));

/** The filter options, limited to the chosen cycle. */
function useFilterOptions(cycleId: number | undefined) {
  const query = cycleId === undefined ? {} : { cycle_id: [cycleId] };
  return useQuery(load(kpiEvaluations.filterOptions, { query })).data?.data;
}

const idOf = (value: string | null) => (value === null ? undefined : Number(value));
const textOf = (value: number | undefined) => (value === undefined ? null : String(value));

function Fields({ search, onChange }: Props) {
  const t = useTranslations('evaluations');
  const { cycle_id } = search;
  const options = useFilterOptions(cycle_id);
  return (
    <>
      <Choice
        label={t('cycle')}
        data={choices(options?.cycles ?? [])}
        value={textOf(cycle_id)}
        onChange={(value) => onChange({ cycle_id: idOf(value) })}
      />
      <Choice
        label={t('department')}
        data={choices(options?.departments ?? [])}
        value={textOf(search.department_id)}
        onChange={(value) => onChange({ department_id: idOf(value) })}
      />
      {search.tab !== 'review' && <WorkFilters search={search} onChange={onChange} options={options} />}
      <Choice
        label={t('flagged')}
        data={performanceFlags.map((value) => ({ value, label: t(`flag.${value}`) }))}
        value={search.performance_flag ?? null}
        onChange={(value) =>
          onChange({ performance_flag: (value as EvaluationsSearch['performance_flag'] | null) ?? undefined })
        }
      />
      <CompanyFilter search={search} onChange={onChange} />
      <Marks search={search} onChange={onChange} />
    </>
  );
}

/** The company filter, shown if a link set it. */
function CompanyFilter({ search, onChange }: Props) {
  const t = useTranslations('evaluations');
  const { can } = useSession();
  if (search.entity_id === undefined || !can('entities.view')) return null;
  return (
    <RecordSelect
      label={t('company')}
      list={entities.list}
      one={entities.get}
      value={search.entity_id}
      onChange={(entity_id) => onChange({ entity_id })}
    />
  );
}

type WorkProps = Props & { options: ReturnType<typeof useFilterOptions> };

/** The filters by reviewer and status. */
function WorkFilters({ search, onChange, options }: WorkProps) {
  const t = useTranslations('evaluations');
  const states = useTranslations('evaluationStatus');
  return (
    <>
      <ReviewerFilter
        cycleId={search.cycle_id}
        value={search.reviewer_id}
        onChange={(reviewer_id) => onChange({ reviewer_id })}
      />
      <Choice
        label={t('stage')}
        data={(options?.statuses ?? []).map((value) => ({ value, label: states(value) }))}
        value={search.status ?? null}
        onChange={(value) => onChange({ status: value ?? undefined })}
      />
    </>
  );
}

type ChoiceProps<Value extends string> = {
  label: string;
  data: { value: Value; label: string }[];
  value: Value | null;
  onChange: (value: Value | null) => void;
};

const Choice = <Value extends string>({ label, ...props }: ChoiceProps<Value>) => (
  <Select clearable searchable aria-label={label} placeholder={label} {...props} />
);

/** The filters for missing and late evaluations. */
function Marks({ search, onChange }: Props) {
  const t = useTranslations('evaluations');
  return (
    <>
      {search.missing_reviewer && (
        <Switch
          size="sm"
          label={t('missingReviewer')}
          checked
          onChange={() => onChange({ missing_reviewer: undefined })}
        />
      )}
      {(search.cycle_id !== undefined || search.in_parts) && (
        <Switch
          size="sm"
          label={t('inParts')}
          checked={search.in_parts === true}
          onChange={(event) => onChange({ in_parts: event.currentTarget.checked ? true : undefined })}
        />
      )}
      <Switch
        size="sm"
        label={t('onlyOverdue')}
        checked={search.overdue === true}
        onChange={(event) => onChange({ overdue: event.currentTarget.checked ? true : undefined })}
      />
    </>
  );
}
