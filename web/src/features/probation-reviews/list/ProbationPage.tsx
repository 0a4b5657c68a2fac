import { Group, Tabs } from '@mantine/core';
import { probationReviews } from '@tenure/contract';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { ListSkeleton } from '../../../ui/ListView.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { TabRow } from '../../../ui/RecordTabs.tsx';
import { probationTabs, reviewFilters, type Change, type ProbationSearch, type ProbationTab } from '../search.ts';
import { EndingList } from './EndingList.tsx';
import { useLandingTab } from './use-landing-tab.ts';
import { reviewQuery } from './queries.ts';
import { ReviewList } from './ReviewList.tsx';

const route = getRouteApi('/shell/probation');

/** The user's tabs, the most likely one first. */
function useTabs(): ProbationTab[] {
  const { user, can } = useSession();
  const isPerson = (user?.employee_id ?? null) !== null;
  const writes = can('probation-review.submit');
  const reaches = user?.role_assignments.some(({ scope }) => scope !== 'own') ?? false;
  const others = reaches || writes || can('probation-review.approve') || can('probation-review.create');
  const sees: Record<ProbationTab, boolean> = {
    todo: writes && isPerson,
    mine: !others && isPerson,
    all: others,
    ending: others,
  };
  return probationTabs.filter((tab) => sees[tab]);
}

/** Probation: reviews to write, all visible reviews, and people whose probation ends. */
export function ProbationPage() {
  const t = useTranslations('probation');
  const { can } = useSession();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = useTabs();
  const wanted = search.tab ?? (reviewFilters.some((name) => name in search) ? 'all' : undefined);
  const named = tabs.find((one) => one === wanted);
  const landing = useLandingTab(tabs, named === undefined);
  const tab = named ?? landing;
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, tab, page: undefined, ...patch }) as ProbationSearch,
      replace: 'search' in patch,
    });
  const List = tab === 'ending' ? EndingList : ReviewList;
  return (
    <>
      <PageHeader title={t('title')} lead={tab && t(`lead.${tab}`)}>
        <Group gap="4px 16px">
          {can('probation-review.create') && <Link to={paths.probationCriteria}>{t('criteriaSets')}</Link>}
          {can('probation-review.approve') && <Link to={paths.letters}>{t('letters')}</Link>}
        </Group>
        {can('probation-review.export') && tab && tab !== 'ending' && (
          <ExportMenu
            endpoint={probationReviews.export}
            label={t('export')}
            query={reviewQuery(tab, search)}
            readable
          />
        )}
      </PageHeader>
      {tabs.length > 1 && (
        <Tabs value={tab ?? null} onChange={(next) => void navigate({ search: { tab: next as ProbationTab } })}>
          <TabRow label={t('title')} names={tabs} chosen={tab} nameOf={(one) => t(`tab.${one}`)} />
        </Tabs>
      )}
      {tab ? <List key={tab} tab={tab} search={search} onChange={change} /> : <ListSkeleton />}
    </>
  );
}
