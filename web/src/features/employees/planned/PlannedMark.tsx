import { Box } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useFormatter, useTranslations } from 'use-intl';

/** A sign beside the name of a person with a planned job change. */
export function PlannedMark({ day }: { day: string | undefined }) {
  const t = useTranslations('employees.planned');
  const format = useFormatter();
  if (day === undefined) return null;
  const when = format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' });
  const label = t('change', { day: when });
  return (
    <Box component="span" title={label} c="var(--accent)" style={{ flex: 'none' }}>
      <IconCalendarEvent size={16} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </Box>
  );
}
