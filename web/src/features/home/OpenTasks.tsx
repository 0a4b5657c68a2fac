import { actionableItems, type Dashboard } from '@tenure/contract';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Task } from '../../workflow/Task.tsx';
import chart from '../../ui/charts/charts.module.css';
import { Block } from '../../figures/Figures.tsx';

const shownTasks = 5;

export const useOpenTasks = () => useQuery(load(actionableItems.list, { query: { per_page: shownTasks } }));

type Props = { query: ReturnType<typeof useOpenTasks>; counts: Dashboard['my_work'] | undefined };

/** The user's most urgent tasks and the number of all tasks. */
export function OpenTasks({ query, counts }: Props) {
  const t = useTranslations('home');
  const found = failedWithoutData(query) ? undefined : query.data;
  const total = found?.meta.total ?? 0;
  return (
    <Block title={t('waiting')} aside={total > 0 && <Link to={paths.tasks}>{t('allTasks', { count: total })}</Link>}>
      {query.isPending && <Skeleton height={57 * shownTasks} />}
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {found && total === 0 && <p className="muted">{t('nothingWaits')}</p>}
      {found && total > 0 && (
        <ul>
          {found.data.map((item) => (
            <Task key={item.id} item={item} />
          ))}
        </ul>
      )}
      {counts !== undefined && <Counts counts={counts} />}
    </Block>
  );
}

/** The number of tasks by kind, of overdue tasks and of unread notifications. */
function Counts({ counts }: { counts: Dashboard['my_work'] }) {
  const t = useTranslations('home');
  const tasks = useTranslations('tasks');
  const kinds = Object.entries(counts.by_kind) as [keyof typeof counts.by_kind, number][];
  if (kinds.length === 0 && counts.unread_notifications === 0) return null;
  return (
    <ul className={chart['head']} aria-label={t('byKind')}>
      {kinds.map(([kind, count]) => (
        <li key={kind}>
          <Link to={paths.tasks} search={{ kind }}>
            {tasks('kindCount', { kind: tasks(`kind.${kind}`), count })}
          </Link>
        </li>
      ))}
      {counts.overdue > 0 && (
        <li data-alert>
          <Link to={paths.tasks} search={{ priority: 'overdue' }}>
            {tasks('overdue', { count: counts.overdue })}
          </Link>
        </li>
      )}
      {counts.unread_notifications > 0 && (
        <li>
          <Link to={paths.notifications} search={{ unread: true }}>
            {t('unread', { count: counts.unread_notifications })}
          </Link>
        </li>
      )}
    </ul>
  );
}
