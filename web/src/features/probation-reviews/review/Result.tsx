import { Button, Paper, Stack } from '@mantine/core';
import { IconFileTypePdf, IconWritingSign } from '@tabler/icons-react';
import { letters, type ProbationReview, type SignedSheet } from '@tenure/contract';
import { useFormatter, useTranslations } from 'use-intl';
import { apiBase } from '../../../api/base.ts';
import { address } from '../../../api/call.ts';
import { useSession } from '../../../api/session.tsx';
import { LabelledText } from '../../../ui/LabelledText.tsx';
import classes from '../../../ui/RecordPage.module.css';
import { SectionTitle } from '../../../ui/SectionTitle.tsx';
import { colorsOf, type Tone } from '../../../ui/tones.ts';
import { useDayText } from '../../../ui/use-day-text.ts';
import page from './review.module.css';

type Props = { review: ProbationReview };

const tones = { confirm: 'good', extend: 'info', terminate: 'warn' } as const satisfies Record<string, Tone>;

/** The decision, who made it and what comes next, at the top; the letters are below. */
export function Result({ review }: Props) {
  const t = useTranslations('probationReview');
  const { outcome, decided_at: at, status } = review;
  const { title, next } = useOutcome(review);
  const author = useAuthor(review);
  if (at === null || (!outcome && review.milestone === 'final')) return null;
  const { bg, c } = colorsOf(status === 'reverted' ? 'quiet' : outcome ? tones[outcome] : 'info');
  return (
    <section className={page['result']} aria-labelledby="result">
      <Paper p={18} radius={12} bg={bg}>
        <SectionTitle id="result" c={c}>
          {title}
        </SectionTitle>
        <Stack gap={2} fz="sm">
          <p>{author}</p>
          {next.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </Stack>
      </Paper>
      {(review.hr_comments || review.employee_comment) && (
        <Stack gap={16} className={classes['told']}>
          {review.hr_comments && <LabelledText level="h3" label={t('hrComments')} text={review.hr_comments} />}
          {review.employee_comment && (
            <LabelledText level="h3" label={t('employeeComment')} text={review.employee_comment} />
          )}
        </Stack>
      )}
      <p className={page['letters']}>
        {status === 'approved' && outcome && <Letter id={review.id} label={t(`letter.${outcome}`)} />}
        <Letter id={review.id} label={t('letter.record')} kind="review_record" />
        {review.sheet && <Sheet sheet={review.sheet} />}
      </p>
    </section>
  );
}

function useTimes() {
  const format = useFormatter();
  return {
    day: useDayText(),
    moment: (value: string) => format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'short' }),
  };
}

/** The decision as a sentence, with its consequences. */
function useOutcome(review: ProbationReview): { title: string; next: string[] } {
  const t = useTranslations('probationReview');
  const times = useTimes();
  const acknowledgement = useAcknowledgement(review);
  const { outcome, status, today, effective_date: from, extended_until: until } = review;
  if (status === 'reverted') return { title: t('outcomeIs.reverted'), next: [t('next.reverted')] };
  if (review.milestone !== 'final') return { title: t('outcomeIs.shared'), next: acknowledgement };
  if (!outcome || !from) return { title: '', next: [] };
  const day = times.day(until ?? from);
  const isPast = from < today;
  const kind = outcome === 'terminate' && isPast ? 'terminatePast' : outcome;
  const isAhead = outcome === 'extend' || (outcome === 'confirm' ? from > today : !isPast);
  return {
    title: t(`outcomeIs.${kind}`, { day }),
    next: [...(isAhead ? [t(`next.${outcome}`)] : []), ...acknowledgement],
  };
}

function useAcknowledgement(review: ProbationReview): string[] {
  const t = useTranslations('probationReview');
  const { user } = useSession();
  const { day, moment } = useTimes();
  const { employee_acknowledged_at: at, employee, talked_on: talked, acknowledgement_recorded_by: by } = review;
  if (at === undefined) return [];
  if (at !== null && talked && by)
    return [t('acknowledgedByHand', { day: day(talked), name: by.name, at: moment(at) })];
  if (at !== null) return [t('acknowledgedOn', { at: moment(at) })];
  if (!review.person_signs_in) {
    const isMine = review.allowed_actions.includes('record-acknowledgement');
    return [t(isMine ? 'next.recordOwn' : 'next.record', { name: employee.name })];
  }
  return [
    user?.employee_id === employee.id ? t('next.acknowledgeOwn') : t('next.acknowledge', { name: employee.name }),
  ];
}

function useAuthor({ decided_at: at, decided_by: by, milestone }: ProbationReview): string {
  const t = useTranslations('probationReview');
  const { moment } = useTimes();
  if (at === null) return '';
  if (milestone !== 'final')
    return by ? t('sharedBy', { name: by.name, at: moment(at) }) : t('decidedOn', { at: moment(at) });
  return by ? t('decidedBy', { name: by.name, at: moment(at) }) : t('decidedOn', { at: moment(at) });
}

const Letter = ({ id, label, kind }: { id: number; label: string; kind?: 'review_record' }) => (
  <Button
    component="a"
    variant="default"
    size="compact-md"
    leftSection={<IconFileTypePdf size={16} aria-hidden />}
    href={address(letters.letter, { params: { id }, query: kind ? { kind } : {} })}
    download
  >
    {label}
  </Button>
);

/** The sheet that the employee signed; without a link if the virus scan did not pass it. */
function Sheet({ sheet: { file_name: name, scan_status: scan, download_url: url } }: { sheet: SignedSheet }) {
  const t = useTranslations('probationReview');
  if (scan !== 'not_scanned' && scan !== 'clean') return <span className="muted">{t('sheetLocked', { name })}</span>;
  return (
    <Button
      component="a"
      variant="default"
      size="compact-md"
      leftSection={<IconWritingSign size={16} aria-hidden />}
      href={`${apiBase}${url}`}
      download
    >
      {t('sheet', { name })}
    </Button>
  );
}
