import { Progress, Stack } from '@mantine/core';
import type { KpiCycle } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { StatusBadge, type Tone } from '../../ui/StatusBadge.tsx';
import { useDayText } from '../../ui/use-day-text.ts';

const tones: Record<KpiCycle['status'], Tone> = { draft: 'warn', published: 'good', closed: 'quiet' };

export function CycleStatus({ status, publishing }: Pick<KpiCycle, 'status' | 'publishing'>) {
  const t = useTranslations('kpiCycles');
  if (publishing) return <StatusBadge tone="info" label={t('publishingNow')} />;
  return <StatusBadge tone={tones[status]} label={t(`status.${status}`)} />;
}

/** A period as text; an open end is a dash. */
export function Days({ from, to }: { from: string | null; to: string | null }) {
  const t = useTranslations('kpiCycles');
  const format = useFormatter();
  const dayText = useDayText();
  if (from !== null && to !== null) {
    const [first, last] = [new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)];
    const range = format.dateTimeRange(first, last, { dateStyle: 'medium', timeZone: 'UTC' });
    return <bdi className="numbers">{range.replaceAll(/\s–\s/g, ' – ')}</bdi>;
  }
  if (from !== null) return <span>{t('fromDay', { day: dayText(from) })}</span>;
  if (to !== null) return <span>{t('untilDay', { day: dayText(to) })}</span>;
  return <span className="muted">{t('anyTime')}</span>;
}

/** The finished share of publishing, from 0 to 1; undefined for users who cannot see all of the cycle's companies. */
export const publishedPart = ({ processed, total }: NonNullable<KpiCycle['publishing']>): number | undefined =>
  processed === undefined || total === undefined ? undefined : total > 0 ? processed / total : 0;

/** A progress bar, explained by the text beside it. Without a share, it only shows that publishing is running. */
export const ProgressBar = ({ part }: { part: number | undefined }) => (
  <Progress
    value={Math.min(100, Math.max(0, (part ?? 1) * 100))}
    animated={part === undefined}
    size={6}
    bg="var(--pressed)"
    color="var(--series-1)"
    aria-hidden
  />
);

type Counts = Pick<
  KpiCycle,
  'status' | 'publishing' | 'evaluations_count' | 'completed_count' | 'cancelled_count' | 'departments_count'
>;

/** The number of completed evaluations of a cycle; for a draft, the number of departments. */
export function CycleProgress({ cycle }: { cycle: Counts }) {
  const t = useTranslations('kpiCycles');
  const { publishing, status } = cycle;
  if (publishing) {
    const { processed, total } = publishing;
    const text =
      processed === undefined || total === undefined ? t('publishingUncounted') : t('published', { processed, total });
    return <Part part={publishedPart(publishing)} text={text} />;
  }
  if (status === 'draft')
    return <span className="muted">{t('departmentsCount', { count: cycle.departments_count })}</span>;
  const total = cycle.evaluations_count - cycle.cancelled_count;
  if (total === 0) return <span className="muted">{t('noEvaluations')}</span>;
  return (
    <Part part={cycle.completed_count / total} text={t('completedOf', { completed: cycle.completed_count, total })} />
  );
}

const Part = ({ part, text }: { part: number | undefined; text: string }) => (
  <Stack gap={4} miw="7rem" maw="12rem" fz="sm" lh={1.3}>
    <ProgressBar part={part} />
    <span className="numbers">{text}</span>
  </Stack>
);
