import { Button } from '@mantine/core';
import type { KpiEvaluation } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { useDayText } from '../../../ui/use-day-text.ts';
import { useFigures } from './figures.ts';
import classes from '../../../ui/RecordPage.module.css';
import { ExceptionsPart, LockedPart, WholePart } from './parts.ts';
import type { EvaluationAction } from './search.ts';

type Props = { evaluation: KpiEvaluation; onDo: (action: EvaluationAction) => void };

/** May there be exceptions to show? */
const hasExceptions = ({ extension, status, ...evaluation }: KpiEvaluation) =>
  extension !== null ||
  status === 'cancelled' ||
  [
    evaluation.return_reason,
    evaluation.skip_reason,
    evaluation.reopen_reason,
    evaluation.dispute_reason,
    evaluation.dispute_result,
    evaluation.close_reason,
  ].some((one) => one !== null);

/** The deadline, the reason why the form is read-only, and past exceptions. */
export function StatusNotices({ evaluation, onDo }: Props) {
  const t = useTranslations('kpiEvaluation');
  const { allowed_actions: allowed } = evaluation;
  return (
    <div className={classes['standing']}>
      <p className={classes['line']}>
        <Due evaluation={evaluation} />
        <Previous evaluation={evaluation} />
        {allowed.includes('extension-request') && (
          <Button size="compact-sm" variant="default" onClick={() => onDo('extension-request')}>
            {t('do.extension-request')}
          </Button>
        )}
        {allowed.includes('former-draft') && (
          <Button size="compact-sm" variant="default" onClick={() => onDo('former-draft')}>
            {t('do.former-draft')}
          </Button>
        )}
      </p>
      {evaluation.part && <WholePart evaluation={evaluation} />}
      <Away evaluation={evaluation} />
      <FourEyes evaluation={evaluation} />
      {allowed.includes('update') ? <InPlaceOf evaluation={evaluation} /> : <LockedPart evaluation={evaluation} />}
      {hasExceptions(evaluation) && <ExceptionsPart evaluation={evaluation} />}
    </div>
  );
}

const inWork: readonly KpiEvaluation['status'][] = ['self_assessment', 'manager_review'];

function Due({ evaluation }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const dayText = useDayText();
  const { status, due_on: due, today, window, stage_open_until: until } = evaluation;
  const end = [window.closes_on, until]
    .filter((one) => one !== null)
    .toSorted()
    .at(-1);
  if (inWork.includes(status) && window.opens_on !== null && window.opens_on > today && !window.is_open)
    return <span>{t('opensOn', { day: dayText(window.opens_on) })}</span>;
  if (inWork.includes(status) && end !== undefined)
    return window.is_open ? (
      <span>{t('openUntil', { day: dayText(end) })}</span>
    ) : (
      <span className={classes['late']}>
        {t(evaluation.allowed_actions.includes('extension-request') ? 'closedAsk' : 'closedSince', {
          day: dayText(end),
        })}
      </span>
    );
  if (due === null) return null;
  return (
    <>
      <span>{t('dueOn', { day: dayText(due) })}</span>
      {due < today && <span className={classes['late']}>{t('overdue')}</span>}
    </>
  );
}

function Previous({ evaluation: { previous } }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const figures = useFigures();
  if (!previous) return null;
  const { overall_score: score, overall_percentage: percentage } = previous;
  // the parts of a cycle have a common percentage, and no common score
  const text = [
    score === null ? percentage === null && '–' : figures.score(score),
    percentage !== null && figures.percent(percentage),
  ];
  return (
    <span>
      {t('previousResult')}{' '}
      <Link to={paths.kpiEvaluation} params={{ id: String(previous.id) }}>
        <bdi className="numbers">{[previous.cycle.name, ...text].filter(Boolean).join(' · ')}</bdi>
      </Link>
    </span>
  );
}

/** Tells a substitute reviewer that the evaluation will show the substitution. */
function InPlaceOf({ evaluation: { status, reviewer } }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const { user } = useSession();
  if (status !== 'manager_review' || reviewer?.id === user?.employee_id) return null;
  return <p className={classes['line']}>{reviewer ? t('inPlaceOf', { name: reviewer.name }) : t('inPlaceOfNobody')}</p>;
}

/** Tells HR until when the employee is away, and what that means for the step. */
function Away({ evaluation: { absence, employee, status } }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  const { user } = useSession();
  const dayText = useDayText('long');
  if (!absence || employee.id === user?.employee_id) return null;
  const { last_day: last } = absence;
  const day = last === null ? '' : dayText(last);
  return (
    <p className={classes['line']}>
      {t(last === null ? 'awayOpen' : 'awayUntil', { name: employee.name, day })}
      {status === 'pending_acceptance' && ` ${t('awayAnswers')}`}
      {status === 'self_assessment' && ` ${t('awayAssesses')}`}
    </p>
  );
}

/** Tells an HR user who submitted the review who releases its result. */
function FourEyes({ evaluation: { four_eyes: rule, employee } }: Pick<Props, 'evaluation'>) {
  const t = useTranslations('kpiEvaluation');
  if (rule === null) return null;
  return (
    <p className={classes['line']}>{rule === 'other_hr' ? t('otherHr') : t('noOtherHr', { name: employee.name })}</p>
  );
}
