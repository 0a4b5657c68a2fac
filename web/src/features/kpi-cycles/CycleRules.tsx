import type { KpiCycle } from '@tenure/contract';
import { useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { DescriptionList, type DescriptionItem } from '../../ui/DescriptionList.tsx';
import { usePercent } from '../../ui/use-percent.ts';
import { Days } from './CycleProgress.tsx';
import { Timeline } from './Timeline.tsx';

/** The windows, durations and weights of a cycle. */
export function CycleRules({ cycle }: { cycle: KpiCycle }) {
  const t = useTranslations('kpiCycles');
  return (
    <DescriptionList title={t('rules')} items={[...useWindows(cycle), ...useWeights(cycle), ...useCourse(cycle)]}>
      <Timeline dates={cycle} />
    </DescriptionList>
  );
}

function useWindows(cycle: KpiCycle): DescriptionItem[] {
  const t = useTranslations('kpiCycles');
  return [
    {
      label: t('selfWindow'),
      value: <Days from={cycle.self_assessment_opens_on} to={cycle.self_assessment_closes_on} />,
    },
    {
      label: t('managerWindow'),
      value: <Days from={cycle.manager_review_opens_on} to={cycle.manager_review_closes_on} />,
    },
    { label: t('field.min_days'), value: t('days', { days: cycle.min_days }) },
    { label: t('field.acceptance_days'), value: t('days', { days: cycle.acceptance_days }) },
    {
      label: t('field.min_service_days'),
      value: cycle.min_service_days === null ? null : t('days', { days: cycle.min_service_days }),
    },
  ];
}

function useWeights(cycle: KpiCycle): DescriptionItem[] {
  const t = useTranslations('kpiCycles');
  const percent = usePercent(2);
  const { band_caps: caps, bands } = cycle;
  return [
    { label: t('afterClose'), value: t(cycle.auto_skip_self ? 'autoSkip' : 'staysOpen') },
    { label: t('withoutAnswer'), value: t(cycle.auto_accept ? 'autoAccept' : 'staysOpen') },
    { label: t('field.four_eyes'), value: t(cycle.four_eyes ? 'fourEyesOn' : 'fourEyesOff') },
    {
      label: t('field.hr_comment_optional'),
      value: t(cycle.hr_comment_optional ? 'commentOptional' : 'commentRequired'),
    },
    {
      label: t('weights'),
      value: t('weightsAre', { manager: percent(cycle.manager_weight_pct), self: percent(cycle.self_weight_pct) }),
    },
    {
      label: t('thresholds'),
      value: t('thresholdsAre', { pip: percent(cycle.pip_below_pct), hipo: percent(cycle.hipo_from_pct) }),
    },
    {
      label: t('caps'),
      value: caps && t('capsAre', { a: percent(caps.a), b: percent(caps.b), c: percent(caps.c), d: percent(caps.d) }),
    },
    {
      label: t('field.bands'),
      value: t('bandsAre', {
        bands: [bands.a, bands.b, bands.c].map(({ name, from }) => `${name} ${percent(from)}`).join(', '),
        last: bands.d.name,
      }),
    },
  ];
}

function useCourse(cycle: KpiCycle): (DescriptionItem | false)[] {
  const t = useTranslations('kpiCycles');
  return [
    cycle.description !== null && { label: t('field.description'), value: cycle.description },
    cycle.published_at !== null && { label: t('publishedAt'), value: <Moment value={cycle.published_at} /> },
    cycle.closed_at !== null && { label: t('closedAt'), value: <Moment value={cycle.closed_at} /> },
    cycle.close_reason !== null && { label: t('closeReason'), value: cycle.close_reason },
  ];
}
