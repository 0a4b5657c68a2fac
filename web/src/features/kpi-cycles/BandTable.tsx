import { Stack } from '@mantine/core';
import { cycleBands, type Distribution } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { DataTable, type Column } from '../../ui/DataTable.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import { Cap, useGroups, type Group } from './BandBars.tsx';
import { ParticipantsLink } from './ParticipantsLink.tsx';

type Props = { cycleId: number; distribution: Distribution };

/** The data of the bars as a table. */
export function BandTable({ cycleId, distribution }: Props) {
  const t = useTranslations('kpiCycles');
  const format = useFormatter();
  const groups = useGroups(distribution);
  const percent = usePercent(1);
  const columns: Column<Group>[] = [
    { id: 'name', header: t(`by.${distribution.by}`), cell: ({ name }) => <bdi>{name}</bdi> },
    { id: 'count', header: t('results'), cell: ({ count }) => <span className="numbers">{format.number(count)}</span> },
    {
      id: 'average',
      header: t('average'),
      cell: ({ average_percentage: value }) => <span className="numbers">{percent(value)}</span>,
    },
    ...cycleBands.map((band): Column<Group> => ({
      id: band,
      header: t('bandIs', { band: distribution.overall.bands.find((one) => one.band === band)?.name ?? band }),
      cell: ({ bands, filters }) => {
        const share = bands.find((one) => one.band === band);
        if (!share) return null;
        return (
          <Stack gap={0} lh={1.4}>
            <ParticipantsLink cycleId={cycleId} filters={{ ...filters, band, status: 'completed' }}>
              {t('shareIs', { count: share.count, share: percent(share.share_pct) })}
            </ParticipantsLink>
            <Cap share={share} />
          </Stack>
        );
      },
    })),
  ];
  return (
    <DataTable label={t('tabs.results')} columns={columns} rows={groups} rowKey={(group) => groups.indexOf(group)} />
  );
}
