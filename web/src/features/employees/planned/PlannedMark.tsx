import { Box } from '@mantine/core';
import { IconCalendarEvent } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { useDayText } from '../../../ui/use-day-text.ts';

/** A sign beside the name of a person with a planned job change. */
export function PlannedMark({ day }: { day: string | undefined }) {
  const t = useTranslations('employees.planned');
  const dayText = useDayText();
  if (day === undefined) return null;
  const when = dayText(day);
  const label = t('change', { day: when });
  return (
    <Box component="span" title={label} c="var(--accent)" style={{ flex: 'none' }}>
      <IconCalendarEvent size={16} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </Box>
  );
}
