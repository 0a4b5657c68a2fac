import { Group } from '@mantine/core';
import { employees, employmentTypes } from '@tenure/contract';
import type { HeadCountOnDay } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { Bars, type Bar } from '../../ui/charts/Bars.tsx';
import { Chart } from '../../ui/charts/Chart.tsx';
import { DayChoice } from '../../ui/DayChoice.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import type { EmployeesSearch } from '../employees/search.ts';
import { useDayText } from '../../ui/use-day-text.ts';
import type { Links } from '../../figures/use-links.tsx';
import { ChartSkeleton } from './ChartSkeleton.tsx';
import type { ReportsSearch } from './search.ts';

const shown = 8;

type Props = { search: ReportsSearch; today: string; links: Links; onDay: (day: string) => void };

/** The headcount of any past or future day, by company, department and employment type. */
export function HeadCount({ search: { entity_id, as_of }, today, links, onDay }: Props) {
  const t = useTranslations('reports');
  const day = as_of ?? today;
  const query = useQuery({
    ...load(employees.headCount, { query: { as_of: day, ...(entity_id && { entity_id: [entity_id] }) } }),
    placeholderData: keepPreviousData,
  });
  return (
    <section aria-label={t('onDay')}>
      <Group align="end" gap={12} mb={16}>
        <DayChoice label={t('onDay')} day={day} onDay={onDay} />
      </Group>
      {query.isPending && <ChartSkeleton />}
      {failedWithoutData(query) && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && <Groups counts={query.data.data} links={links} />}
    </section>
  );
}

function Groups({ counts, links }: { counts: HeadCountOnDay; links: Links }) {
  const kinds = useTranslations('employmentType');
  const { as_of, by_entity, by_department, by_employment_type: types } = counts;
  const bar = (key: string | number, label: string, value: number, filter: EmployeesSearch): Bar => ({
    key,
    label,
    value,
    linkTo: links.people({ as_of, ...filter }),
  });
  const groups = [
    ['company', by_entity.map(({ id, name, count }) => bar(id, name, count, { entity_id: id }))],
    [
      'department',
      by_department.map(({ id, name, entity, count }) =>
        bar(id, `${name} · ${entity.name}`, count, { department_id: id }),
      ),
    ],
    [
      'employmentType',
      employmentTypes
        .filter((type) => types[type] > 0)
        .map((type) => bar(type, kinds(type), types[type], { employment_type: type })),
    ],
  ] as const;
  return (
    <AutoGrid min="18rem" gap="26px 40px" fit>
      {groups.map(([head, bars]) => (
        <GroupChart key={head} counts={counts} by={head} bars={bars} />
      ))}
    </AutoGrid>
  );
}

type GroupProps = { counts: HeadCountOnDay; by: 'company' | 'department' | 'employmentType'; bars: readonly Bar[] };

function GroupChart({ counts: { as_of, total }, by, bars }: GroupProps) {
  const t = useTranslations('reports');
  const day = useDayText('long')(as_of);
  const title = t(`onDayBy.${by}`);
  const rows = bars.map(({ key, label, value, linkTo }) => ({ key, label, values: [value], linkTo: [linkTo] }));
  return (
    <Chart
      title={title}
      takeaway={t('onDaySays', { count: total, day })}
      file={`${t('file.headcount')}-${as_of}`}
      table={{ head: t(by), columns: [t('headcount')], rows }}
    >
      <Bars label={title} bars={bars.slice(0, shown)} />
    </Chart>
  );
}
