import { Stack } from '@mantine/core';
import { absences, type CoveredAbsence } from '@tenure/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { load } from '../../api/query.ts';
import { useDayText } from '../../ui/use-day-text.ts';

/** The people for whom the user is the deputy, now and later. */
export function Covered() {
  const t = useTranslations('tasks.deputy');
  const query = useQuery(load(absences.covered, { query: { per_page: 20 } }));
  const rows = query.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Stack component="section" gap={2} px="gutter" pb={10} fz="sm" className="muted" aria-label={t('title')}>
      {rows.map((row) => (
        <p key={row.id}>
          <Line row={row} />
        </p>
      ))}
    </Stack>
  );
}

function Line({ row: { employee, first_day, last_day, state, deputy_tasks } }: { row: CoveredAbsence }) {
  const t = useTranslations('tasks.deputy');
  const dayText = useDayText();
  const key = `${state === 'planned' ? 'planned' : 'current'}${last_day === null ? 'Open' : ''}` as const;
  return (
    <>
      {t(key, { name: employee.name, from: dayText(first_day), until: last_day === null ? '' : dayText(last_day) })}{' '}
      {deputy_tasks.map((task) => t(`task.${task}`)).join(', ')}
    </>
  );
}
