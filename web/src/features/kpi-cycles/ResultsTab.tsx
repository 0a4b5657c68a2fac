import { Button } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { kpiCycleFigures, type Distribution } from '@tenure/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { isLost, load } from '../../api/query.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ExportMenu } from '../../ui/ExportMenu.tsx';
import { Message } from '../../ui/Message.tsx';
import { Pills } from '../../ui/Pills.tsx';
import { BandBars } from './BandBars.tsx';
import { BandTable } from './BandTable.tsx';
import classes from './cycle.module.css';
import { Lines } from './Lines.tsx';
import { groupings, type TabProps } from './search.ts';

/** How the results spread over the bands, beside the shares that were thought right: a report, nothing is forced. */
export function ResultsTab({ cycle, search, onChange }: TabProps) {
  const t = useTranslations('kpiCycles');
  const by = search.by ?? 'department';
  const isTable = search.table === true;
  const query = useQuery({
    ...load(kpiCycleFigures.distribution, { params: { id: cycle.id }, query: { by } }),
    placeholderData: keepPreviousData,
  });
  if (query.isPending) return <Lines />;
  if (isLost(query)) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const distribution = query.data.data;
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <>
      <div className={classes['filters']}>
        <Pills
          label={t('groupedBy')}
          options={groupings.map((value) => ({ value, label: t(`by.${value}`) }))}
          value={by}
          onChange={(value) => onChange({ by: value })}
        />
        <span className={classes['space']} />
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
          />
        )}
      </div>
      {distribution.overall.count === 0 ? (
        <Message title={t('noResults')}>{t('noResultsText')}</Message>
      ) : (
        <div className={classes['sections']}>
          <Takeaway distribution={distribution} />
          {isTable ? (
            <BandTable cycleId={cycle.id} distribution={distribution} />
          ) : (
            <BandBars cycleId={cycle.id} distribution={distribution} />
          )}
          <p className="muted">{t('ownLeftOut')}</p>
        </div>
      )}
    </>
  );
}

/** In one sentence: which bands hold more than was thought right. */
function Takeaway({ distribution: { overall, groups } }: { distribution: Distribution }) {
  const t = useTranslations('kpiCycles');
  const over = overall.bands.filter(({ over_limit }) => over_limit).map(({ band }) => band);
  const places = groups.filter(({ bands }) => bands.some(({ over_limit }) => over_limit)).length;
  const hasCaps = overall.bands.some(({ cap_pct }) => cap_pct !== null);
  return (
    <p>
      {t('resultsCount', { count: overall.count })}{' '}
      {!hasCaps
        ? t('noCaps')
        : over.length === 0 && places === 0
          ? t('withinCaps')
          : t('overCaps', { bands: over.length > 0 ? over.join(', ') : '–', places })}
    </p>
  );
}
