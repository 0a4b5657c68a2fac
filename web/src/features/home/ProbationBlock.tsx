import { probationOutcomes, type Dashboard } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { addDays, quarterStart } from '../../figures/days.ts';
import { Block, Figures, type Figure } from '../../figures/Figures.tsx';
import type { Links } from '../../figures/use-links.tsx';

type Props = { probation: NonNullable<Dashboard['probation']>; today: string; links: Links };

const onProbation = { activity_status: 'active', employment_lifecycle: 'probationary' } as const;

/** Probations that end soon, overdue ones, and past results. */
export function ProbationBlock({ probation: figures, today, links }: Props) {
  const t = useTranslations('home');
  const upTo = (day: string) => links.people({ ...onProbation, probation_ends_to: day });
  const ending = (days: number) =>
    links.people({ ...onProbation, probation_ends_from: today, probation_ends_to: addDays(today, days) });
  const decided = probationOutcomes.map((outcome) => ({
    label: t(`outcome.${outcome}`),
    value: figures.outcomes_quarter[outcome],
    linkTo: links.outcomes({ outcome, decided_from: quarterStart(today), decided_to: today }),
  }));
  const shown: Figure[] = [
    { label: t('onProbation'), value: figures.on_probation, linkTo: links.people(onProbation) },
    { label: t('endingIn', { days: 30 }), value: figures.ending_30, linkTo: ending(30) },
    { label: t('endingIn', { days: 14 }), value: figures.ending_14, linkTo: ending(14) },
    { label: t('endingIn', { days: 7 }), value: figures.ending_7, linkTo: ending(7) },
    { label: t('pastEnd'), value: figures.overdue, alert: true, linkTo: upTo(addDays(today, -1)) },
    {
      label: t('noEnd'),
      value: figures.no_end_date,
      alert: true,
      linkTo: links.people({ missing: 'probation_end' }),
    },
    {
      label: t('noReview'),
      value: figures.no_review,
      alert: true,
      linkTo: links.people({ missing: 'probation_review' }),
    },
    ...decided,
    { label: t('extensionRate'), value: figures.extension_rate_pct, percent: true },
  ];
  const some = shown.filter(({ value }) => value !== 0 && value !== null);
  return (
    <Block title={t('probation')}>
      {some.length === 0 && <p className="muted">{t('noProbation')}</p>}
      <Figures label={t('probation')} figures={some} />
    </Block>
  );
}
