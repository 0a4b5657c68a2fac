import type { BandShare, Distribution } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './bands.module.css';
import { ParticipantsLink } from './ParticipantsLink.tsx';

export type Group = Pick<Distribution['groups'][number], 'count' | 'average_percentage' | 'bands'> & {
  name: string;
  filters: { department_id?: number; reviewer_id?: number };
};

/** All results first, then group by group; each with the filters that lead to its people. */
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

type Props = { cycleId: number; distribution: Distribution };

/** A bar per group with a part per band; a part beyond its cap is hatched and says so. */
export function BandBars({ cycleId, distribution }: Props) {
  const t = useTranslations('kpiCycles');
  const format = useFormatter();
  const groups = useGroups(distribution);
  const percent = (value: number | null) =>
    value === null ? '–' : format.number(value / 100, { style: 'percent', maximumFractionDigits: 0 });
  return (
    <ul className={classes['groups']} aria-label={t('tabs.results')}>
      {groups.map((group, place) => (
        <li key={place === 0 ? 'all' : `${group.name}-${place}`} data-all={place === 0 || undefined}>
          <div className={classes['about']}>
            <h2>
              <bdi>{group.name}</bdi>
            </h2>
            <span className="muted">
              {t('groupFigures', { count: group.count, average: percent(group.average_percentage) })}
            </span>
          </div>
          <div className={classes['stack']} aria-hidden>
            {group.bands
              .filter(({ count }) => count > 0)
              .map(({ band, count, over_limit }) => (
                <span key={band} data-band={band} data-over={over_limit || undefined} style={{ flexGrow: count }} />
              ))}
          </div>
          <ul className={classes['bands']}>
            {group.bands.map((share) => (
              <li key={share.band} data-band={share.band}>
                <ParticipantsLink
                  cycleId={cycleId}
                  filters={{ ...group.filters, band: share.band, status: 'completed' }}
                  className={classes['band']}
                >
                  <span className={classes['swatch']} data-over={share.over_limit || undefined} aria-hidden />
                  {t('bandIs', { band: share.band })}
                  <span className="numbers">
                    {t('shareIs', { count: share.count, share: percent(share.share_pct) })}
                  </span>
                </ParticipantsLink>
                <Cap share={share} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** How much was thought right, and that it is more. */
export function Cap({ share: { cap_pct, over_limit } }: { share: BandShare }) {
  const t = useTranslations('kpiCycles');
  const format = useFormatter();
  if (cap_pct === null) return null;
  const cap = format.number(cap_pct / 100, { style: 'percent' });
  return (
    <span className={over_limit ? classes['over'] : 'muted'}>{t(over_limit ? 'overCap' : 'underCap', { cap })}</span>
  );
}
