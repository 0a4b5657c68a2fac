import { cycleBands, kpiCycleFigures, type CycleSummary } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { Bars } from '../../ui/charts/Bars.tsx';
import { Chart, type ChartRow } from '../../ui/charts/Chart.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import type { Links } from '../../figures/use-links.tsx';

const shown = 8;

type Props = { summary: CycleSummary; links: Links };

/** The progress of a cycle by department, with the distribution of results. */
export function CycleByDepartment({ summary: { cycle, departments }, links }: Props) {
  const t = useTranslations('reports');
  const { can } = useSession();
  const inCycle = { cycle_id: cycle.id };
  const rows = departments.map(({ id, name, total, completed, overdue }): ChartRow => ({
    key: id,
    label: name,
    values: [total, completed, overdue],
    linkTo: [
      links.evaluations({ ...inCycle, department_id: id }),
      links.evaluations({ ...inCycle, department_id: id, status: 'completed' }),
      links.evaluations({ ...inCycle, department_id: id, overdue: true }),
    ],
  }));
  const bars = departments
    .toSorted((a, b) => b.overdue - a.overdue || b.total - b.completed - (a.total - a.completed))
    .slice(0, shown)
    .map(({ id, name, total, completed }) => ({
      key: id,
      label: name,
      value: completed,
      note: t('ofTotal', { total }),
      linkTo: links.evaluations({ ...inCycle, department_id: id, status: 'completed' }),
    }));
  const late = departments.filter(({ overdue }) => overdue > 0).length;
  return (
    <AutoGrid min="18rem" gap="26px 40px" fit>
      <Chart
        title={t('progress')}
        takeaway={t('progressSays', { count: departments.length, late })}
        file={t('file.progress')}
        table={{ head: t('department'), columns: [t('evaluations'), t('completed'), t('overdue')], rows }}
      >
        <Bars label={t('progress')} bars={bars} />
      </Chart>
      {can('kpi-cycle.view') && <Spread cycleId={cycle.id} links={links} />}
    </AutoGrid>
  );
}

function Spread({ cycleId, links }: { cycleId: number; links: Links }) {
  const t = useTranslations('reports');
  const percent = usePercent(1);
  const query = useQuery(load(kpiCycleFigures.distribution, { params: { id: cycleId }, query: {} }));
  const found = query.data?.data;
  if (!found || found.overall.count === 0) return null;
  const rows = found.groups.map(({ id, name, count, average_percentage, bands }, index): ChartRow => {
    const own = { cycle_id: cycleId, status: 'completed', department_id: id ?? 0 } as const;
    return {
      key: id ?? `none-${index}`,
      label: name ?? '',
      values: [count, average_percentage, ...bands.map((share) => share.count)],
      linkTo: [undefined, undefined, ...bands.map(({ band }) => links.evaluations({ ...own, band }))],
    };
  });
  return (
    <Chart
      title={t('spread')}
      takeaway={t('spreadSays', {
        count: found.overall.count,
        percent: percent(found.overall.average_percentage),
      })}
      file={t('file.spread')}
      table={{
        head: t('department'),
        columns: [t('results'), t('average'), ...cycleBands.map((band) => t('band', { band }))],
        rows,
      }}
      tableOnly
    />
  );
}
