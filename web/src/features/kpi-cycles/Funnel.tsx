import type { CycleSummary, EvaluationStatus } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import classes from './cycle.module.css';
import { ParticipantsLink } from './ParticipantsLink.tsx';
import { stageColour } from './stage-colours.ts';

type Stage = { status: EvaluationStatus; overdue?: keyof CycleSummary['overdue']; others?: EvaluationStatus[] };

const stages: readonly Stage[] = [
  { status: 'self_assessment', overdue: 'self' },
  { status: 'manager_review', overdue: 'manager' },
  { status: 'hr_review', overdue: 'hr' },
  { status: 'pending_acceptance', overdue: 'acceptance', others: ['accepted', 'disputed'] },
  { status: 'completed', others: ['cancelled'] },
];

/** The number of evaluations per stage; each number links to its evaluations. */
export function Funnel({ summary }: { summary: CycleSummary }) {
  const t = useTranslations('kpiCycles');
  return (
    <section aria-label={t('stages')}>
      <ol className={classes['funnel']}>
        {stages.map((stage) => (
          <StageItem key={stage.status} stage={stage} summary={summary} />
        ))}
      </ol>
    </section>
  );
}

type StageProps = { stage: Stage; summary: CycleSummary };

function StageItem({ stage: { status, overdue, others = [] }, summary }: StageProps) {
  const t = useTranslations('kpiCycles');
  const tStatus = useTranslations('evaluationStatus');
  const format = useFormatter();
  const { cycle, by_status: counts } = summary;
  const countOf = (one: EvaluationStatus) => counts[one] ?? 0;
  const late = overdue ? summary.overdue[overdue] : 0;
  return (
    <li style={stageColour(status)}>
      <span className="muted">{tStatus(status)}</span>
      <ParticipantsLink cycleId={cycle.id} filters={{ status }} className={classes['count']}>
        {format.number(countOf(status))} <span className="visually-hidden">{tStatus(status)}</span>
      </ParticipantsLink>
      {late > 0 && (
        <ParticipantsLink cycleId={cycle.id} filters={{ status, overdue: true }} className={classes['late']}>
          {t('overdueCount', { count: late })}
        </ParticipantsLink>
      )}
      {others
        .filter((other) => countOf(other) > 0)
        .map((other) => (
          <ParticipantsLink key={other} cycleId={cycle.id} filters={{ status: other }} className={classes['other']}>
            {t('countIn', { count: countOf(other), status: tStatus(other) })}
          </ParticipantsLink>
        ))}
    </li>
  );
}
