import { Skeleton, Stack, Tabs } from '@mantine/core';
import { kpiCycles, type KpiCycle } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { NotFoundPage } from '../../layout/ErrorPages.tsx';
import { isId } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import { CycleHeader } from './CycleHeader.tsx';
import { figuresInterval } from './polling.ts';
import { SectionSkeleton } from './SectionSkeleton.tsx';
import { Overview } from './Overview.tsx';
import { Publishing } from './Publishing.tsx';
import { cycleTabs, type CycleDialog, type CycleSearch, type CycleTab } from './search.ts';
import { useEndOfPublishing } from './use-end-of-publishing.ts';
import { usePhone } from '../../ui/use-phone.ts';
import { useTabInView } from '../../ui/use-tab-in-view.ts';

const route = getRouteApi('/shell/kpi/cycles/$id');

const DepartmentsTab = lazyPart(() => import('./DepartmentsTab.tsx'), 'DepartmentsTab');
const ParticipantsTab = lazyPart(() => import('./ParticipantsTab.tsx'), 'ParticipantsTab');
const EligibleTab = lazyPart(() => import('./eligible/EligibleTab.tsx'), 'EligibleTab', 'kpi-cycle-eligible');
const ResultsTab = lazyPart(() => import('./ResultsTab.tsx'), 'ResultsTab');
const CycleDialogs = lazyPart(() => import('./dialogs/CycleDialogs.tsx'), 'CycleDialogs');

/** A KPI cycle: progress, departments, participants, results and actions. */
export function CyclePage() {
  const { id } = route.useParams();
  return isId(id) ? <OneCycle key={id} id={Number(id)} /> : <NotFoundPage />;
}

function OneCycle({ id }: { id: number }) {
  const query = useQuery({
    ...load(kpiCycles.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data ? figuresInterval(state.data.data) : false),
  });
  if (query.isPending) return <CycleSkeleton />;
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return <Cycle cycle={query.data.data} />;
}

type Go = { tab: (tab: CycleTab, narrowed?: CycleSearch) => void; dialog: (name: CycleDialog | undefined) => void };

/** Navigates within the page of a cycle. */
function useGo(): Go {
  const navigate = route.useNavigate();
  return {
    tab: (tab, narrowed = {}) => void navigate({ search: { tab, ...narrowed } }),
    dialog: (name) => void navigate({ search: ({ do: _open, ...old }) => (name ? { ...old, do: name } : old) }),
  };
}

function Cycle({ cycle }: { cycle: KpiCycle }) {
  const search = route.useSearch();
  const go = useGo();
  const publishing = useEndOfPublishing(cycle);
  return (
    <>
      <CycleHeader cycle={cycle} onDialog={go.dialog} />
      <Publishing state={publishing} />
      <CycleTabs cycle={cycle} search={search} onTab={go.tab} />
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

const panels = {
  overview: Overview,
  departments: DepartmentsTab,
  participants: ParticipantsTab,
  eligible: EligibleTab,
  results: ResultsTab,
};

type TabsProps = { cycle: KpiCycle; search: CycleSearch; onTab: Go['tab'] };

function CycleTabs({ cycle, search, onTab }: TabsProps) {
  const t = useTranslations('kpiCycles.tabs');
  const { can } = useSession();
  const overflow = usePhone() ? 'visible' : 'auto';
  const shown: Partial<Record<CycleTab, boolean>> = {
    participants: can('kpi-evaluation.view'),
    eligible: cycle.status === 'published' && cycle.allowed_actions.includes('preflight'),
  };
  const tabs = cycleTabs.filter((tab) => shown[tab] ?? true);
  const tab = tabs.find((one) => one === search.tab) ?? 'overview';
  const row = useTabInView(tab);
  const narrow = (change: CycleSearch) => onTab(tab, { ...search, page: undefined, ...change } as CycleSearch);
  return (
    <Tabs value={tab} onChange={(next) => onTab(next as CycleTab)} keepMounted={false} {...column}>
      <Tabs.List ref={row} px={12} pos="relative" style={{ flex: 'none', ...scrolledSideways }}>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(one)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((one) => {
        const Panel = panels[one];
        return (
          <Tabs.Panel
            key={one}
            value={one}
            {...(one === tab && column)}
            pos="relative"
            style={{ ...column.style, overflow }}
          >
            <Suspense fallback={<SectionSkeleton />}>
              <Panel cycle={cycle} search={search} onChange={narrow} />
            </Suspense>
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

const column = { display: 'flex', flex: 1, mih: 0, style: { flexDirection: 'column' } } as const;
const scrolledSideways = { flexWrap: 'nowrap', overflowX: 'auto', scrollbarWidth: 'none' } as const;

function CycleSkeleton() {
  return (
    <Stack gap={16} px="gutter" pt={20} pb={32}>
      <Skeleton height={26} width="16rem" />
      <Skeleton height={12} width="24rem" maw="100%" />
      <SectionSkeleton />
    </Stack>
  );
}
