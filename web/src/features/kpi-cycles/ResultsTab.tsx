import { Box, Button, Group } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { kpiCycleFigures, type Distribution } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { failedWithoutData, load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExportMenu } from '../../ui/ExportMenu.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { BandBars } from './BandBars.tsx';
import { BandTable } from './BandTable.tsx';
import { SectionSkeleton } from './SectionSkeleton.tsx';
import { groupings, type TabProps } from './search.ts';
import { Sections } from './Sections.tsx';

/** The distribution of results over the bands, beside the expected shares. A report only; no result is adjusted. */
export function ResultsTab({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const by = search.by ?? 'department';
  const query = useQuery({
    ...load(kpiCycleFigures.distribution, { params: { id: cycle.id }, query: { by } }),
    placeholderData: keepPreviousData,
  });
  if (query.isPending) return <SectionSkeleton />;
  if (failedWithoutData(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const distribution = query.data.data;
  return (
    <>
      <ResultsBar cycle={cycle} search={search} onChange={onChange} />
      {distribution.overall.count === 0 ? (
        <Message title={t('noResults')}>{t('noResultsText')}</Message>
      ) : (
        <Sections>
          <Takeaway distribution={distribution} />
          {search.table === true ? (
            <BandTable cycleId={cycle.id} distribution={distribution} />
          ) : (
            <BandBars cycleId={cycle.id} distribution={distribution} />
          )}
          <p className="muted">{t('ownLeftOut')}</p>
        </Sections>
      )}
    </>
  );
}

/** The grouping, the form and the export of the results. */
function ResultsBar({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const isTable = search.table === true;
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Group gap={8} px="gutter" pt={14} pb={12}>
      <Pills
        label={t('groupedBy')}
        options={groupings.map((value) => ({ value, label: t(`by.${value}`) }))}
        value={search.by ?? 'department'}
        onChange={(value) => onChange({ by: value })}
      />
      <Box flex={1} />
      <Button
        variant="default"
        leftSection={<Icon size={16} aria-hidden />}
        onClick={() => onChange({ table: isTable ? undefined : true } as object)}
      >
        {t(isTable ? 'asBars' : 'asTable')}
      </Button>
      {cycle.allowed_actions.includes('export') && (
        <ExportMenu
          endpoint={kpiCycleFigures.export}
          label={t('exportResults')}
          params={{ id: cycle.id }}
          query={{}}
          readable
        />
      )}
    </Group>
  );
}

/** Names the bands that exceed their cap. */
function Takeaway({ distribution: { overall, groups } }: { distribution: Distribution }) {
  const t = useTranslations('kpiCycles');
  const over = overall.bands.filter(({ over_limit }) => over_limit).map(({ name }) => name);
  const groupsOver = groups.filter(({ bands }) => bands.some(({ over_limit }) => over_limit)).length;
  const hasCaps = overall.bands.some(({ cap_pct }) => cap_pct !== null);
  return (
    <p>
      {t('resultsCount', { count: overall.count })}{' '}
      {!hasCaps
        ? t('noCaps')
        : over.length === 0 && groupsOver === 0
          ? t('withinCaps')
          : over.length === 0
            ? t('groupsOverCaps', { places: groupsOver })
            : t('overCaps', { count: over.length, bands: over.join(', '), places: groupsOver })}
    </p>
  );
}
