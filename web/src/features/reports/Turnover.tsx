import { useFormatter, useTranslations } from 'use-intl';
import { Bars } from '../../ui/charts/Bars.tsx';
import { Chart, type ChartRow } from '../../ui/charts/Chart.tsx';
import { addDays, yearsBefore } from '../../figures/days.ts';
import type { Links } from '../../figures/use-links.tsx';
import { Pending } from './Pending.tsx';
import type { ReportsSearch } from './search.ts';
import { useMovement } from './use-movement.ts';

const shown = 8;

/** Who left of which department in twelve months. */
export function Turnover({ search, links }: { search: ReportsSearch; links: Links }) {
  const t = useTranslations('reports');
  const format = useFormatter();
  const query = useMovement(search);
  if (!query.data) return query.isPending ? <Pending /> : null;
  const { as_of, departments } = query.data.data;
  const today = as_of.slice(0, 10);
  const until = search.to !== undefined && search.to < today ? search.to : today;
  const year = { left_from: addDays(yearsBefore(until, 1), 1), left_to: until };
  const ranked = departments.toSorted((a, b) => (b.turnover_pct ?? 0) - (a.turnover_pct ?? 0) || b.leavers - a.leavers);
  const percent = (value: number | null) =>
    value === null ? '–' : format.number(value / 100, { style: 'percent', maximumFractionDigits: 1 });
  const rows = ranked.map(({ id, name, entity, headcount, joiners, leavers, turnover_pct }): ChartRow => ({
    key: id,
    label: `${name} · ${entity.name}`,
    values: [headcount, joiners, leavers, turnover_pct],
    leads: [
      links.people({ department_id: id, left: '0' }),
      links.people({ department_id: id, joined_from: year.left_from, joined_to: until }),
      links.people({ department_id: id, ...year }),
    ],
  }));
  const [top] = ranked;
  const bars = ranked.filter(({ leavers }) => leavers > 0).slice(0, shown);
  return (
    <Chart
      title={t('turnover')}
      takeaway={
        top && bars.length > 0
          ? t('turnoverSays', { name: top.name, percent: percent(top.turnover_pct) })
          : t('nobodyLeft')
      }
      file={t('file.turnover')}
      table={{
        head: t('department'),
        columns: [t('headcount'), t('joiners'), t('leavers'), t('turnoverPercent')],
        rows,
      }}
    >
      <Bars
        label={t('turnover')}
        bars={bars.map(({ id, name, leavers, turnover_pct }) => ({
          key: id,
          label: name,
          value: leavers,
          note: percent(turnover_pct),
          colour: 4,
          leads: links.people({ department_id: id, ...year }),
        }))}
      />
    </Chart>
  );
}
