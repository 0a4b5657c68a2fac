import { Button, Group } from '@mantine/core';
import type { Employee } from '@tenure/contract';
import { getRouteApi } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { DateField } from '../../../ui/DateField.tsx';
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { today } from '../../../ui/time-served.ts';

const route = getRouteApi('/shell/employees/$id');

type Props = {
  day: string;
  source?: NonNullable<Employee['as_of']>['source'];
  /** The service does not know the job of the day. */
  error?: ApiError | null;
};

/** Says that a record is shown as of a day, and chooses another one. */
export function AsOf({ day, source, error = null }: Props) {
  const t = useTranslations('asOf');
  const format = useFormatter();
  const navigate = route.useNavigate();
  const go = (as_of: string | undefined) => void navigate({ search: as_of ? { as_of } : {}, state: true });
  const shown = format.dateTime(new Date(`${day}T00:00:00Z`), { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Notice kind="history">
      <strong>{t('title', { day: shown })}</strong>
      {source && <p>{t(source === 'assumed' ? 'assumed' : 'known')}</p>}
      <ErrorNotice error={error} />
      <Group align="end" gap={12} mt={8}>
        <DateField label={t('day')} value={day} max={today()} onChange={(next) => next !== '' && go(next)} />
        <Button variant="default" onClick={() => go(undefined)}>
          {t('today')}
        </Button>
      </Group>
    </Notice>
  );
}
