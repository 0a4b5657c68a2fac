import { Button, Select } from '@mantine/core';
import { directory } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { ListSkeleton } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { CardGrid } from './Cards.tsx';
import type { DirectorySearch } from './search.ts';

const route = getRouteApi('/shell/directory');
const perPage = 30;

type Change = { [K in keyof DirectorySearch]?: DirectorySearch[K] | undefined };

/** The cards of all colleagues. */
export function DirectoryPage() {
  const t = useTranslations('directory');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as DirectorySearch,
      replace: 'search' in patch,
    });
  const query = useQuery({
    ...load(directory.list, { query: { ...search, per_page: perPage } }),
    placeholderData: keepPreviousData,
  });
  useLastPage(query);
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const { meta, data: cards } = query.data ?? {};
  return (
    <>
      <PageHeader title={t('title')} lead={meta === undefined ? '' : <Lead total={meta.total} search={search} />} />
      <Filters>
        <SearchField label={t('search')} value={search.search} onChange={(text) => change({ search: text })} />
        <Places search={search} onChange={change} />
      </Filters>
      {query.isPending && <ListSkeleton />}
      {cards !== undefined && cards.length > 0 && (
        <ScrollPane line p="gutter" {...(query.isPlaceholderData && { opacity: 0.6 })}>
          <CardGrid cards={cards} label={t('title')} />
        </ScrollPane>
      )}
      {meta?.total === 0 && <Empty search={search} onClear={() => void navigate({ search: {} })} />}
      {meta !== undefined && meta.total > 0 && <Pager meta={meta} onPage={(page) => change({ page })} />}
    </>
  );
}

/** The number of colleagues, and their order, which differs from *Employees*; a search may order them differently. */
function Lead({ total, search }: { total: number; search: DirectorySearch }) {
  const t = useTranslations('directory');
  return (
    <>
      <span>{t('count', { count: total })}</span>
      {search.search === undefined && total > 1 && <span> · {t('order')}</span>}
    </>
  );
}

/** Filters by company and department, if cards show them. */
function Places({ search, onChange }: { search: DirectorySearch; onChange: (change: Change) => void }) {
  const t = useTranslations('directory');
  const places = useQuery(load(directory.places, {})).data?.data;
  const { entity_id, department_id } = search;
  const entities = places?.entities ?? [];
  const inCompany = (places?.departments ?? []).filter((one) => entity_id === undefined || one.entity.id === entity_id);
  const groups = entities
    .map(({ id, name }) => ({
      group: name,
      items: inCompany.filter((one) => one.entity.id === id).map((one) => ({ value: String(one.id), label: one.name })),
    }))
    .filter(({ items }) => items.length > 0);
  const idOf = (value: string | null) => (value === null ? undefined : Number(value));
  return (
    <>
      <Select
        aria-label={t('company')}
        placeholder={t('company')}
        clearable
        searchable
        data={entities.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={entity_id === undefined ? null : String(entity_id)}
        onChange={(id) => onChange({ entity_id: idOf(id), department_id: undefined })}
      />
      <Select
        aria-label={t('department')}
        placeholder={t('department')}
        clearable
        searchable
        data={groups}
        value={department_id === undefined ? null : String(department_id)}
        onChange={(id) => onChange({ department_id: idOf(id) })}
      />
    </>
  );
}

function Empty({ search, onClear }: { search: DirectorySearch; onClear: () => void }) {
  const t = useTranslations('directory');
  const isFiltered = Object.entries(search).some(([name, value]) => name !== 'page' && value !== undefined);
  if (!isFiltered) return <Message title={t('none')}>{t('noneText')}</Message>;
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}
