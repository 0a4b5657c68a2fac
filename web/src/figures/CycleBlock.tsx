import { evaluationStatuses, type CycleSummary } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../api/session.tsx';
import { paths } from '../paths.ts';
import { AutoGrid } from '../ui/AutoGrid.tsx';
import { Bars, type Bar } from '../ui/charts/Bars.tsx';
import { Chart } from '../ui/charts/Chart.tsx';
import { usePercent } from '../ui/use-percent.ts';
import { Block, Figures, type Figure } from './Figures.tsx';
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

/** The progress and results of a KPI cycle. */
export function CycleBlock({ summary, links, file }: Props) {
  const t = useTranslations('home');
  const { can } = useSession();
  const { cycle, overdue } = summary;
  const late = overdue.self + overdue.manager + overdue.hr + overdue.acceptance;
  const figures = useCycleFigures(links)(summary, late);
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
      <Figures label={t('cycle', { name: cycle.name })} figures={figures} />
      <AutoGrid min="18rem" gap="26px 40px" fit>
        <Stages summary={summary} links={links} late={late} file={file} />
        <Results summary={summary} links={links} file={file} />
      </AutoGrid>
    </Block>
  );
}

/** The figures of a cycle. */
function useCycleFigures(links: Links) {
  const t = useTranslations('home');
  return ({ cycle, ...summary }: CycleSummary, late: number): Figure[] => {
    const those = (search: Parameters<Links['evaluations']>[0]) => links.evaluations({ cycle_id: cycle.id, ...search });
    return [
      { label: t('evaluations'), value: summary.total, linkTo: those({}) },
      { label: t('completed'), value: summary.completion_pct, percent: true, linkTo: those({ status: 'completed' }) },
      { label: t('average'), value: summary.average_percentage, percent: true },
      { label: t('overdue'), value: late, alert: true, linkTo: those({ overdue: true }) },
      { label: t('disputes'), value: summary.disputes_open, alert: true, linkTo: those({ status: 'disputed' }) },
    ];
  };
}

const rowsOf = (bars: readonly Bar[]) =>
  bars.map(({ key, label, value, linkTo }) => ({ key, label, values: [value], linkTo: [linkTo] }));

function Stages({ summary: { cycle, by_status, total }, links, late, file }: Props & { late: number }) {
  const t = useTranslations('home');
  const tStatus = useTranslations('evaluationStatus');
  const bars = evaluationStatuses
    .filter((status) => by_status[status] > 0 || !['accepted', 'disputed', 'cancelled'].includes(status))
    .map((status): Bar => ({
      key: status,
      label: tStatus(status),
      value: by_status[status],
      colour: colours[status] ?? 1,
      linkTo: links.evaluations({ cycle_id: cycle.id, status }),
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
  const percent = usePercent(0);
  const counted = bands.reduce((sum, { count }) => sum + count, 0);
  if (counted < 2) return null;
  const bars = bands.map(({ band, name, count, share_pct }): Bar => ({
    key: band,
    label: t('band', { band: name }),
    value: count,
    note: share_pct === null ? '' : percent(share_pct),
    colour: bandColours[band],
    linkTo: links.evaluations({ cycle_id: cycle.id, status: 'completed', band }),
  }));
  const [top] = bands;
  return (
    <Chart
      title={t('results')}
      takeaway={t('resultsSay', {
        count: counted,
        share: typeof top?.share_pct === 'number' ? percent(top.share_pct) : '',
        band: top?.name ?? '',
      })}
      file={file}
      table={{ head: t('bandHead'), columns: [t('evaluations')], rows: rowsOf(bars) }}
    >
      <Bars label={t('results')} bars={bars} />
    </Chart>
  );
}
