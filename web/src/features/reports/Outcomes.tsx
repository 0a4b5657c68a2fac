import { probationOutcomes, reports, type Reply } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { Bars, type Bar } from '../../ui/charts/Bars.tsx';
import { Chart } from '../../ui/charts/Chart.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import { monthsBefore, monthStart } from '../../figures/days.ts';
import type { Links } from '../../figures/use-links.tsx';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import type { ReportsSearch } from './search.ts';

type Props = { search: ReportsSearch; links: Links };

const colours = { confirm: 1, extend: 2, terminate: 4 };

/** The reported period: whole months, two years by default. */
function periodOf(today: string, { from, to }: ReportsSearch) {
  const until = to !== undefined && to < today ? to : today;
  return { decided_from: from === undefined ? monthsBefore(until, 23) : monthStart(from), decided_to: until };
}

/** The results of probations in the period. */
export function Outcomes({ search, links }: Props) {
  const { entity_id, from, to } = search;
  const query = useQuery({
    ...load(reports.probationOutcomes, { query: { entity_id, from, to } }),
    placeholderData: keepPreviousData,
  });
  if (query.isPending) return <ChartSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data } = query.data;
  return <OutcomeChart data={data} period={periodOf(data.today, search)} links={links} />;
}

type ChartProps = {
  data: Reply<typeof reports.probationOutcomes>['data'];
  period: ReturnType<typeof periodOf>;
  links: Links;
};

function OutcomeChart({ data: { outcomes, departments, extension_rate_pct: rate }, period, links }: ChartProps) {
  const t = useTranslations('reports');
  const percent = usePercent(1);
  const total = probationOutcomes.reduce((sum, outcome) => sum + outcomes[outcome], 0);
  const bars = probationOutcomes.map((outcome): Bar => ({
    key: outcome,
    label: t(`outcome.${outcome}`),
    value: outcomes[outcome],
    colour: colours[outcome],
    linkTo: links.outcomes({ outcome, ...period }),
  }));
  const rows = departments.map(({ id, name, entity, outcomes: own }) => ({
    key: id,
    label: `${name} · ${entity.name}`,
    values: probationOutcomes.map((outcome) => own[outcome]),
    linkTo: probationOutcomes.map((outcome) => links.outcomes({ outcome, department_id: id, ...period })),
  }));
  return (
    <Chart
      title={t('outcomes')}
      takeaway={total === 0 ? t('noOutcomes') : t('outcomesSay', { count: total, percent: percent(rate) })}
      file={t('file.outcomes')}
      table={{ head: t('department'), columns: probationOutcomes.map((outcome) => t(`outcome.${outcome}`)), rows }}
    >
      <Bars label={t('outcomes')} bars={bars} />
    </Chart>
  );
}
