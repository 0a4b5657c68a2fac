import { Box, Button, Stack } from '@mantine/core';
import { type FormerResult, type KpiEvaluationRow, type ProbationReviewRow } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { paths } from '../../../paths.ts';
import { CardOf } from '../../../ui/CardOf.tsx';
import { DataTable, type Column } from '../../../ui/DataTable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { LoadingLines } from '../../../ui/LoadingLines.tsx';
import { Message } from '../../../ui/Message.tsx';
import { useResult } from '../../../ui/use-percent.ts';
import { EvaluationStatus } from '../../../workflow/EvaluationStatus.tsx';
import { PartOf } from '../../../workflow/PartOf.tsx';
import { ProbationStatus } from '../../probation-reviews/ProbationStatus.tsx';
import { ScoreTrend } from './ScoreTrend.tsx';
import { FormerDays, FormerName, FormerScore } from './FormerCells.tsx';
import { maxReviews, resultsOf, useReviews, type Review } from './use-reviews.ts';

const CorrectFormer = lazyPart(() => import('./CorrectFormer.tsx'), 'CorrectFormer', 'former-result');

/** All KPI evaluations, probation reviews and former results of a person in time order, and how the results changed. */
export function ReviewsTab({ id }: { id: number }) {
  const t = useTranslations('personReviews');
  const [correcting, setCorrecting] = useState<FormerResult>();
  const { reviews, isLoading, hasMore, error, retry } = useReviews(id, { withFormer: true });
  const mayCorrect = reviews.some(({ kind, row }) => kind === 'former' && row.allowed_actions.includes('update'));
  const columns = useColumns(mayCorrect ? setCorrecting : undefined);
  if (isLoading) return <LoadingLines lines={6} />;
  if (error) return <ErrorState error={error} onRetry={retry} />;
  if (reviews.length === 0) return <Message title={t('none')}>{t('noneText')}</Message>;
  return (
    <Stack gap={20} pt={20} pb={32}>
      <ScoreTrend results={resultsOf(reviews)} />
      {hasMore && (
        <Box className="muted" px="gutter">
          {t('onlyLatest', { count: maxReviews })}
        </Box>
      )}
      <DataTable
        label={t('all')}
        columns={columns}
        rows={reviews}
        rowKey={({ kind, row }) => `${kind}-${row.id}`}
        card={(row) => <CardOf columns={columns} row={row} />}
      />
      {correcting && (
        <Suspense fallback={null}>
          <CorrectFormer row={correcting} onClose={() => setCorrecting(undefined)} />
        </Suspense>
      )}
    </Stack>
  );
}

function useColumns(onCorrect: ((row: FormerResult) => void) | undefined): Column<Review>[] {
  const t = useTranslations('personReviews');
  return [
    { id: 'review', header: t('review'), cell: (review) => <Name review={review} /> },
    {
      id: 'status',
      header: t('status'),
      cell: ({ kind, row }) => {
        if (kind === 'former') return <span className="muted">{t('formerStatus')}</span>;
        return kind === 'kpi' ? <EvaluationStatus status={row.status} /> : <ProbationStatus {...row} />;
      },
    },
    {
      id: 'result',
      header: t('result'),
      cell: ({ kind, row }) => {
        if (kind === 'former') return <FormerScore row={row} />;
        return kind === 'kpi' ? <Score row={row} /> : <Outcome row={row} />;
      },
    },
    { id: 'when', header: t('when'), cell: (review) => <When review={review} /> },
    {
      id: 'reviewer',
      header: t('reviewer'),
      cell: ({ kind, row }) => {
        if (kind === 'former') return dash;
        return row.reviewer ? <bdi>{row.reviewer.name}</bdi> : <span className="muted">{t('noReviewer')}</span>;
      },
    },
    ...(onCorrect ? [correctColumn(t, onCorrect)] : []),
  ];
}

type Translate = ReturnType<typeof useTranslations<'personReviews'>>;

const correctColumn = (t: Translate, onCorrect: (row: FormerResult) => void): Column<Review> => ({
  id: 'correct',
  header: t('correct'),
  headerHidden: true,
  cell: ({ kind, row }) =>
    kind === 'former' && row.allowed_actions.includes('update') ? (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={t('correctFormer', { period: row.period ?? row.period_to })}
        onClick={() => onCorrect(row)}
      >
        {t('correct')}
      </Button>
    ) : null,
});

function Name({ review: { kind, row } }: { review: Review }) {
  const t = useTranslations('personReviews');
  if (kind === 'former') return <FormerName row={row} />;
  const to = kind === 'kpi' ? paths.kpiEvaluation : paths.probationReview;
  return (
    <Stack gap={0} miw={0} lh={1.4}>
      <Link to={to} params={{ id: String(row.id) }} className="record-link truncate">
        <bdi>{kind === 'kpi' ? row.cycle.name : t('probation', { number: row.sequence })}</bdi>
      </Link>
      <span className="muted small">
        {kind === 'kpi' ? (
          <>
            {t('kpi')}
            {row.part && ' '}
            <PartOf part={row.part} />
          </>
        ) : (
          <>
            {t('until')} <Day value={row.probation_end_date} />
          </>
        )}
      </span>
    </Stack>
  );
}

const dash = <span className="muted">–</span>;

/** The result with its band, and a flag; a dash while the user may not see it or there is none. */
function Score({
  row: { overall_percentage: percentage, band_name: band, performance_flag: flag },
}: {
  row: KpiEvaluationRow;
}) {
  const t = useTranslations('personReviews');
  const percent = useResult();
  if (percentage === undefined || percentage === null) return dash;
  return (
    <Stack component="span" gap={0} lh={1.4}>
      <span className="numbers">
        {band ? t('score', { percentage: percent(percentage), band }) : percent(percentage)}
      </span>
      {flag && flag !== 'standard' && <span className="muted">{t(`flag.${flag}`)}</span>}
    </Stack>
  );
}

function Outcome({ row: { outcome, outcome_extension_months: months, status } }: { row: ProbationReviewRow }) {
  const t = useTranslations('personReviews');
  if (!outcome || status !== 'approved') return dash;
  return <b>{outcome === 'extend' ? t('outcome.extend', { months: months ?? 0 }) : t(`outcome.${outcome}`)}</b>;
}

/** The day it ended, or is due. */
function When({ review: { kind, row, isOpen, due, day } }: { review: Review }) {
  const t = useTranslations('personReviews');
  if (kind === 'former') return <FormerDays row={row} />;
  const at = isOpen ? due : day;
  if (at === null) return dash;
  const shown = <DayOf at={at} />;
  if (isOpen) return t.rich('due', { day: () => shown });
  if (row.status === 'cancelled' || row.status === 'reverted') return shown;
  return t.rich(kind === 'kpi' ? 'completed' : 'decided', { day: () => shown });
}

/** A day, or the day of an instant in the user's time zone. */
function DayOf({ at }: { at: string }) {
  const format = useFormatter();
  if (at.length === 10) return <Day value={at} />;
  return (
    <time className="numbers" dateTime={at} dir="auto">
      {format.dateTime(new Date(at), { dateStyle: 'medium' })}
    </time>
  );
}
