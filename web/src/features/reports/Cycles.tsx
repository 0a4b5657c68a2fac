import { reports, type CyclesReport } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import type { Links } from '../../figures/use-links.tsx';
import { Bars, type Bar } from '../../ui/charts/Bars.tsx';
import { Chart } from '../../ui/charts/Chart.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import type { ReportsSearch } from './search.ts';

type Cycle = CyclesReport['cycles'][number];

export const useCycles = ({ entity_id }: ReportsSearch) =>
  useQuery({ ...load(reports.cycles, { query: { entity_id } }), placeholderData: keepPreviousData });

type NewerProps = { cycles: readonly Cycle[]; search: ReportsSearch; shown: number };

/** Explains that the shown cycle is not the latest one, because a newer one is much smaller. */
export function NewerCycle({ cycles, search, shown }: NewerProps) {
  const t = useTranslations('reports');
  const [newest] = cycles;
  const current = cycles.find(({ id }) => id === shown);
  if (search.cycle_id !== undefined || !newest || !current || newest === current) return null;
  return (
    <Notice>
      {t('newerCycle', {
        name: newest.name,
        count: newest.evaluations,
        shown: current.name,
        total: current.evaluations,
      })}
    </Notice>
  );
}

/** The average results of the last cycles, the oldest first. */
export function Cycles({ cycles, links }: { cycles: readonly Cycle[]; links: Links }) {
  const t = useTranslations('reports');
  const percent = usePercent(1);
  const known = cycles.flatMap((cycle) =>
    cycle.average_percentage === null ? [] : { ...cycle, average: cycle.average_percentage },
  );
  const [latest, before] = known;
  if (!latest || !before) return null;
  const bars = known.toReversed().map(({ id, name, average, results }): Bar => ({
    key: id,
    label: name,
    value: average,
    text: percent(average),
    note: t('resultsCount', { count: results }),
    linkTo: links.evaluations({ cycle_id: id, status: 'completed' }),
  }));
  const rows = cycles.map(({ id, name, evaluations, results, average_percentage: average }) => ({
    key: id,
    label: name,
    values: [evaluations, results, average],
    linkTo: [links.evaluations({ cycle_id: id }), links.evaluations({ cycle_id: id, status: 'completed' })],
  }));
  return (
    <Chart
      title={t('cycles')}
      takeaway={t('cyclesSay', {
        name: latest.name,
        percent: percent(latest.average),
        before: before.name,
        earlier: percent(before.average),
      })}
      file={t('file.cycles')}
      table={{ head: t('cycle'), columns: [t('evaluations'), t('results'), t('average')], rows }}
    >
      <Bars label={t('cycles')} bars={bars} />
    </Chart>
  );
}
