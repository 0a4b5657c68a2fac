import { employmentTypes, type Dashboard } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { AutoGrid } from '../ui/AutoGrid.tsx';
import { Bars, type Bar } from '../ui/charts/Bars.tsx';
import { Chart } from '../ui/charts/Chart.tsx';
import { usePercent } from '../ui/use-percent.ts';
import { addDays, yearsBefore } from './days.ts';
import type { Links } from './use-links.tsx';

type Props = { data: Dashboard; today: string; links: Links };

const shown = 8;

/** Headcount by department, company, employment type and length of service. */
export function StructureBlock({ data: { headcount, tenure }, today, links, file }: Props & { file?: string }) {
  const t = useTranslations('home');
  const percent = usePercent(0);
  if (!headcount || headcount.active === 0) return null;
  const { active, by_entity, by_department } = headcount;
  const byCompany = by_entity.length > 1;
  const bars = (byCompany ? by_entity : by_department).map(({ id, name, count }): Bar => ({
    key: id,
    label: name,
    value: count,
    linkTo: links.people({ activity_status: 'active', [byCompany ? 'entity_id' : 'department_id']: id }),
  }));
  const share = (count: number) => percent((100 * count) / active);
  const [largest] = bars;
  return (
    <AutoGrid min="18rem" gap="26px 40px" fit>
      <BarChart
        title={t(byCompany ? 'byCompany' : 'byDepartment')}
        takeaway={largest ? t('largest', { name: largest.label, share: share(largest.value) }) : ''}
        head={t(byCompany ? 'company' : 'department')}
        bars={bars}
        more={Math.max(0, bars.length - shown)}
        file={file}
      />
      {tenure && <TenureCharts tenure={tenure} share={share} today={today} links={links} file={file} />}
    </AutoGrid>
  );
}

type TenureProps = {
  tenure: NonNullable<Dashboard['tenure']>;
  share: (count: number) => string;
  today: string;
  links: Links;
  file: string | undefined;
};

function TenureCharts({ tenure: { bands, employment_types }, share, today, links, file }: TenureProps) {
  const t = useTranslations('home');
  const kinds = useTranslations('employmentType');
  const ranges = joinedRanges(today);
  const years = (['0-1', '1-3', '3-5', '5+'] as const).map((band): Bar => ({
    key: band,
    label: t('years', { band: band.replace('-', '–') }),
    value: bands[band],
    colour: 5,
    linkTo: links.people({ activity_status: 'active', ...ranges[band] }),
  }));
  const types = employmentTypes.map((type): Bar => ({
    key: type,
    label: kinds(type),
    value: employment_types[type],
    colour: 3,
    linkTo: links.people({ activity_status: 'active', employment_type: type }),
  }));
  const newcomers = t('newcomers', { share: share(bands['0-1']) });
  const fullTimers = t('fullTimers', { share: share(employment_types.full_time) });
  return (
    <>
      <BarChart title={t('tenure')} takeaway={newcomers} head={t('service')} bars={years} file={file} />
      <BarChart title={t('types')} takeaway={fullTimers} head={t('type')} bars={types} file={file} />
    </>
  );
}

/** The joining dates for ranges of years of service. */
function joinedRanges(today: string) {
  const after = (years: number) => addDays(yearsBefore(today, years), 1);
  return {
    '0-1': { joined_from: after(1) },
    '1-3': { joined_from: after(3), joined_to: yearsBefore(today, 1) },
    '3-5': { joined_from: after(5), joined_to: yearsBefore(today, 3) },
    '5+': { joined_to: yearsBefore(today, 5) },
  };
}

type BarChartProps = {
  title: string;
  takeaway: string;
  head: string;
  bars: readonly Bar[];
  more?: number;
  file: string | undefined;
};

/** The largest bars of a chart of people; its table has all of them. */
function BarChart({ title, takeaway, head, bars, more = 0, file }: BarChartProps) {
  const t = useTranslations('home');
  const rows = bars.map(({ key, label, value, linkTo }) => ({ key, label, values: [value], linkTo: [linkTo] }));
  // a single bar has nothing to compare with
  if (bars.filter(({ value }) => value > 0).length < 2) return null;
  return (
    <Chart title={title} takeaway={takeaway} file={file} table={{ head, columns: [t('count')], rows }}>
      <Bars label={title} bars={bars.slice(0, shown)} />
      {more > 0 && <p className="muted">{t('moreInTable', { count: more })}</p>}
    </Chart>
  );
}
