import { Button } from '@mantine/core';
import { employees, maxReassigned, responsibilities, type Employee, type Responsibility } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../../api/query.ts';
import { NotFoundPage } from '../../../layout/ErrorPages.tsx';
import { isId, paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Filters } from '../../../ui/Filters.tsx';
import { FootBar } from '../../../ui/FootBar.tsx';
import { ListSkeleton, ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { SearchField } from '../../../ui/SearchField.tsx';
import { RowBox } from '../../../ui/RowBox.tsx';
import { useColumns } from './columns.tsx';
import { Reassign, type Wanted } from './Reassign.tsx';

const route = getRouteApi('/shell/employees/$id/offboarding');

/** A person's responsibilities, to be reassigned one by one or together. */
export function OffboardingPage() {
  const { id } = route.useParams();
  return isId(id) ? <Offboarding key={id} id={Number(id)} /> : <NotFoundPage />;
}

function Offboarding({ id }: { id: number }) {
  const query = useQuery(load(employees.get, { params: { id } }));
  if (query.isPending) return <ListSkeleton />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Responsibilities employee={query.data.data} />;
}

const keyOf = ({ kind, id }: Responsibility) => `${kind}:${id}`;
const countOf = ({ responsibilities: all }: Employee) =>
  Object.values(all ?? {}).reduce((sum, count) => sum + count, 0);

/** The page of responsibilities; a new search returns to the first page. */
function useResponsibilities(id: number) {
  const [search, setSearch] = useState<string>();
  const [page, setPage] = useState(1);
  const query = useQuery({
    ...load(responsibilities.list, { params: { id }, query: { per_page: 50, page, ...(search && { search }) } }),
    placeholderData: keepPreviousData,
  });
  const narrow = (text: string | undefined) => {
    setSearch(text);
    setPage(1);
  };
  return { query, search, narrow, setPage };
}

function useChoice() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Responsibility>>(new Map());
  const onToggle = (rows: readonly Responsibility[], on: boolean) =>
    setChosen((old) => {
      const next = new Map(old);
      for (const row of rows) {
        if (!on) next.delete(keyOf(row));
        else if (next.size < maxReassigned) next.set(keyOf(row), row);
      }
      return next;
    });
  const isOn = (row: Responsibility) => chosen.has(keyOf(row));
  return { chosen: [...chosen.values()], choice: { Box: RowBox, isOn, onToggle }, clear: () => setChosen(new Map()) };
}

function Responsibilities({ employee }: { employee: Employee }) {
  const t = useTranslations('offboarding');
  const { id, display_name: name } = employee;
  const { query, search, narrow, setPage } = useResponsibilities(id);
  const [wanted, setWanted] = useState<Wanted>();
  const { chosen, choice, clear } = useChoice();
  const mayReassign = employee.allowed_actions.includes('reassign');
  const { columns, titleOf } = useColumns(mayReassign, (row) => setWanted({ rows: [row] }));
  const total = query.data?.meta.total ?? 0;
  const outside = search || !query.isSuccess ? 0 : Math.max(0, countOf(employee) - total);
  const done = () => {
    setWanted(undefined);
    clear();
  };
  return (
    <>
      <PageHeader title={t('title', { name })} lead={<Lead employee={employee} />} />
      {outside > 0 && <Notice>{t('outside', { count: outside })}</Notice>}
      <Filters>
        <SearchField label={t('search')} value={search} onChange={narrow} />
      </Filters>
      <ListView
        query={query}
        label={t('list', { name })}
        columns={columns}
        rowKey={keyOf}
        card={(row) => <CardOf columns={columns} row={row} />}
        onPage={setPage}
        {...(mayReassign && { choice: { ...choice, label: (row: Responsibility) => t('select', titleOf(row)) } })}
        empty={<Empty name={name} isNarrowed={Boolean(search)} />}
      />
      {mayReassign && total > 0 && <Actions chosen={chosen} onClear={clear} onReassign={setWanted} />}
      {wanted && <Reassign employee={employee} wanted={wanted} onClose={() => setWanted(undefined)} onDone={done} />}
    </>
  );
}

/** A link to the profile, and the last working day if it is known. */
function Lead({ employee: { id, display_name: name, last_working_date: lastDay } }: { employee: Employee }) {
  const t = useTranslations('offboarding');
  return (
    <div className={classes['lead']}>
      <Link to={paths.employee} params={{ id: String(id) }}>
        {t('profile', { name })}
      </Link>
      {lastDay && (
        <span>
          {t('lastDay')}: <Day value={lastDay} />
        </span>
      )}
    </div>
  );
}

function Empty({ name, isNarrowed }: { name: string; isNarrowed: boolean }) {
  const t = useTranslations('offboarding');
  if (isNarrowed) return <Message title={t('noMatch')} />;
  return <Message title={t('nothing')}>{t('nothingHint', { name })}</Message>;
}

type ActionsProps = {
  chosen: readonly Responsibility[];
  onClear: () => void;
  onReassign: (wanted: Wanted) => void;
};

/** The actions on the selected responsibilities. */
function Actions({ chosen, onClear, onReassign }: ActionsProps) {
  const t = useTranslations('offboarding');
  const actions =
    chosen.length === 0 ? (
      <Button onClick={() => onReassign({ rows: 'all' })}>{t('reassignAll')}</Button>
    ) : (
      <>
        <Button variant="default" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button onClick={() => onReassign({ rows: chosen })}>{t('reassignSelected', { count: chosen.length })}</Button>
      </>
    );
  return <FootBar label={t('bar')} actions={actions} />;
}
