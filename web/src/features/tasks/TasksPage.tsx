import { Button, Select } from '@mantine/core';
import { IconArrowRight, IconCircleCheck } from '@tabler/icons-react';
import { actionableItems, itemPriorities, type ActionableItem, type ActionableKind } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { Day } from '../../ui/Dates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Filters } from '../../ui/Filters.tsx';
import { Message } from '../../ui/Message.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Pager } from '../../ui/Pager.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import type { TasksSearch } from './search.ts';
import classes from './tasks.module.css';
import { TasksSkeleton } from './TasksSkeleton.tsx';
import { useRowsByKey } from './use-rows-by-key.ts';
import { useWaiting } from './use-waiting.ts';

const route = getRouteApi('/shell/tasks');

type Change = { [K in keyof TasksSearch]?: TasksSearch[K] | undefined };

/** Everything that waits for the reader, the most urgent first. What is done leaves by itself. */
export function TasksPage() {
  const t = useTranslations('tasks');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (patch: Change) =>
    void navigate({
      search: (old) => ({ ...old, page: undefined, ...patch }) as TasksSearch,
      replace: 'search' in patch,
    });
  const query = useQuery({
    ...load(actionableItems.list, { query: { ...search, per_page: 50 } }),
    placeholderData: keepPreviousData,
  });
  const waiting = useWaiting();
  useRowsByKey('[data-task]');
  if (query.isError) return <ErrorState page error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title={t('title')} lead={<Lead waiting={waiting} />} />
      <Filters>
        <SearchField label={t('search')} value={search.search} onChange={(text) => change({ search: text })} />
        <KindFilter kinds={waiting?.by_kind ?? {}} value={search.kind} onChange={(kind) => change({ kind })} />
      </Filters>
      {query.isPending ? (
        <TasksSkeleton label={t('loading')} />
      ) : (
        <Tasks
          items={query.data.data}
          empty={<Nothing search={search} onClear={() => change({ search: undefined, kind: undefined })} />}
        />
      )}
      {query.data && query.data.meta.last_page > 1 && (
        <Pager meta={query.data.meta} onPage={(page) => change({ page })} />
      )}
    </>
  );
}

function Lead({ waiting }: { waiting: ReturnType<typeof useWaiting> }) {
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

function Tasks({ items, empty }: { items: readonly ActionableItem[]; empty: React.ReactNode }) {
  const t = useTranslations('tasks');
  if (items.length === 0) return empty;
  const groups = itemPriorities
    .map((priority) => ({ priority, rows: items.filter((item) => item.priority === priority) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <div className={classes['groups']}>
      {groups.map(({ priority, rows }) => (
        <section key={priority} aria-labelledby={`tasks-${priority}`}>
          <h2 id={`tasks-${priority}`} data-priority={priority}>
            {t(`priority.${priority}`)}
          </h2>
          <ul>
            {rows.map((item) => (
              <Task key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Task({ item }: { item: ActionableItem }) {
  const t = useTranslations('tasks');
  const router = useRouter();
  const { employee, due_date, description } = item;
  return (
    <li className={classes['task']}>
      {employee ? (
        <PersonAvatar id={employee.id} name={employee.name} />
      ) : (
        <IconCircleCheck size={22} stroke={1.5} aria-hidden />
      )}
      <div className={classes['what']}>
        <a
          href={item.url}
          data-task
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            void router.navigate({ href: item.url });
          }}
        >
          {item.title}
        </a>
        <span className="muted">{description ?? t(`kind.${item.kind}`)}</span>
      </div>
      {due_date !== null && (
        <span className={classes['due']} data-priority={item.priority}>
          {t('due')} <Day value={due_date} />
        </span>
      )}
      <IconArrowRight size={16} className="directional" aria-hidden />
    </li>
  );
}

function Nothing({ search, onClear }: { search: TasksSearch; onClear: () => void }) {
  const t = useTranslations('tasks');
  if (search.search === undefined && search.kind === undefined)
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
