import { Button, Select } from '@mantine/core';
import {
  actionableItems,
  actionableKinds,
  itemPriorities,
  type ActionableItem,
  type ActionableKind,
} from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { taskGroupings, type TaskGrouping, type TasksSearch } from './search.ts';
import { Task } from '../../workflow/Task.tsx';
import { ScrollPane } from '../../ui/ScrollPane.tsx';
import { Covered } from './Covered.tsx';
import { TasksSkeleton } from './TasksSkeleton.tsx';
import { useLastPage } from '../../ui/use-last-page.ts';
import { useRowsByKey } from '../../ui/use-rows-by-key.ts';
import { useFinish } from '../../workflow/use-finish.ts';
import { useTaskCounts } from './use-task-counts.ts';

const route = getRouteApi('/shell/tasks');

type Change = { [K in keyof TasksSearch]?: TasksSearch[K] | undefined };

/** The user's tasks, most urgent first. A finished task leaves the list. */
export function TasksPage() {
  const t = useTranslations('tasks');
  const search = route.useSearch();
  const change = useFilterChange();
  const clear = () => change({ search: undefined, kind: undefined, priority: undefined });
  const { by = 'urgency', ...filters } = search;
  const order = by === 'kind' ? ({ sort_by: 'kind' } as const) : {};
  const query = useQuery({
    ...load(actionableItems.list, { query: { ...filters, ...order, per_page: 50 } }),
    placeholderData: keepPreviousData,
  });
  useLastPage(query);
  const waiting = useTaskCounts();
  const { finish, isDone } = useFinish();
  useRowsByKey('[data-task]');
  if (failedWithoutData(query)) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title={t('title')} lead={<Lead waiting={waiting} />} />
      <Covered />
      <Filters>
        <SearchField label={t('search')} value={search.search} onChange={(text) => change({ search: text })} />
        <KindFilter kinds={waiting?.by_kind ?? {}} value={search.kind} onChange={(kind) => change({ kind })} />
        <Pills
          label={t('groupBy')}
          options={taskGroupings.map((value) => ({ value, label: t(`grouping.${value}`) }))}
          value={by}
          onChange={(value) => change({ by: value === 'urgency' ? undefined : value })}
        />
      </Filters>
      {query.isPending ? (
        <TasksSkeleton label={t('loading')} />
      ) : (
        <Tasks
          by={by}
          items={query.data.data.filter((item) => !isDone(item))}
          onFinish={finish}
          // The other pages still have tasks.
          empty={query.data.meta.total > query.data.data.length ? null : <EmptyState search={search} onClear={clear} />}
        />
      )}
      {query.data && query.data.meta.last_page > 1 && (
        <Pager meta={query.data.meta} onPage={(page) => change({ page })} />
      )}
    </>
  );
}

function useFilterChange() {
  const navigate = route.useNavigate();
  return (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as TasksSearch,
      replace: 'search' in patch,
    });
}

function Lead({ waiting }: { waiting: ReturnType<typeof useTaskCounts> }) {
  const t = useTranslations('tasks');
  if (!waiting) return null;
  return (
    <>
      {t('count', { count: waiting.total })}
      {waiting.overdue > 0 && <> · {t('overdue', { count: waiting.overdue })}</>}
    </>
  );
}

type KindProps = {
  kinds: { [K in ActionableKind]?: number | undefined };
  value: ActionableKind | undefined;
  onChange: (kind: ActionableKind | undefined) => void;
};

function KindFilter({ kinds, value, onChange }: KindProps) {
  const t = useTranslations('tasks');
  const names = Object.keys(kinds) as ActionableKind[];
  return (
    <Select
      aria-label={t('kindLabel')}
      placeholder={t('kindLabel')}
      clearable
      data={[...new Set([...names, ...(value ? [value] : [])])].map((kind) => ({
        value: kind,
        label: t('kindCount', { kind: t(`kind.${kind}`), count: kinds[kind] ?? 0 }),
      }))}
      value={value ?? null}
      onChange={(kind) => onChange(kind ?? undefined)}
    />
  );
}

type TasksProps = {
  by: TaskGrouping;
  items: readonly ActionableItem[];
  empty: ReactNode;
  onFinish: (item: ActionableItem) => void;
};

/** The tasks in groups: by urgency, or by action. */
function useGroups(by: TaskGrouping, items: readonly ActionableItem[]) {
  const t = useTranslations('tasks');
  const groups =
    by === 'kind'
      ? actionableKinds.map((kind) => ({
          key: kind,
          title: t(`kind.${kind}`),
          rows: items.filter((item) => item.kind === kind),
        }))
      : itemPriorities.map((priority) => ({
          key: priority,
          title: t(`priority.${priority}`),
          rows: items.filter((item) => item.priority === priority),
        }));
  return groups.filter(({ rows }) => rows.length > 0);
}

function Tasks({ by, items, empty, onFinish }: TasksProps) {
  const groups = useGroups(by, items);
  if (items.length === 0) return empty;
  return (
    <ScrollPane line px="gutter" pb="gutter">
      {groups.map(({ key, title, rows }) => (
        <section key={key} aria-labelledby={`tasks-${key}`}>
          <SectionTitle
            id={`tasks-${key}`}
            mt={22}
            mb={6}
            fz="sm"
            c={key === 'overdue' ? 'var(--danger)' : 'var(--ink-2)'}
          >
            {title}
          </SectionTitle>
          <ul>
            {rows.map((item) => (
              <Task key={item.id} item={item} onFinish={onFinish} />
            ))}
          </ul>
        </section>
      ))}
    </ScrollPane>
  );
}

function EmptyState({ search, onClear }: { search: TasksSearch; onClear: () => void }) {
  const t = useTranslations('tasks');
  if (search.search === undefined && search.kind === undefined && search.priority === undefined)
    return <Message title={t('none')}>{t('noneText')}</Message>;
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
