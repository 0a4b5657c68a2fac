import { entities, templateStatuses } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { FilterSheet } from '../../ui/FilterSheet.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { TemplatesSearch } from './search.ts';

export type Change = { [K in keyof TemplatesSearch]?: TemplatesSearch[K] | undefined };
type Props = { search: TemplatesSearch; onChange: (change: Change) => void };

const inSheet = ['entity_id', 'job_title', 'grade'] as const;

/** The filters of the template list. On a phone, most of them are in a bottom sheet. */
export function TemplateFilters(props: Props) {
  const { search, onChange } = props;
  const t = useTranslations('kpiTemplates');
  const tList = useTranslations('kpiTemplateList');
  const states = ['all', ...templateStatuses] as const;
  return (
    <Filters>
      <SearchField label={tList('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
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
  const t = useTranslations('kpiTemplates');
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
      <SearchField
        w={150}
        label={t('field.job_title')}
        value={search.job_title}
        onChange={(job_title) => onChange({ job_title })}
      />
      <SearchField w={110} label={t('field.grade')} value={search.grade} onChange={(grade) => onChange({ grade })} />
    </>
  );
}
