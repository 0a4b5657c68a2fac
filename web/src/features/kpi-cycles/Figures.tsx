import type { CycleSummary } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { Moment } from '../../ui/Dates.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { usePercent } from '../../ui/use-percent.ts';

/** The summary figures of a cycle. */
export function Figures({ summary }: { summary: CycleSummary }) {
  const t = useTranslations('kpiCycles');
  const tStatus = useTranslations('evaluationStatus');
  const format = useFormatter();
  const formatPercent = usePercent(1);
  const percent = (value: number | null) => (value === null ? null : formatPercent(value));
  const { flags, median_days_per_stage: medians } = summary;
  const days = (value: number | null) => (value === null ? null : t('days', { days: value }));
  return (
    <DescriptionList
      title={t('figures')}
      items={[
        { label: t('completion'), value: percent(summary.completion_pct) },
        { label: t('average'), value: percent(summary.average_percentage) },
        { label: t('openDisputes'), value: format.number(summary.disputes_open) },
        { label: t('flag.hipo'), value: format.number(flags.hipo) },
        { label: t('flag.pip'), value: format.number(flags.pip) },
        ...(['self_assessment', 'manager_review', 'hr_review', 'pending_acceptance'] as const).map((stage) => ({
          label: t('medianIn', { stage: tStatus(stage) }),
          value: days(medians[stage]),
        })),
        { label: t('asOf'), value: <Moment value={summary.as_of} /> },
      ]}
    />
  );
}
