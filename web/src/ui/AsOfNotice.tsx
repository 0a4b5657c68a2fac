import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { DayChoice } from './DayChoice.tsx';
import { Notice } from './Notice.tsx';
import { today as ownToday } from './time-served.ts';
import { useDayText } from './use-day-text.ts';

type Props = {
  /** What is shown as of the day. */
  what: 'record' | 'people' | 'chart';
  day: string;
  /** The current day at the company of the record; without it, of the reader. */
  today?: string | undefined;
  /** A day, or undefined for today. */
  onDay: (day: string | undefined) => void;
  children?: ReactNode;
};

/** A notice that a page is shown as of a day, with a way to change the day; its texts are the part `as-of`. */
export function AsOfNotice({ what, day, today = ownToday(), onDay, children }: Props) {
  const t = useTranslations('asOf');
  const dayText = useDayText('long');
  return (
    <Notice kind="history">
      <strong>{t(`title.${what}`, { day: dayText(day) })}</strong>
      {day > today && <p>{t('ahead')}</p>}
      {children}
      <Group align="end" gap={12} mt={8}>
        <DayChoice label={t('day')} day={day} onDay={onDay} />
        <Button variant="default" onClick={() => onDay(undefined)}>
          {t('today')}
        </Button>
      </Group>
    </Notice>
  );
}
