import { Skeleton, Stack } from '@mantine/core';
import type { Dashboard } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { CycleBlock } from '../../figures/CycleBlock.tsx';
import { StructureBlock } from '../../figures/StructureBlock.tsx';
import classes from '../../figures/blocks.module.css';
import { useLinks } from '../../figures/use-links.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Choices } from './Choices.tsx';
import { OpenTasks, useOpenTasks } from './OpenTasks.tsx';
import { OwnCard } from './OwnCard.tsx';
import { PeopleBlock } from './PeopleBlock.tsx';
import { ProbationBlock } from './ProbationBlock.tsx';
import { QualityBlock } from './QualityBlock.tsx';
import type { HomeSearch } from './search.ts';
import { Steps } from './Steps.tsx';
import { TeamBlock } from './TeamBlock.tsx';
import { useHome } from './use-home.ts';

const FirstHour = lazyPart(() => import('../guide/FirstHour.tsx'), 'FirstHour', 'guide');

const route = getRouteApi('/shell/');

/** The home page: tasks and quick actions, the user's own work and team, then the figures that the user may see. */
export function HomePage() {
  const t = useTranslations('home');
  const { user } = useSession();
  const search = route.useSearch();
  const { figures, isReady } = useHome(search);
  const tasks = useOpenTasks();
  const data = figures.data?.data;
  return (
    <>
      <PageHeader title={t('hello', { name: user?.name ?? '' })} lead={t(data?.headcount ? 'lead' : 'ownLead')} />
      <div className={classes['page']} style={figures.isPlaceholderData ? { opacity: 0.6 } : {}}>
        <Suspense>
          <FirstHour />
        </Suspense>
        <OpenTasks query={tasks} counts={isReady ? data?.my_work : undefined} />
        {/* Made anew when what is above gets its height: new content does not count as moved. */}
        {isReady ? (
          <Rest key={`rest ${tasks.isPending}`} data={data} search={search}>
            {failedWithoutData(figures) && <ErrorState error={figures.error} onRetry={() => void figures.refetch()} />}
          </Rest>
        ) : (
          <HomeSkeleton key={`skeleton ${tasks.isPending}`} />
        )}
      </div>
    </>
  );
}

type RestProps = { data: Dashboard | undefined; search: HomeSearch; children: React.ReactNode };

function Rest({ data, search, children }: RestProps) {
  const { user } = useSession();
  const own = user?.employee_id ?? null;
  return (
    <>
      <Stack gap={26}>
        <Steps people={data?.headcount?.total} />
        {own !== null && <OwnCard employee_id={own} me={data?.me} />}
      </Stack>
      {own !== null && <TeamBlock id={own} />}
      {children}
      {data && <Blocks data={data} search={search} />}
    </>
  );
}

function Blocks({ data, search }: { data: Dashboard; search: HomeSearch }) {
  const links = useLinks(search);
  const { can } = useSession();
  const navigate = route.useNavigate();
  const today = data.my_work.as_of.slice(0, 10);
  return (
    <>
      {data.headcount !== undefined && (
        <Choices
          choices={data.filters}
          search={search}
          onChange={(patch) => void navigate({ search: (old) => ({ ...old, ...patch }) })}
        />
      )}
      <PeopleBlock data={data} search={search} links={links} />
      {can('dashboard.view_all') && <StructureBlock data={data} today={today} links={links} />}
      {data.kpi_cycle && data.kpi_cycle.total > 0 && <CycleBlock summary={data.kpi_cycle} links={links} />}
      {data.probation && <ProbationBlock probation={data.probation} today={today} links={links} />}
      {data.data_quality && <QualityBlock gaps={data.data_quality} cycleId={search.cycle_id} links={links} />}
    </>
  );
}

function HomeSkeleton() {
  const t = useTranslations('table');
  return (
    <>
      <Stack gap={26}>
        <output className="visually-hidden">{t('loading')}</output>
        <Skeleton height={90} />
        <Skeleton height={180} />
      </Stack>
      <Skeleton height={180} />
      <Skeleton height={220} />
    </>
  );
}
