import { Select } from '@mantine/core';
import { dashboard, type Dashboard } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { ForbiddenPage } from '../../layout/ErrorPages.tsx';
import { DayFilter } from '../../ui/DayFilter.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { CycleBlock } from '../../figures/CycleBlock.tsx';
import classes from '../../figures/blocks.module.css';
import { StructureBlock } from '../../figures/StructureBlock.tsx';
import { useLinks } from '../../figures/use-links.tsx';
import { Cycles, NewerCycle, useCycles } from './Cycles.tsx';
import { CycleByDepartment } from './CycleByDepartment.tsx';
import { Outcomes } from './Outcomes.tsx';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import type { ReportsSearch } from './search.ts';
import { Turnover } from './Turnover.tsx';

const HeadCount = lazyPart(() => import('./HeadCount.tsx'), 'HeadCount');
const Movement = lazyPart(() => import('./Movement.tsx'), 'Movement');

const route = getRouteApi('/shell/reports');

/** Without the permission, the page says so once instead of in every report. */
export const ReportsPage = () => (useSession().can('dashboard.view_all') ? <Reports /> : <ForbiddenPage />);

/** Reports on headcount, structure, KPI results and probations; each as a chart, a table and a file. */
function Reports() {
  const t = useTranslations('reports');
  const search = route.useSearch();
  const change = useChange();
  const { can } = useSession();
  const links = useLinks(search);
  const { entity_id, cycle_id } = search;
  const query = useQuery({
    ...load(dashboard.get, { query: { entity_id, cycle_id } }),
    placeholderData: keepPreviousData,
  });
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  const data = query.data?.data;
  const today = data?.today ?? '';
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <Choices choices={data?.filters} search={search} />
      <div className={classes['page']}>
        <div>
          <Suspense fallback={<ChartSkeleton height={480} />}>
            <Movement search={search} links={links} />
          </Suspense>
        </div>
        <div>
          <AutoGrid min="18rem" gap="26px 40px" fit>
            <Turnover search={search} links={links} />
            <Outcomes search={search} links={links} />
          </AutoGrid>
        </div>
        {data && can('employees.view') && (
          <Suspense fallback={<ChartSkeleton />}>
            <HeadCount search={search} today={today} links={links} onDay={(as_of) => change({ as_of })} />
          </Suspense>
        )}
        {data ? (
          <StructureBlock data={data} today={today} links={links} file={t('file.structure')} />
        ) : (
          <ChartSkeleton />
        )}
        {data?.kpi_cycle && <CycleBlocks summary={data.kpi_cycle} search={search} links={links} />}
      </div>
    </>
  );
}

type CycleProps = {
  summary: NonNullable<Dashboard['kpi_cycle']>;
  search: ReportsSearch;
  links: ReturnType<typeof useLinks>;
};

/** The results of the cycle, once it has evaluations. */
function CycleBlocks({ summary, search, links }: CycleProps) {
  const t = useTranslations('reports');
  const query = useCycles(search);
  const cycles = query.data?.data.cycles ?? [];
  if (summary.total === 0) return null;
  if (query.isPending) return <ChartSkeleton />;
  return (
    <>
      <NewerCycle cycles={cycles} search={search} shown={summary.cycle.id} />
      <CycleBlock summary={summary} links={links} file={t('file.cycle')} />
      <AutoGrid min="18rem" gap="26px 40px" fit>
        <CycleByDepartment summary={summary} links={links} />
        <Cycles cycles={cycles} links={links} />
      </AutoGrid>
    </>
  );
}

type Change = { [K in keyof ReportsSearch]?: ReportsSearch[K] | undefined };

/** Changes the address. */
function useChange() {
  const navigate = route.useNavigate();
  return (patch: Change) => void navigate({ search: (old) => ({ ...old, ...patch }) as ReportsSearch });
}

function Choices({ choices, search }: { choices: Dashboard['filters'] | undefined; search: ReportsSearch }) {
  const t = useTranslations('reports');
  const change = useChange();
  const records = [
    { name: 'entity_id', label: t('company'), rows: choices?.entities, any: t('anyCompany') },
    { name: 'cycle_id', label: t('cycle'), rows: choices?.cycles, any: t('latestCycle') },
  ] as const;
  return (
    <Filters>
      {records.map(({ name, label, rows, any }) => (
        <Select
          key={name}
          label={label}
          placeholder={any}
          clearable
          searchable
          data={(rows ?? []).map((row) => ({ value: String(row.id), label: row.name }))}
          value={search[name] === undefined ? null : String(search[name])}
          onChange={(id) => change({ [name]: id === null ? undefined : Number(id) })}
        />
      ))}
      {(['from', 'to'] as const).map((name) => (
        <DayFilter key={name} label={t(name)} value={search[name]} onChange={(day) => change({ [name]: day })} />
      ))}
    </Filters>
  );
}
