import type { Dashboard } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { Block, Figures, type Figure } from '../../figures/Figures.tsx';
import { addDays, monthStart, yearsBefore } from '../../figures/days.ts';
import type { Links } from '../../figures/use-links.tsx';
import { startedStatuses } from '../employees/search.ts';
import type { HomeSearch } from './search.ts';
import { Tiles, type Tile } from './Tiles.tsx';
import { useYear } from './use-year.ts';

type Props = { data: Dashboard; search: HomeSearch; links: Links };

/** The people whom the user may see: movements as tiles, other figures only if they are not zero. */
export function PeopleBlock({ data, search, links }: Props) {
  const t = useTranslations('home');
  const tiles = useTiles(data, search, links);
  const others = useOthers(data, links);
  if (!data.headcount) return null;
  return (
    <Block title={t('people')}>
      <Tiles tiles={tiles} label={t('keyFigures')} />
      <Figures label={t('people')} figures={others.filter(({ value }) => value !== 0)} />
    </Block>
  );
}

/** Headcount, joiners, leavers and people on probation, each with its last twelve months if known. */
function useTiles({ headcount, movement, today }: Dashboard, search: HomeSearch, links: Links): Tile[] {
  const t = useTranslations('home');
  const format = useFormatter();
  const year = useYear(search);
  if (!headcount) return [];
  const { total, delta_month: delta, inactive, probationary } = headcount;
  const everyone = inactive === undefined ? { activity_status: 'active' as const } : begun;
  const thisMonth = { from: monthStart(today), to: today };
  const tiles: (Tile | false)[] = [
    {
      label: t('total'),
      value: total,
      linkTo: links.people(everyone),
      note:
        delta === undefined ? undefined : t('delta', { delta: format.number(delta, { signDisplay: 'exceptZero' }) }),
      trend: year.headcount,
    },
    movement !== undefined && {
      label: t('joiners'),
      value: movement.joiners_month,
      linkTo: links.people({ joined_from: thisMonth.from, joined_to: thisMonth.to }),
      trend: year.joiners,
    },
    movement !== undefined && {
      label: t('leavers'),
      value: movement.leavers_month,
      linkTo: links.people({ left_from: thisMonth.from, left_to: thisMonth.to }),
      trend: year.leavers,
    },
    probationary !== undefined && {
      label: t('probationary'),
      value: probationary,
      linkTo: links.people({ activity_status: 'active', employment_lifecycle: 'probationary' }),
    },
  ];
  return tiles.filter((tile) => tile !== false);
}

const begun = { activity_status: startedStatuses, left: '0' as const };

/** The figures that matter only if they are not zero. */
function useOthers({ headcount, movement, today }: Dashboard, links: Links): Figure[] {
  const t = useTranslations('home');
  if (!headcount) return [];
  const { active, inactive, confirmed, joining } = headcount;
  return [
    {
      label: t('active'),
      value: inactive === undefined ? undefined : active,
      linkTo: links.people({ activity_status: 'active' }),
    },
    {
      label: t('confirmed'),
      value: confirmed,
      linkTo: links.people({ activity_status: 'active', employment_lifecycle: 'confirmed' }),
    },
    { label: t('inactive'), value: inactive, linkTo: links.people({ activity_status: 'inactive', left: '0' }) },
    { label: t('joining'), value: joining, linkTo: links.people({ activity_status: 'joining' }) },
    {
      label: t('rehires'),
      value: movement?.rehires_month,
      linkTo: links.people({ rehired_from: monthStart(today), rehired_to: today }),
    },
    {
      label: t('turnover'),
      value: movement?.turnover_pct,
      percent: true,
      linkTo: links.people({ left_from: addDays(yearsBefore(today, 1), 1), left_to: today }),
    },
  ];
}
