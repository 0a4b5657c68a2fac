import type { CycleSummary } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { Bars } from '../../ui/charts/Bars.tsx';
import { Chart, type ChartRow } from '../../ui/charts/Chart.tsx';
import type { Links } from '../../figures/use-links.tsx';

const shown = 8;

type Props = { summary: CycleSummary; links: Links };

/** The progress of a cycle by department. */
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
  // a single department has nothing to compare with
  if (departments.length < 2) return null;
  const late = departments.filter(({ overdue }) => overdue > 0).length;
  return (
    <Chart
      title={t('progress')}
      takeaway={t('progressSays', { count: departments.length, late })}
      file={t('file.progress')}
      table={{ head: t('department'), columns: [t('evaluations'), t('completed'), t('overdue')], rows }}
    >
      <Bars label={t('progress')} bars={bars} />
      {can('kpi-cycle.view') && (
        <Link to={paths.kpiCycle} params={{ id: String(cycle.id) }} search={{ tab: 'results' }}>
          {t('seeResults')}
        </Link>
      )}
    </Chart>
  );
}
