import type { MonthOfMovement } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { failedWithoutData } from '../../api/query.ts';
import { Chart, type ChartRow } from '../../ui/charts/Chart.tsx';
import { Trend } from '../../ui/charts/Trend.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { monthEnd } from '../../figures/days.ts';
import type { Links } from '../../figures/use-links.tsx';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import type { ReportsSearch } from './search.ts';
import { useMovement } from './use-movement.ts';

/** The trend with its title, sentence and legend. */
const movementHeight = 480;

type Props = { search: ReportsSearch; links: Links };

/** Headcount, joiners and leavers by month. */
export function Movement({ search, links }: Props) {
  const query = useMovement(search);
  if (query.isPending) return <ChartSkeleton height={movementHeight} />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <Months months={query.data.data.months} links={links} />;
}

/** Formats a month such as `2026-03`. */
function useMonthName() {
  const format = useFormatter();
  return (month: string, style: 'long' | 'short' = 'long') =>
    format.dateTime(new Date(`${month}-01T00:00:00Z`), { month: style, year: 'numeric', timeZone: 'UTC' });
}

type MonthsProps = { months: readonly MonthOfMovement[]; links: Links };

function Months({ months, links }: MonthsProps) {
  const t = useTranslations('reports');
  const format = useFormatter();
  const nameOf = useMonthName();
  const rows = useMonthRows({ months, links });
  const [first, last] = [months[0], months.at(-1)];
  const sum = (of: 'joiners' | 'leavers') => months.reduce((total, month) => total + month[of], 0);
  const takeaway = t('movementSays', {
    since: first ? nameOf(first.month) : '',
    until: last ? nameOf(last.month) : '',
    from: format.number(first ? first.headcount - first.joiners - first.moved_in + first.leavers + first.moved_out : 0),
    to: format.number(last?.headcount ?? 0),
    joiners: sum('joiners'),
    leavers: sum('leavers'),
  });
  const columns = [t('headcount'), t('joiners'), t('leavers'), t('rehires'), t('movedIn'), t('movedOut')];
  return (
    <Chart
      title={t('movement')}
      takeaway={takeaway}
      file={t('file.movement')}
      table={{ head: t('month'), columns, rows: rows.toReversed() }}
    >
      <Trend
        label={t('movement')}
        names={{ line: t('headcount'), up: t('joiners'), down: t('leavers') }}
        points={months.map(({ month, headcount, joiners, leavers }) => ({
          key: month,
          name: nameOf(month),
          short: nameOf(month, 'short'),
          line: headcount,
          up: joiners,
          down: leavers,
        }))}
      />
    </Chart>
  );
}

/** The months as table rows, with a link from each number to its people. */
function useMonthRows({ months, links }: MonthsProps): ChartRow[] {
  const nameOf = useMonthName();
  return months.map(({ month, headcount, joiners, leavers, rehires, moved_in, moved_out }) => {
    const [from, to] = [`${month}-01`, monthEnd(month)];
    return {
      key: month,
      label: nameOf(month),
      values: [headcount, joiners, leavers, rehires, moved_in, moved_out],
      linkTo: [
        undefined,
        links.people({ joined_from: from, joined_to: to }),
        links.people({ left_from: from, left_to: to }),
        links.people({ rehired_from: from, rehired_to: to }),
      ],
    };
  });
}
