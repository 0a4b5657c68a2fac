import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { entities, templateStatuses } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { BottomSheet } from '../../ui/Sheet.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import type { TemplatesSearch } from './search.ts';

export type Change = { [K in keyof TemplatesSearch]?: TemplatesSearch[K] | undefined };
type Props = { search: TemplatesSearch; onChange: (change: Change) => void };

/** The filters of the template list. On a phone, most of them are in a bottom sheet. */
export function TemplateFilters(props: Props) {
  const { search, onChange } = props;
  const t = useTranslations('kpiTemplates');
  const tList = useTranslations('kpiTemplateList');
  const phone = usePhone();
  const states = ['all', ...templateStatuses] as const;
  return (
    <Filters>
      <SearchField label={tList('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      {phone ? <FilterSheet {...props} /> : <Fields {...props} />}
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

function FilterSheet(props: Props) {
  const tList = useTranslations('kpiTemplateList');
  const [open, sheet] = useDisclosure(false);
  const count = (['entity_id', 'job_title', 'grade'] as const).filter((name) => name in props.search).length;
  return (
    <>
      <ActionIcon
        variant={count > 0 ? 'light' : 'default'}
        size={44}
        aria-label={count > 0 ? tList('filtersCount', { count }) : tList('filters')}
        onClick={sheet.open}
      >
        <IconFilter size={19} aria-hidden />
      </ActionIcon>
      <BottomSheet opened={open} onClose={sheet.close} title={tList('filters')}>
        <Fields {...props} />
        <Button onClick={sheet.close}>{tList('showResults')}</Button>
      </BottomSheet>
    </>
  );
}
