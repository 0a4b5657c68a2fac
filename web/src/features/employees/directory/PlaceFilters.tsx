import { departments, entities } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { RecordMultiFilter } from '../../../ui/MultiFilter.tsx';
import { valueOf, valuesOf } from '../../../ui/several-values.ts';
import type { FilterProps } from '../search.ts';

/** The filters by company and department. */
export function PlaceFilters({ search, onChange }: FilterProps) {
  const t = useTranslations('employees');
  const { can } = useSession();
  return (
    <>
      {can('entities.view') && (
        <RecordMultiFilter
          label={t('entity')}
          labelled={false}
          placeholder={t('entity')}
          list={entities.list}
          values={valuesOf(search.entity_id)}
          onChange={(values) => onChange({ entity_id: valueOf(values), department_id: undefined })}
        />
      )}
      {can('departments.view') && (
        <RecordMultiFilter
          label={t('department')}
          labelled={false}
          placeholder={t('department')}
          list={departments.list}
          query={search.entity_id === undefined ? {} : { entity_id: search.entity_id }}
          values={valuesOf(search.department_id)}
          onChange={(values) => onChange({ department_id: valueOf(values) })}
        />
      )}
    </>
  );
}
