import { kpiCycleFigures, type KpiCycle } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { paths } from '../../paths.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Message } from '../../ui/Message.tsx';
import { Board } from './Board.tsx';
import { CycleRules } from './CycleRules.tsx';
import { Figures } from './Figures.tsx';
import { figuresInterval } from './polling.ts';
import { Funnel } from './Funnel.tsx';
import { SectionSkeleton } from './SectionSkeleton.tsx';
import type { TabProps } from './search.ts';
import { Sections } from './Sections.tsx';

/** The progress of a cycle by stage and department, and its rules. */
export function Overview({ cycle, search, onChange }: TabProps) {
  const query = useQuery({
    ...load(kpiCycleFigures.summary, { params: { id: cycle.id } }),
    refetchInterval: figuresInterval(cycle),
    placeholderData: keepPreviousData,
    enabled: cycle.status !== 'draft',
  });
  if (cycle.status === 'draft')
    return (
      <Sections>
        <NotYet cycle={cycle} />
        <CycleRules cycle={cycle} />
      </Sections>
    );
  if (query.isPending) return <SectionSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const summary = query.data.data;
  return (
    <Sections>
      <Funnel summary={summary} />
      <Board cycle={cycle} search={search} onChange={onChange} />
      <Figures summary={summary} />
      <CycleRules cycle={cycle} />
    </Sections>
  );
}

function NotYet({ cycle: { id, departments_count: count } }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  return (
    <Message title={t('notPublished')}>
      {t('notPublishedText', { count })}{' '}
      <Link to={paths.kpiCycle} params={{ id: String(id) }} search={{ tab: 'departments' }}>
        {t('tabs.departments')}
      </Link>
    </Message>
  );
}
