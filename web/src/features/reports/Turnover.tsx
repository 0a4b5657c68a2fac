import type { Reply, reports } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Bars } from '../../ui/charts/Bars.tsx';
import { Chart, type ChartRow } from '../../ui/charts/Chart.tsx';
import { addDays, yearsBefore } from '../../figures/days.ts';
import type { Links } from '../../figures/use-links.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import type { ReportsSearch } from './search.ts';
import { useMovement } from './use-movement.ts';

type DepartmentOfMovement = Reply<typeof reports.movement>['data']['departments'][number];

const shown = 8;

/** The minimum headcount of a department whose rate is mentioned in the main finding. */
const fewest = 5;

/** The turnover of each department in twelve months. */
export function Turnover({ search, links }: { search: ReportsSearch; links: Links }) {
  const query = useMovement(search);
  if (!query.data) return query.isPending ? <ChartSkeleton /> : null;
  const { today, departments } = query.data.data;
  const until = search.to !== undefined && search.to < today ? search.to : today;
  const ranked = departments.toSorted((a, b) => (b.turnover_pct ?? 0) - (a.turnover_pct ?? 0) || b.leavers - a.leavers);
  return <TurnoverChart ranked={ranked} until={until} links={links} />;
}

type ChartProps = { ranked: readonly DepartmentOfMovement[]; until: string; links: Links };

function TurnoverChart({ ranked, until, links }: ChartProps) {
  const t = useTranslations('reports');
  const percent = usePercent(1);
  const year = yearTo(until);
  const top = ranked.find(({ headcount, leavers }) => headcount >= fewest && leavers > 0);
  const bars = ranked
    .filter(({ leavers }) => leavers > 0)
    .slice(0, shown)
    .map(({ id, name, leavers, turnover_pct }) => ({
      key: id,
      label: name,
      value: turnover_pct ?? 0,
      text: percent(turnover_pct),
      note: t('leftCount', { count: leavers }),
      colour: 4,
      linkTo: links.people({ department_id: id, ...year }),
    }));
  const says = (name: string, value: number | null) => t('turnoverSays', { name, percent: percent(value) });
  const columns = [t('headcount'), t('joiners'), t('leavers'), t('turnoverPercent')];
  return (
    <Chart
      title={t('turnover')}
      takeaway={bars.length === 0 ? t('nobodyLeft') : top ? says(top.name, top.turnover_pct) : t('turnoverIs')}
      file={t('file.turnover')}
      table={{ head: t('department'), columns, rows: rowsOf(ranked, until, links) }}
    >
      <Bars label={t('turnover')} bars={bars} />
    </Chart>
  );
}

/** The filter for leavers in the twelve months before a day. */
const yearTo = (until: string) => ({ left_from: addDays(yearsBefore(until, 1), 1), left_to: until });

const rowsOf = (ranked: readonly DepartmentOfMovement[], until: string, links: Links) =>
  ranked.map(({ id, name, entity, headcount, joiners, leavers, turnover_pct }): ChartRow => ({
    key: id,
    label: `${name} · ${entity.name}`,
    values: [headcount, joiners, leavers, turnover_pct],
    linkTo: [
      links.people({ department_id: id, left: '0' }),
      links.people({ department_id: id, joined_from: yearTo(until).left_from, joined_to: until }),
      links.people({ department_id: id, ...yearTo(until) }),
    ],
  }));
