import { Group } from '@mantine/core';
import type { Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useSession } from '../../../api/session.tsx';
import { paths } from '../../../paths.ts';
import { breakable } from '../../../ui/breakable.tsx';
import { Day } from '../../../ui/Dates.tsx';
import { mailTo } from '../../../ui/mail-to.ts';
import { timeServed } from '../../../ui/time-served.ts';
import { useDayText } from '../../../ui/use-day-text.ts';
import { useFieldLabel } from '../form/labels.ts';
import { useReviews, type Review } from '../reviews/use-reviews.ts';
import { Part, Waiting } from './Part.tsx';
import { Manager, Team } from './People.tsx';
import classes from './summary.module.css';

/** Who a person works with, since when, how to reach them, and which reviews are open. */
export function Summary({ employee }: { employee: Employee }) {
  const t = useTranslations('profile.summary');
  const { can } = useSession();
  const { id, reporting_manager: manager } = employee;
  return (
    <aside className={classes['card']} aria-label={t('title')}>
      <Part title={t('manager')}>
        {manager ? <Manager key={manager.id} manager={manager} /> : <p className="muted">{t('noManager')}</p>}
      </Part>
      <Since employee={employee} />
      <Contact employee={employee} />
      {(can('kpi-evaluation.view') || can('probation-review.view')) && <OpenReviews id={id} />}
      {can('employees.view') && <Team id={id} />}
    </aside>
  );
}

/** The start date and the length of service; absent for readers who may not see the date. */
function Since({ employee: { joining_date: joined, activity_status, today } }: { employee: Employee }) {
  const t = useTranslations('profile');
  if (!joined) return null;
  const served = activity_status === 'active' ? timeServed(joined, today) : null;
  return (
    <Part title={t('summary.started')}>
      <Day value={joined} />
      {served && <span className="muted"> · {t('served', served)}</span>}
    </Part>
  );
}

/** The address and the phone number; nothing for a person with neither. */
function Contact({ employee: { email, phone } }: { employee: Employee }) {
  const t = useTranslations('profile.summary');
  const label = useFieldLabel();
  if (!email && !phone) return null;
  return (
    <Part title={t('contact')}>
      {email && (
        <div className={classes['entry']}>
          <a href={mailTo(email)}>
            <span className="visually-hidden">{label('email')}: </span>
            {breakable(email)}
          </a>
        </div>
      )}
      {phone && (
        <div className={classes['entry']}>
          <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`} className="numbers">
            <span className="visually-hidden">{label('phone')}: </span>
            <bdi>{phone}</bdi>
          </a>
        </div>
      )}
    </Part>
  );
}

/** The open reviews; renders nothing if they cannot be read, since the tab shows why. */
function OpenReviews({ id }: { id: number }) {
  const t = useTranslations('profile.summary');
  const { reviews, isLoading, error } = useReviews(id);
  if (error) return null;
  const open = reviews.filter(({ isOpen }) => isOpen);
  return (
    <Part title={t('open')}>
      {isLoading ? (
        <Waiting lines={1} />
      ) : open.length === 0 ? (
        <p className="muted">{t('nothingOpen')}</p>
      ) : (
        <ul>
          {open.map((review) => (
            <li key={`${review.kind}-${review.row.id}`} className={classes['entry']}>
              <OpenReview review={review} />
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}

function OpenReview({ review: { kind, row, due } }: { review: Review }) {
  const t = useTranslations('profile.summary');
  const stage = useTranslations('evaluationStatus');
  const dayText = useDayText();
  const day = due && t('due', { day: dayText(due) });
  return (
    <>
      <Link to={kind === 'kpi' ? paths.kpiEvaluation : paths.probationReview} params={{ id: String(row.id) }}>
        <bdi>{kind === 'kpi' ? row.cycle.name : t('probation')}</bdi>
      </Link>
      <Group gap="0 6px" className="muted">
        {kind === 'kpi' && <span>{stage(row.status)}</span>}
        {day && <span>{day}</span>}
      </Group>
    </>
  );
}
