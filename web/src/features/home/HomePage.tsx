import { Select, Skeleton } from '@mantine/core';
import { dashboard as contract, type Dashboard } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CycleBlock } from '../../figures/CycleBlock.tsx';
import classes from '../../figures/blocks.module.css';
import { OwnCard } from './OwnCard.tsx';
import { PeopleBlock, StructureBlock } from '../../figures/PeopleBlock.tsx';
import { ProbationBlock } from './ProbationBlock.tsx';
import { QualityBlock } from './QualityBlock.tsx';
import type { HomeSearch } from './search.ts';
import { Steps } from './Steps.tsx';
import { useLinks } from '../../figures/use-links.tsx';
import { OpenTasks } from './OpenTasks.tsx';

const route = getRouteApi('/shell/');

/** The home page: the user's tasks, then the figures that the user may see. */
export function HomePage() {
  const t = useTranslations('home');
  const { user } = useSession();
  const search = route.useSearch();
  const query = useQuery({ ...load(contract.get, { query: search }), placeholderData: keepPreviousData });
  const data = query.data?.data;
  return (
    <>
      <PageHeader title={t('hello', { name: user?.name ?? '' })} lead={t('lead')} />
      {data && <Choices choices={data.filters} search={search} figures={data.headcount !== undefined} />}
      <div className={classes['page']} style={query.isPlaceholderData ? { opacity: 0.6 } : {}}>
        <OpenTasks counts={data?.my_work} />
        {user && user.employee_id !== null && <OwnCard employee_id={user.employee_id} me={data?.me} />}
        {query.isPending && <HomeSkeleton />}
        {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
        {data && <Blocks data={data} search={search} />}
        <Steps people={data?.headcount?.total} />
      </div>
    </>
  );
}

function Blocks({ data, search }: { data: Dashboard; search: HomeSearch }) {
  const links = useLinks(search);
  const today = data.my_work.as_of.slice(0, 10);
  return (
    <>
      <PeopleBlock data={data} today={today} links={links} />
      <StructureBlock data={data} today={today} links={links} />
      {data.kpi_cycle && data.kpi_cycle.total > 0 && <CycleBlock summary={data.kpi_cycle} links={links} />}
      {data.probation && <ProbationBlock probation={data.probation} today={today} links={links} />}
      {data.data_quality && <QualityBlock gaps={data.data_quality} cycleId={search.cycle_id} links={links} />}
    </>
  );
}

type ChoicesProps = { choices: Dashboard['filters']; search: HomeSearch; figures: boolean };

/** The company and cycle filters of all figures; hidden if there is nothing to choose. */
function Choices({ choices: { entities, cycles }, search, figures }: ChoicesProps) {
  const t = useTranslations('home');
  const navigate = route.useNavigate();
  const change = (patch: { [K in keyof HomeSearch]: HomeSearch[K] | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...patch }) });
  const fields = [
    { name: 'entity_id', label: t('company'), rows: entities, any: t('anyCompany') },
    { name: 'cycle_id', label: t('cycleField'), rows: cycles, any: t('latestCycle') },
  ] as const;
  if (!figures || (entities.length < 2 && cycles.length < 2)) return null;
  return (
    <Filters>
      {fields
        .filter(({ name, rows }) => rows.length > 1 || search[name] !== undefined)
        .map(({ name, label, rows, any }) => (
          <Select
            key={name}
            aria-label={label}
            placeholder={any}
            clearable
            searchable
            data={rows.map((row) => ({ value: String(row.id), label: row.name }))}
            value={search[name] === undefined ? null : String(search[name])}
            onChange={(id) => change({ [name]: id === null ? undefined : Number(id) })}
          />
        ))}
    </Filters>
  );
}

function HomeSkeleton() {
  const t = useTranslations('table');
  return (
    <>
      <output className="visually-hidden">{t('loading')}</output>
      <Skeleton height={140} />
      <Skeleton height={180} />
      <Skeleton height={180} />
    </>
  );
}
