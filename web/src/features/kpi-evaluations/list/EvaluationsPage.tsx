import { Button, Tabs } from '@mantine/core';
import { kpiEvaluations, type KpiEvaluationRow } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { load } from '../../../api/query.ts';
import { useSession } from '../../../api/session.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { ExportMenu } from '../../../ui/ExportMenu.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { ListView } from '../../../ui/ListView.tsx';
import { Message } from '../../../ui/Message.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { useSelected } from '../bulk/use-selected.ts';
import { evaluationFilters, evaluationTabs, type EvaluationsSearch, type EvaluationTab } from '../search.ts';
import { EvaluationCard, useEvaluationColumns } from './columns.tsx';
import { EvaluationFilters, type Change } from './EvaluationFilters.tsx';
import { TabRow } from '../../../ui/RecordTabs.tsx';
import { RowBox } from '../../../ui/RowBox.tsx';

const BulkBar = lazyPart(() => import('../bulk/BulkBar.tsx'), 'BulkBar', 'kpi-evaluation-bulk');

const BulkRuns = lazyPart(() => import('../bulk/BulkRuns.tsx'), 'BulkRuns', 'kpi-evaluation-bulk');

const route = getRouteApi('/shell/kpi/evaluations');

const narrowed: Record<EvaluationTab, { mine?: '1'; to_review?: '1' }> = {
  mine: { mine: '1' },
  review: { to_review: '1' },
  all: {},
};

/** The user's tabs, the most likely one first. */
function useTabs(): EvaluationTab[] {
  const { user, can } = useSession();
  const reviews = can('kpi-evaluation.review');
  const sees: Record<EvaluationTab, boolean> = {
    mine: (user?.employee_id ?? null) !== null,
    review: reviews && (user?.employee_id ?? null) !== null,
    all: reviews || can('kpi-evaluation.update') || can('kpi-evaluation.hr-review'),
  };
  return evaluationTabs.filter((tab) => sees[tab]);
}

/** The list's filters from the address, and its rows. */
function useEvaluations() {
  const found = route.useSearch();
  const navigate = route.useNavigate();
  const tabs = useTabs();
  const tab =
    tabs.find((one) => one === found.tab) ??
    (evaluationFilters.some((name) => name in found) ? tabs.at(-1) : tabs[0]) ??
    'mine';
  const search = { ...found, tab };
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, tab, page: undefined, ...patch }) as EvaluationsSearch,
      replace: 'search' in patch,
    });
  const { tab: _tab, bulk: _bulk, overdue, ...query } = search;
  const asked = { ...query, ...narrowed[tab], ...(overdue && { overdue: '1' as const }) };
  const list = useQuery({
    ...load(kpiEvaluations.list, { query: asked }),
    placeholderData: keepPreviousData,
  });
  const showTab = (next: EvaluationTab) => void navigate({ search: { tab: next } });
  const { page: _page, per_page: _size, sort_by: _sort, sort_direction: _direction, ...filters } = asked;
  return { search, tab, tabs, change, showTab, list, filters };
}

/**
 * Evaluations: the user's own, those assigned for review, and all visible ones.
 * Over 40 lines: one list with its states.
 */
export function EvaluationsPage() {
  const t = useTranslations('evaluations');
  const { search, tab, tabs, change, showTab, list, filters } = useEvaluations();
  const { can } = useSession();
  const selected = useSelected(filters);
  const mayChange = tab === 'all' && can('kpi-evaluation.hr-review');
  const columns = useEvaluationColumns(tab === 'mine');
  if (list.error?.status === 403) return <ErrorState page error={list.error} onRetry={() => void list.refetch()} />;
  const total = list.data?.meta.total;
  return (
    <>
      <PageHeader title={t('title')} lead={total === undefined ? '' : t('count', { count: total })}>
        {tab === 'all' && can('kpi-cycle.export') && (
          <ExportMenu endpoint={kpiEvaluations.export} label={t('export')} query={filters} readable />
        )}
      </PageHeader>
      {tabs.length > 1 && <ListTabs tabs={tabs} tab={tab} onTab={showTab} />}
      {tab !== 'mine' && <EvaluationFilters search={search} onChange={change} />}
      {mayChange && (
        <Suspense>
          <BulkRuns shown={search.bulk} onShow={(bulk) => change({ bulk, page: search.page })} />
        </Suspense>
      )}
      <ListView<KpiEvaluationRow>
        query={list}
        label={t(`tab.${tab}`)}
        columns={columns}
        rowKey={(row) => row.id}
        card={(row) => <EvaluationCard row={row} mine={tab === 'mine'} />}
        sort={{ by: search.sort_by ?? 'updated_at', direction: search.sort_direction ?? 'desc' }}
        onSort={({ by, direction }) =>
          change({ sort_by: by as EvaluationsSearch['sort_by'], sort_direction: direction })
        }
        onPage={(page) => change({ page })}
        onSize={(size) => change({ per_page: size })}
        {...(mayChange && {
          choice: {
            Box: RowBox,
            label: (row: KpiEvaluationRow) => t('select', { name: `${row.employee.name}, ${row.cycle.name}` }),
            isOn: selected.isOn,
            onToggle: selected.toggle,
          },
        })}
        empty={<EmptyState tab={tab} search={search} onClear={() => change(noFilters)} />}
      />
      {mayChange && selected.count > 0 && (
        <Suspense>
          <BulkBar selected={selected} total={total ?? 0} />
        </Suspense>
      )}
    </>
  );
}

const noFilters: Change = Object.fromEntries(evaluationFilters.map((name) => [name, undefined]));

type ListTabsProps = { tabs: readonly EvaluationTab[]; tab: EvaluationTab; onTab: (tab: EvaluationTab) => void };

function ListTabs({ tabs, tab, onTab }: ListTabsProps) {
  const t = useTranslations('evaluations');
  return (
    <Tabs value={tab} onChange={(next) => onTab(next as EvaluationTab)}>
      <TabRow label={t('title')} names={tabs} chosen={tab} nameOf={(one) => t(`tab.${one}`)} />
    </Tabs>
  );
}

type NothingProps = { tab: EvaluationTab; search: EvaluationsSearch; onClear: () => void };

function EmptyState({ tab, search, onClear }: NothingProps) {
  const t = useTranslations('evaluations');
  if (!evaluationFilters.some((name) => name in search))
    return <Message title={t(`none.${tab}`)}>{t(`noneText.${tab}`)}</Message>;
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
