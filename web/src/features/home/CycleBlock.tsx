import { evaluationStatuses, type CycleSummary } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { Bars, type Bar } from '../../ui/charts/Bars.tsx';
import { Chart } from '../../ui/charts/Chart.tsx';
import { Block, Figures } from './Figures.tsx';
import classes from './HomePage.module.css';
import type { Links } from './use-links.tsx';

type Props = { summary: CycleSummary; links: Links; file?: string | undefined };

const colours: Partial<Record<(typeof evaluationStatuses)[number], number>> = {
  self_assessment: 3,
  manager_review: 5,
  hr_review: 2,
  pending_acceptance: 6,
  disputed: 4,
};
const bandColours = { A: 1, B: 5, C: 2, D: 4 };

/** How far a KPI cycle is and what came of it. */
export function CycleBlock({ summary, links, file }: Props) {
  const t = useTranslations('home');
  const { can } = useSession();
  const { cycle, overdue } = summary;
  const late = overdue.self + overdue.manager + overdue.hr + overdue.acceptance;
  const inCycle = { cycle_id: cycle.id };
  return (
    <Block
      title={t('cycle', { name: cycle.name })}
      aside={
        can('kpi-cycle.view') && (
          <Link to={paths.kpiCycle} params={{ id: String(cycle.id) }}>
            {t('openCycle')}
          </Link>
        )
      }
    >
      <Figures
        label={t('cycle', { name: cycle.name })}
        figures={[
          { label: t('evaluations'), value: summary.total, leads: links.evaluations(inCycle) },
          {
            label: t('completed'),
            value: summary.completion_pct,
            percent: true,
            leads: links.evaluations({ ...inCycle, status: 'completed' }),
          },
          { label: t('average'), value: summary.average_percentage, percent: true },
          {
            label: t('overdue'),
            value: late,
            alert: true,
            leads: links.evaluations({ ...inCycle, overdue: true }),
          },
          {
            label: t('disputes'),
            value: summary.disputes_open,
            alert: true,
            leads: links.evaluations({ ...inCycle, status: 'disputed' }),
          },
        ]}
      />
      <div className={classes['charts']}>
        <Stages summary={summary} links={links} late={late} file={file} />
        <Results summary={summary} links={links} file={file} />
      </div>
    </Block>
  );
}

const rowsOf = (bars: readonly Bar[]) =>
  bars.map(({ key, label, value, leads }) => ({ key, label, values: [value], leads: [leads] }));

function Stages({ summary: { cycle, by_status, total }, links, late, file }: Props & { late: number }) {
  const t = useTranslations('home');
  const words = useTranslations('evaluationStatus');
  const bars = evaluationStatuses
    .filter((status) => by_status[status] > 0 || !['accepted', 'disputed', 'cancelled'].includes(status))
    .map((status): Bar => ({
      key: status,
      label: words(status),
      value: by_status[status],
      colour: colours[status] ?? 1,
      leads: links.evaluations({ cycle_id: cycle.id, status }),
    }));
  const done = by_status.completed;
  return (
    <Chart
      title={t('stages')}
      takeaway={t('stagesSay', { done, total: total - by_status.cancelled, late })}
      file={file}
      table={{ head: t('stage'), columns: [t('evaluations')], rows: rowsOf(bars) }}
    >
      <Bars label={t('stages')} bars={bars} />
    </Chart>
  );
}

function Results({ summary: { cycle, bands }, links, file }: Props) {
  const t = useTranslations('home');
  const format = useFormatter();
  const counted = bands.reduce((sum, { count }) => sum + count, 0);
  if (counted === 0) return null;
  const percent = (value: number | null) =>
    value === null ? '' : format.number(value / 100, { style: 'percent', maximumFractionDigits: 0 });
  const bars = bands.map(({ band, count, share_pct }): Bar => ({
    key: band,
    label: t('band', { band }),
    value: count,
    note: percent(share_pct),
    colour: bandColours[band],
    leads: links.evaluations({ cycle_id: cycle.id, status: 'completed', band }),
  }));
  const [top] = bands;
  return (
    <Chart
      title={t('results')}
      takeaway={t('resultsSay', { count: counted, share: percent(top?.share_pct ?? null) })}
      file={file}
      table={{ head: t('bandHead'), columns: [t('evaluations')], rows: rowsOf(bars) }}
    >
      <Bars label={t('results')} bars={bars} />
    </Chart>
  );
}
