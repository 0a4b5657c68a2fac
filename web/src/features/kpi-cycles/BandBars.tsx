import { Box, Flex } from '@mantine/core';
import type { BandShare, Distribution } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import classes from './bands.module.css';
import { ParticipantsLink } from './ParticipantsLink.tsx';
import type { CSSProperties } from 'react';
import { AutoGrid } from '../../ui/AutoGrid.tsx';
import { SectionTitle } from '../../ui/SectionTitle.tsx';
import { usePercent } from '../../ui/use-percent.ts';

export type Group = Pick<Distribution['groups'][number], 'count' | 'average_percentage' | 'bands'> & {
  name: string;
  filters: { department_id?: number; reviewer_id?: number };
};

/** The overall results first, then each group, with the filters that lead to its people. */
export function useGroups({ by, overall, groups }: Distribution): Group[] {
  const t = useTranslations('kpiCycles');
  return [
    { ...overall, name: t('allResults'), filters: {} },
    ...groups.map((group) => ({
      ...group,
      name: group.name ?? t('withoutReviewer'),
      filters: by === 'department' ? { department_id: group.id ?? 0 } : { reviewer_id: group.id ?? 0 },
    })),
  ];
}

const colours = { A: 'var(--series-1)', B: 'var(--series-5)', C: 'var(--series-2)', D: 'var(--series-4)' };
const bandColour = (band: BandShare['band']) => ({ '--band': colours[band] }) as CSSProperties;

type Props = { cycleId: number; distribution: Distribution };

/** One bar per group with a segment per band; a segment beyond its cap is hatched and labelled. */
export function BandBars({ cycleId, distribution }: Props) {
  const t = useTranslations('kpiCycles');
  const groups = useGroups(distribution);
  return (
    <Flex component="ul" direction="column" gap={22} aria-label={t('tabs.results')}>
      {groups.map((group, index) => (
        <GroupItem
          key={index === 0 ? 'all' : `${group.name}-${index}`}
          cycleId={cycleId}
          group={group}
          isAll={index === 0}
        />
      ))}
    </Flex>
  );
}

const below = { pb: 22, style: { borderBlockEnd: '1px solid var(--line)' } };

function GroupItem({ cycleId, group, isAll }: { cycleId: number; group: Group; isAll: boolean }) {
  const t = useTranslations('kpiCycles');
  // as on the overview and in the table
  const percent = usePercent(1);
  return (
    <Flex component="li" direction="column" gap={8} {...(isAll && below)}>
      <Flex wrap="wrap" align="baseline" gap="2px 12px" fz="sm">
        <SectionTitle>
          <bdi>{group.name}</bdi>
        </SectionTitle>
        <span className="muted">
          {t('groupFigures', { count: group.count, average: percent(group.average_percentage) })}
        </span>
      </Flex>
      <Flex className={classes['stack']} h={isAll ? 26 : 18} gap={2} bdrs={6} aria-hidden>
        {group.bands
          .filter(({ count }) => count > 0)
          .map(({ band, count, over_limit }) => (
            <span key={band} data-over={over_limit || undefined} style={{ ...bandColour(band), flexGrow: count }} />
          ))}
      </Flex>
      <AutoGrid component="ul" min="10rem" gap="6px 16px" fit>
        {group.bands.map((share) => (
          <BandItem key={share.band} cycleId={cycleId} filters={group.filters} share={share} />
        ))}
      </AutoGrid>
    </Flex>
  );
}

type BandProps = { cycleId: number; filters: Group['filters']; share: BandShare };

function BandItem({ cycleId, filters, share }: BandProps) {
  const t = useTranslations('kpiCycles');
  const percent = usePercent(0);
  return (
    <Flex component="li" direction="column" align="flex-start" fz="sm" style={bandColour(share.band)}>
      <ParticipantsLink
        cycleId={cycleId}
        filters={{ ...filters, band: share.band, status: 'completed' }}
        className={classes['band']}
      >
        <span className={classes['swatch']} data-over={share.over_limit || undefined} aria-hidden />
        {t('bandIs', { band: share.name })}
        <span className="numbers">{t('shareIs', { count: share.count, share: percent(share.share_pct) })}</span>
      </ParticipantsLink>
      <Box ps={17}>
        <Cap share={share} />
      </Box>
    </Flex>
  );
}

const over = { c: 'var(--danger)', fw: 550 };

/** The cap of a band, highlighted if it is exceeded. */
export function Cap({ share: { cap_pct, over_limit } }: { share: BandShare }) {
  const t = useTranslations('kpiCycles');
  const percent = usePercent(0);
  if (cap_pct === null) return null;
  const cap = percent(cap_pct);
  return (
    <Box component="span" {...(over_limit ? over : { className: 'muted' })}>
      {t(over_limit ? 'overCap' : 'underCap', { cap })}
    </Box>
  );
}
