import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { DateField } from './DateField.tsx';
import { Notice } from './Notice.tsx';
import { today } from './time-served.ts';

type Props = {
  /** What is shown as of the day. */
  what: 'record' | 'people' | 'chart' | 'count';
  day: string;
  /** A day, or undefined for today. */
  onDay: (day: string | undefined) => void;
  children?: ReactNode;
};

/** Says that a page is shown as of a day, and chooses another one; its texts are the part `as-of`. */
export function AsOfNotice({ what, day, onDay, children }: Props) {
  const t = useTranslations('asOf');
  const format = useFormatter();
  const shown = format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Notice kind="history">
      <strong>{t(`title.${what}`, { day: shown })}</strong>
      {day > today() && <p>{t('ahead')}</p>}
      {children}
      <Group align="end" gap={12} mt={8}>
        <DateField label={t('day')} value={day} onChange={(next) => next !== '' && onDay(next)} />
        <Button variant="default" onClick={() => onDay(undefined)}>
          {t('today')}
        </Button>
      </Group>
    </Notice>
  );
}
