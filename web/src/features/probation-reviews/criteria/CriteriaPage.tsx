import { Button, Stack } from '@mantine/core';
import { entities, probationCriteria, type CriteriaSet } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { paths } from '../../../paths.ts';
import type { Column } from '../../../ui/DataTable.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { RecordSelect } from '../../../ui/RecordSelect.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { SearchField } from '../../../ui/SearchField.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { usePercent } from '../../../ui/use-percent.ts';
import type { CriteriaDialog, CriteriaSearch } from '../search.ts';
import { CriteriaDialogs } from './CriteriaDialogs.tsx';

const route = getRouteApi('/shell/probation/criteria');

type Change = { [K in keyof CriteriaSearch]?: CriteriaSearch[K] | undefined };

/** The sets of criteria with which probation reviews start, by company. */
export function CriteriaPage() {
  const t = useTranslations('probationCriteria');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({ search: (old) => ({ ...old, page: undefined, ...patch }) as CriteriaSearch });
  const ask = (dialog: CriteriaDialog | undefined, set?: number) => change({ page: search.page, dialog, set });
  const { dialog: _dialog, set: _set, ...query } = search;
  const list = useQuery({
    ...load(probationCriteria.list, { query: { ...query, per_page: 25 } }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={
          <span className={classes['lead']}>
            <Link to={paths.probation}>{t('back')}</Link>
            {t('lead')}
          </span>
        }
      >
        <Button onClick={() => ask('add')}>{t('add')}</Button>
      </PageHeader>
      <SetFilters search={search} onChange={change} />
      <ListView<CriteriaSet>
        query={list}
        label={t('title')}
        columns={useColumns()}
        rowKey={({ id }) => id}
        card={(row) => <Card row={row} />}
        sort={{ by: 'name', direction: search.sort_direction ?? 'asc' }}
        onSort={({ direction }) => change({ sort_direction: direction })}
        onPage={(page) => change({ page })}
        empty={<Empty search={search} onChange={change} />}
      />
      <CriteriaDialogs dialog={search.dialog} id={search.set} onDialog={ask} />
    </>
  );
}

type PartProps = { search: CriteriaSearch; onChange: (change: Change) => void };

function SetFilters({ search, onChange }: PartProps) {
  const t = useTranslations('probationCriteria');
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
    </Filters>
  );
}

function Empty({ search, onChange }: PartProps) {
  const t = useTranslations('probationCriteria');
  if (search.search === undefined && search.entity_id === undefined)
    return (
      <Message title={t('none')} actions={<Button onClick={() => onChange({ dialog: 'add' })}>{t('add')}</Button>}>
        {t('noneText')}
      </Message>
    );
  const clear = (
    <Button variant="default" onClick={() => onChange({ search: undefined, entity_id: undefined })}>
      {t('clear')}
    </Button>
  );
  return (
    <Message title={t('noResult')} actions={clear}>
      {t('noResultText')}
    </Message>
  );
}

function useColumns(): Column<CriteriaSet>[] {
  const t = useTranslations('probationCriteria');
  return [
    { id: 'name', header: t('name'), sortBy: 'name', cell: (row) => <Name row={row} /> },
    { id: 'company', header: t('company'), cell: ({ entity }) => <bdi>{entity.name}</bdi> },
    { id: 'criteria', header: t('criteria'), cell: (row) => <Criteria row={row} /> },
    { id: 'use', header: t('use'), cell: (row) => <Use row={row} /> },
  ];
}

type RowProps = { row: CriteriaSet };
const Name = ({ row }: RowProps) => (
  <Link
    from={paths.probationCriteria}
    to={paths.probationCriteria}
    search={(old) => ({ ...old, dialog: 'edit' as const, set: row.id })}
    className="record-link"
  >
    <bdi>{row.name}</bdi>
  </Link>
);

const Card = ({ row }: RowProps) => (
  <Stack gap={8} fz="sm">
    <Name row={row} />
    <bdi className="muted">{row.entity.name}</bdi>
    <Criteria row={row} />
    <Use row={row} />
  </Stack>
);

function Criteria({ row: { criteria } }: RowProps) {
  const t = useTranslations('probationCriteria');
  const percent = usePercent(0, 0);
  return criteria.map(({ name, weight }) => t('criterion', { name, weight: percent(weight) })).join(' · ');
}

function Use({ row: { is_proposed: isProposed, may_adapt: mayAdapt } }: RowProps) {
  const t = useTranslations('probationCriteria');
  return (
    <>
      <StatusBadge tone={isProposed ? 'good' : 'quiet'} label={t(isProposed ? 'proposed' : 'notProposed')} />{' '}
      {!mayAdapt && <span className="muted">{t('fixed')}</span>}
    </>
  );
}
