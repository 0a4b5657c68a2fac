import { Button, NativeSelect, Stack } from '@mantine/core';
import { announcements, announcementStates, entities, type Announcement } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import type { Column } from '../../ui/DataTable.tsx';
import { Day } from '../../ui/Dates.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { ListView } from '../../ui/ListView.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { RecordSelect } from '../../ui/RecordSelect.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { AnnouncementDialog, AnnouncementsSearch } from './search.ts';

const AnnouncementDialogs = lazyPart(() => import('./AnnouncementDialogs.tsx'), 'AnnouncementDialogs');

const route = getRouteApi('/shell/announcements');

type Change = { [K in keyof AnnouncementsSearch]?: AnnouncementsSearch[K] | undefined };

/** The announcements for the companies in the user's scope. */
export function AnnouncementsPage() {
  const t = useTranslations('announcements');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...patch }) as AnnouncementsSearch });
  const ask = (dialog: AnnouncementDialog | undefined, announcement?: number) =>
    change({ page: search.page, dialog, announcement });
  const { dialog: _dialog, announcement: _announcement, ...query } = search;
  const list = useQuery({
    ...load(announcements.list, { query: { ...query, per_page: 25 } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Button onClick={() => ask('add')}>{t('add')}</Button>
      </PageHeader>
      <ListFilters search={search} onChange={change} />
      <ListView<Announcement>
        query={list}
        label={t('title')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        card={(row) => <Card row={row} />}
        sort={{ by: search.sort_by ?? 'starts_on', direction: search.sort_direction ?? 'desc' }}
        onSort={({ by, direction }) =>
          change({ sort_by: by as AnnouncementsSearch['sort_by'], sort_direction: direction })
        }
        onPage={(page) => change({ page })}
        empty={<Empty search={search} onChange={change} />}
      />
      <Suspense>
        <AnnouncementDialogs dialog={search.dialog} id={search.announcement} onDialog={ask} />
      </Suspense>
    </>
  );
}

type PartProps = { search: AnnouncementsSearch; onChange: (change: Change) => void };

function ListFilters({ search, onChange }: PartProps) {
  const t = useTranslations('announcements');
  return (
    <Filters>
      <SearchField label={t('search')} value={search.search} onChange={(text) => onChange({ search: text })} />
      <RecordSelect
        label={t('company')}
        list={entities.list}
        one={entities.get}
        value={search.entity_id}
        onChange={(id) => onChange({ entity_id: id })}
      />
      <NativeSelect
        aria-label={t('state')}
        value={search.state ?? ''}
        data={[
          { value: '', label: t('anyState') },
          ...announcementStates.map((value) => ({ value, label: t(`states.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ state: announcementStates.find((state) => state === value) })
        }
      />
    </Filters>
  );
}

function Empty({ search, onChange }: PartProps) {
  const t = useTranslations('announcements');
  if (search.search === undefined && search.entity_id === undefined && search.state === undefined)
    return (
      <Message title={t('none')} actions={<Button onClick={() => onChange({ dialog: 'add' })}>{t('add')}</Button>}>
        {t('noneText')}
      </Message>
    );
  const clear = (
    <Button variant="default" onClick={() => onChange({ search: undefined, entity_id: undefined, state: undefined })}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}

function useColumns(): Column<Announcement>[] {
  const t = useTranslations('announcements');
  return [
    { id: 'title', header: t('name'), cell: (row) => <Name row={row} /> },
    { id: 'companies', header: t('companies'), cell: (row) => <Companies row={row} /> },
    { id: 'starts_on', header: t('starts_on'), sortBy: 'starts_on', cell: (row) => <Day value={row.starts_on} /> },
    { id: 'ends_on', header: t('ends_on'), sortBy: 'ends_on', cell: (row) => <Day value={row.ends_on} /> },
    { id: 'state', header: t('state'), cell: (row) => <State row={row} /> },
  ];
}

type RowProps = { row: Announcement };

const Name = ({ row: { id, title } }: RowProps) => (
  <Link
    from={paths.announcements}
    to={paths.announcements}
    search={(old) => ({ ...old, dialog: 'edit' as const, announcement: id })}
    className="record-link"
  >
    <bdi>{title}</bdi>
  </Link>
);

function Companies({ row: { entities: audience } }: RowProps) {
  const t = useTranslations('announcements');
  return <bdi>{audience === null ? t('allCompanies') : audience.map(({ name }) => name).join(', ')}</bdi>;
}

const tones = { planned: 'info', running: 'good', ended: 'quiet' } as const;

function State({ row: { state } }: RowProps) {
  const t = useTranslations('announcements');
  return <StatusBadge tone={tones[state]} label={t(`states.${state}`)} />;
}

const Card = ({ row }: RowProps) => (
  <Stack gap={8} fz="sm" align="start">
    <Name row={row} />
    <span className="muted">
      <Companies row={row} />
    </span>
    <span>
      <Day value={row.starts_on} /> – <Day value={row.ends_on} />
    </span>
    <State row={row} />
  </Stack>
);
