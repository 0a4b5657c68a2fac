import { Skeleton, Tabs } from '@mantine/core';
import { kpiCycles, type KpiCycle } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { isLost, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { CycleHeader } from './CycleHeader.tsx';
import classes from './cycle.module.css';
import { followFigures } from './follow.ts';
import { Lines } from './Lines.tsx';
import { Overview } from './Overview.tsx';
import { Publishing } from './Publishing.tsx';
import { cycleTabs, type CycleDialog, type CycleSearch, type CycleTab } from './search.ts';
import { useEndOfPublishing } from './use-end-of-publishing.ts';

const route = getRouteApi('/shell/kpi/cycles/$id');

const DepartmentsTab = lazyPart(() => import('./DepartmentsTab.tsx'), 'DepartmentsTab');
const ParticipantsTab = lazyPart(() => import('./ParticipantsTab.tsx'), 'ParticipantsTab');
const ResultsTab = lazyPart(() => import('./ResultsTab.tsx'), 'ResultsTab');
const CycleDialogs = lazyPart(() => import('./dialogs/CycleDialogs.tsx'), 'CycleDialogs');

/** One round of evaluations: how far it is, and everything that steers it. */
export function CyclePage() {
  const { id } = route.useParams();
  return isId(id) ? <OneCycle key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneCycle({ id }: { id: number }) {
  const query = useQuery({
    ...load(kpiCycles.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data ? followFigures(state.data.data) : false),
  });
  if (query.isPending) return <CycleSkeleton />;
  if (isLost(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Cycle cycle={query.data.data} />;
}

type Go = { tab: (tab: CycleTab, narrowed?: CycleSearch) => void; dialog: (name: CycleDialog | undefined) => void };

/** Goes elsewhere on the page of the same cycle. */
function useGo(): Go {
  const navigate = route.useNavigate();
  return {
    tab: (tab, narrowed = {}) => void navigate({ search: { tab, ...narrowed } }),
    dialog: (name) => void navigate({ search: ({ do: _open, ...old }) => (name ? { ...old, do: name } : old) }),
  };
}

function Cycle({ cycle }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles.tabs');
  const { can } = useSession();
  const search = route.useSearch();
  const go = useGo();
  const publishing = useEndOfPublishing(cycle);
  const tabs = cycleTabs.filter((tab) => tab !== 'participants' || can('kpi-evaluation.view'));
  const tab = tabs.find((one) => one === search.tab) ?? 'overview';
  const narrow = (change: CycleSearch) => go.tab(tab, { ...search, page: undefined, ...change } as CycleSearch);
  const shown = (one: CycleTab) => {
    const props = { cycle, search, onChange: narrow };
    switch (one) {
      case 'overview':
        return <Overview {...props} />;
      case 'departments':
        return <DepartmentsTab {...props} />;
      case 'participants':
        return <ParticipantsTab {...props} />;
      case 'results':
        return <ResultsTab {...props} />;
    }
  };
  return (
    <>
      <CycleHeader cycle={cycle} onDialog={go.dialog} />
      <Publishing state={publishing} />
      <Tabs className={classes['tabs']} value={tab} onChange={(next) => go.tab(next as CycleTab)} keepMounted={false}>
        <Tabs.List className={classes['tabList']}>
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one} className={classes['panel']}>
            <Suspense fallback={<Lines />}>{shown(one)}</Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Suspense>
        <CycleDialogs
          dialog={search.do}
          cycle={cycle}
          department={search.department_id}
          onClose={() => go.dialog(undefined)}
        />
      </Suspense>
    </>
  );
}

function CycleSkeleton() {
  return (
    <div className={classes['skeleton']}>
      <Skeleton height={26} width="16rem" />
      <Skeleton height={12} width="24rem" maw="100%" />
      <Lines />
    </div>
  );
}
