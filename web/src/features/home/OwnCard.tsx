import { Group } from '@mantine/core';
import type { Dashboard, Employee } from '@tenure/contract';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSession } from '../../api/session.tsx';
import { paths } from '../../paths.ts';
import { Block } from '../../figures/Figures.tsx';
import { PersonAvatar } from '../../ui/PersonAvatar.tsx';
import { useDayText } from '../../ui/use-day-text.ts';
import { useResult } from '../../ui/use-percent.ts';
import classes from './OwnCard.module.css';

type Props = { own: Employee; me: Dashboard['me'] | undefined };

/** The user's own record: job and manager, then coming and past events. */
export function OwnCard({ own, me }: Props) {
  const t = useTranslations('home');
  const { hasDirectory, seesOthers } = useSession();
  const { reporting_manager: manager } = own;
  return (
    <Block title={t('me')} aside={<Link to={paths.profile}>{t('myProfile')}</Link>}>
      <Group gap={12} wrap="nowrap" align="center">
        <PersonAvatar id={own.id} name={own.display_name} url={own.profile_picture_url} size={48} />
        <div>
          <strong>
            <bdi>{own.display_name}</bdi>
          </strong>
          <p className="muted">{[own.job_title, own.department.name].filter(Boolean).join(' · ')}</p>
          {manager && (
            <p>
              {t('reportsTo')}{' '}
              <Link
                to={hasDirectory && !seesOthers ? paths.colleague : paths.employee}
                params={{ id: String(manager.id) }}
              >
                <bdi>{manager.name}</bdi>
              </Link>
            </p>
          )}
        </div>
      </Group>
      <Timeline joined={own.joining_date ?? null} me={me} />
    </Block>
  );
}

/** `open`: still to do, even after its day has passed. */
type Entry = { key: string; text: ReactNode; day: string | null; open?: true };

/** Events of the employment and reviews: the coming ones, nearest first, then the past ones, latest first. */
function Timeline({ joined, me }: { joined: string | null; me: Dashboard['me'] | undefined }) {
  const t = useTranslations('home');
  const entries = useEntries(joined, me);
  const [now] = useState(() => new Date().toISOString());
  const today = me?.today ?? now.slice(0, 10);
  const byDay = (a: Entry, b: Entry) => (a.day ?? '').localeCompare(b.day ?? '');
  const isAhead = ({ day, open }: Entry) => open === true || day === null || day >= today;
  const ahead = entries.filter(isAhead).toSorted(byDay);
  const past = entries
    .filter((entry) => !isAhead(entry))
    .toSorted(byDay)
    .toReversed();
  const results = useResults(me);
  return (
    <>
      <Entries title={t('next')} entries={ahead} />
      <Entries title={t('soFar')} entries={[...results, ...past]} />
    </>
  );
}

function useEntries(joined: string | null, me: Dashboard['me'] | undefined): Entry[] {
  const t = useTranslations('home');
  const statuses = useTranslations('evaluationStatus');
  const { evaluation, probation } = me ?? {};
  const entries: Entry[] = [];
  if (joined !== null) entries.push({ key: 'joined', text: t('joined'), day: joined });
  if (probation) entries.push({ key: 'probation', text: t('myProbationEnds'), day: probation.end_date });
  // completed evaluations are among the results
  if (evaluation && !['completed', 'cancelled'].includes(evaluation.status))
    entries.push({
      open: true,
      key: 'evaluation',
      text: (
        <Link to={paths.kpiEvaluation} params={{ id: String(evaluation.id) }}>
          {t('evaluationAt', { status: statuses(evaluation.status) })}
        </Link>
      ),
      day: evaluation.due_on,
    });
  return entries;
}

/** The last results, which have no day. */
function useResults(me: Dashboard['me'] | undefined): Entry[] {
  const t = useTranslations('home');
  const percent = useResult();
  return (me?.last_results ?? []).map(({ cycle, overall_percentage: value }) => ({
    key: `result ${cycle.id}`,
    text: t('resultOf', { cycle: cycle.name, result: percent(value) }),
    day: null,
  }));
}

function Entries({ title, entries }: { title: string; entries: readonly Entry[] }) {
  const dayText = useDayText();
  if (entries.length === 0) return null;
  return (
    <section>
      <h3 className={classes['title']}>{title}</h3>
      <ul className={classes['entries']}>
        {entries.map(({ key, text, day }) => (
          <li key={key}>
            <span>{text}</span>
            {day !== null && (
              <time className="numbers muted" dateTime={day}>
                {dayText(day)}
              </time>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
